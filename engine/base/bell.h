/* How threads wait for each other here (design section 4): look, spin for a moment, yield for about
 * as long as going to sleep and being woken costs, then sleep until the bell rings. pthread and C11
 * atomics only: sanitizers misread GLib's locks. */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>

G_BEGIN_DECLS

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t rung;
  atomic_int sleepers;
} OlBell;

void ol_bell_init(OlBell *bell);
void ol_bell_clear(OlBell *bell);

/* Returns when ready(data) is TRUE. What it reads must be atomic, written before a ring. */
void ol_bell_wait(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data);

/* The same, without a spin, for at most `timeout_ns`: whether it is ready. */
gboolean ol_bell_sleep(OlBell *bell, gboolean (*ready)(gconstpointer data), gconstpointer data,
                       gint64 timeout_ns);

/* Wakes who sleeps there; costs no system call when nobody does. */
void ol_bell_ring(OlBell *bell);

G_END_DECLS
