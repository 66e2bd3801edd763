#include "engine/base/gate.h"

typedef struct {
  OlGate *gate;
  guint64 value;
} Awaited;

void ol_gate_init(OlGate *gate)
{
  atomic_init(&gate->value, 0);
  ol_bell_init(&gate->bell);
}

void ol_gate_clear(OlGate *gate)
{
  ol_bell_clear(&gate->bell);
}

guint64 ol_gate_get(OlGate *gate)
{
  return atomic_load(&gate->value);
}

void ol_gate_raise(OlGate *gate, guint64 value)
{
  guint64 now = atomic_load(&gate->value);
  while (now < value && !atomic_compare_exchange_weak(&gate->value, &now, value))
    ;
  ol_bell_ring(&gate->bell);
}

void ol_gate_step(OlGate *gate)
{
  atomic_fetch_add(&gate->value, 1);
  ol_bell_ring(&gate->bell);
}

static gboolean is_there(gconstpointer data)
{
  const Awaited *awaited = data;
  return atomic_load(&awaited->gate->value) >= awaited->value;
}

void ol_gate_wait(OlGate *gate, guint64 value)
{
  Awaited awaited = {gate, value};
  ol_bell_wait(&gate->bell, is_there, &awaited);
}
