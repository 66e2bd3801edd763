#include "engine/base/bell.h"

#include "engine/base/clock.h"
#include <sched.h>

/* Ranks, lanes and streams are more than a machine has cores: who spins long keeps the very thread
 * that it waits for from its core. With 2 µs a node costs half of what it does with 20. And with
 * hundreds of threads whoever yields is one more that the scheduler goes round: so for no longer
 * than a sleep and a wake-up cost, which is at most twice the shortest wait there could be. */
#define SPIN_NS    2000
#define YIELD_NS   100000
#define NO_TIMEOUT G_MAXINT64

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

static int wait_once(OlBell *bell, gint64 until_ns)
{
  if (until_ns == NO_TIMEOUT)
    return pthread_cond_wait(&bell->rung, &bell->lock);
  struct timespec time = {until_ns / OL_NS_PER_SECOND, until_ns % OL_NS_PER_SECOND};
  return pthread_cond_timedwait(&bell->rung, &bell->lock, &time);
}

/* A ring that comes between ready() and the wait is not lost: the sleeper has counted itself before
 * it looks, and whoever rings takes the lock when it sees a sleeper. Both sequentially consistent:
 * one of the two sees the other. */
static gboolean sleep_until(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data,
                            gint64 until_ns)
{
  int rc = 0;
  gboolean is_ready;

  pthread_mutex_lock(&bell->lock);
  atomic_fetch_add(&bell->sleepers, 1);
  while (!(is_ready = ready(data)) && rc == 0)
    rc = wait_once(bell, until_ns);
  atomic_fetch_sub(&bell->sleepers, 1);
  pthread_mutex_unlock(&bell->lock);
  return is_ready;
}

gboolean ol_bell_sleep(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data,
                       gint64 timeout_ns)
{
  return sleep_until(bell, ready, data, ol_clock_now_ns() + timeout_ns);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void ol_bell_wait(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data)
{
  if (ready(data))
    return;
  gint64 begin = ol_clock_now_ns();
  for (gint64 passed = 0; passed < YIELD_NS; passed = ol_clock_now_ns() - begin) {
    if (passed > SPIN_NS)
      sched_yield();
    else
      for (int i = 0; i < 32; i++)
        pause_briefly();
    if (ready(data))
      return;
  }
  sleep_until(bell, ready, data, NO_TIMEOUT);
}

void ol_bell_ring(OlBell *bell)
{
  if (atomic_load(&bell->sleepers) == 0)
    return;
  pthread_mutex_lock(&bell->lock);
  pthread_cond_broadcast(&bell->rung);
  pthread_mutex_unlock(&bell->lock);
}
