#include "engine/comm/gate-private.h"

#include "engine/base/clock.h"
#include <sched.h>

#define SPIN_NS  20000
#define YIELD_NS 1000000

void ol_comm_gate_init(OlCommGate *gate, gboolean spins)
{
  gate->spins = spins;
  atomic_init(&gate->openings, 0);
  atomic_init(&gate->sleepers, 0);
  pthread_mutex_init(&gate->lock, NULL);
  pthread_cond_init(&gate->opened, NULL);
}

void ol_comm_gate_clear(OlCommGate *gate)
{
  pthread_cond_destroy(&gate->opened);
  pthread_mutex_destroy(&gate->lock);
}

/* The sleeper counts itself before it looks again, and whoever opens takes the lock when it sees a
 * sleeper. */
static void sleep_until_open(OlCommGate *gate, guint seen)
{
  pthread_mutex_lock(&gate->lock);
  atomic_fetch_add(&gate->sleepers, 1);
  while (ol_comm_gate_look(gate) == seen)
    pthread_cond_wait(&gate->opened, &gate->lock);
  atomic_fetch_sub(&gate->sleepers, 1);
  pthread_mutex_unlock(&gate->lock);
}

void ol_comm_gate_wait(OlCommGate *gate, guint seen)
{
  gint64 begin = ol_clock_now_ns();
  for (gint64 passed = 0; passed < YIELD_NS; passed = ol_clock_now_ns() - begin) {
    if (ol_comm_gate_look(gate) != seen)
      return;
    if (!gate->spins || passed > SPIN_NS)
      sched_yield();
  }
  sleep_until_open(gate, seen);
}

void ol_comm_gate_open(OlCommGate *gate)
{
  atomic_fetch_add(&gate->openings, 1);
  if (atomic_load(&gate->sleepers) == 0)
    return;
  pthread_mutex_lock(&gate->lock);
  pthread_cond_broadcast(&gate->opened);
  pthread_mutex_unlock(&gate->lock);
}
