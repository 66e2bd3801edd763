/* A number that only grows, and that threads can wait for: what streams, events and queues wait at.
 * A wait spins for a moment, yields for a millisecond, then sleeps (design section 4), so that a
 * short wait costs no system call and a long one no processor. Private to engine/device/virtual. */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>

G_BEGIN_DECLS

typedef struct {
  _Atomic guint64 value;
  _Atomic guint sleepers;
  pthread_mutex_t lock;
  pthread_cond_t raised;
} OlGate;

void ol_gate_init(OlGate *gate); /* value 0 */
void ol_gate_clear(OlGate *gate);

/* Sets the value; a lower one than it has is ignored. What the caller wrote before is seen by
 * whoever waited for it. */
void ol_gate_raise(OlGate *gate, guint64 value);

guint64 ol_gate_get(OlGate *gate);

/* Returns once the value is at least `value`. */
void ol_gate_wait(OlGate *gate, guint64 value);

G_END_DECLS
