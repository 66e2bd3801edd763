#include "engine/run/bell.h"

#include "engine/base/clock.h"
#include <sched.h>

/* Lanes and streams are more than a small machine has cores: who spins long keeps the very thread
 * that it waits for from its core. With 2 µs a node costs half of what it does with 20. */
#define SPIN_NS  2000
#define YIELD_NS 1000000

void ol_bell_init(OlBell *bell)
{
  pthread_condattr_t attributes;
  pthread_mutex_init(&bell->lock, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&bell->rung, &attributes);
  pthread_condattr_destroy(&attributes);
  atomic_init(&bell->sleepers, 0);
}

void ol_bell_clear(OlBell *bell)
{
  pthread_cond_destroy(&bell->rung);
  pthread_mutex_destroy(&bell->lock);
}

/* A ring that comes between ready() and the wait is not lost: the sleeper has counted itself before
 * it looks, and whoever rings takes the lock when it sees a sleeper. */
gboolean ol_bell_sleep(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data,
                       gint64 timeout_ns)
{
  gint64 until = ol_clock_now_ns() + timeout_ns;
  struct timespec time = {until / OL_NS_PER_SECOND, until % OL_NS_PER_SECOND};
  int rc = 0;
  gboolean is_ready;

  pthread_mutex_lock(&bell->lock);
  atomic_fetch_add(&bell->sleepers, 1);
  while (!(is_ready = ready(data)) && rc == 0)
    rc = pthread_cond_timedwait(&bell->rung, &bell->lock, &time);
  atomic_fetch_sub(&bell->sleepers, 1);
  pthread_mutex_unlock(&bell->lock);
  return is_ready;
}

void ol_bell_wait(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data)
{
  gint64 begin = ol_clock_now_ns();
  for (gint64 passed = 0; passed < YIELD_NS; passed = ol_clock_now_ns() - begin) {
    if (ready(data))
      return;
    if (passed > SPIN_NS)
      sched_yield();
  }
  while (!ol_bell_sleep(bell, ready, data, OL_NS_PER_SECOND))
    ;
}

void ol_bell_ring(OlBell *bell)
{
  if (atomic_load(&bell->sleepers) == 0)
    return;
  pthread_mutex_lock(&bell->lock);
  pthread_cond_broadcast(&bell->rung);
  pthread_mutex_unlock(&bell->lock);
}
