#include "engine/device/virtual/gate.h"

#include "engine/base/clock.h"
#include <sched.h>

/* Lanes and streams are more than a small machine has cores: who spins long keeps the very thread
 * that it waits for from its core. With 2 µs a node costs half of what it does with 20. */
#define SPIN_NS  2000
#define YIELD_NS 1000000

void ol_gate_init(OlGate *gate)
{
  atomic_init(&gate->value, 0);
  atomic_init(&gate->sleepers, 0);
  pthread_mutex_init(&gate->lock, NULL);
  pthread_cond_init(&gate->raised, NULL);
}

void ol_gate_clear(OlGate *gate)
{
  pthread_cond_destroy(&gate->raised);
  pthread_mutex_destroy(&gate->lock);
}

guint64 ol_gate_get(OlGate *gate)
{
  return atomic_load(&gate->value);
}

/* Value first, sleepers second; a sleeper counts itself first and looks at the value second. Both
 * sequentially consistent: one of the two sees the other. */
void ol_gate_raise(OlGate *gate, guint64 value)
{
  guint64 now = atomic_load(&gate->value);
  while (now < value && !atomic_compare_exchange_weak(&gate->value, &now, value))
    ;
  if (atomic_load(&gate->sleepers) > 0) {
    pthread_mutex_lock(&gate->lock);
    pthread_cond_broadcast(&gate->raised);
    pthread_mutex_unlock(&gate->lock);
  }
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void sleep_until(OlGate *gate, guint64 value)
{
  pthread_mutex_lock(&gate->lock);
  atomic_fetch_add(&gate->sleepers, 1);
  while (atomic_load(&gate->value) < value)
    pthread_cond_wait(&gate->raised, &gate->lock);
  atomic_fetch_sub(&gate->sleepers, 1);
  pthread_mutex_unlock(&gate->lock);
}

void ol_gate_wait(OlGate *gate, guint64 value)
{
  if (atomic_load(&gate->value) >= value)
    return;

  gint64 begin_ns = ol_clock_now_ns(), waited_ns = 0;
  while (waited_ns < YIELD_NS) {
    if (waited_ns < SPIN_NS)
      for (int i = 0; i < 32; i++)
        pause_briefly();
    else
      sched_yield();
    if (atomic_load(&gate->value) >= value)
      return;
    waited_ns = ol_clock_now_ns() - begin_ns;
  }
  sleep_until(gate, value);
}
