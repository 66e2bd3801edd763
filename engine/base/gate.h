/* A number that only grows, and that threads can wait for: what streams, events, queues and ranks
 * wait at. */
#pragma once

#include "engine/base/bell.h"

G_BEGIN_DECLS

typedef struct {
  _Atomic guint64 value;
  OlBell bell;
} OlGate;

void ol_gate_init(OlGate *gate); /* value 0 */
void ol_gate_clear(OlGate *gate);

/* Sets the value; a lower one than it has is ignored. What the caller wrote before is seen by
 * whoever waited for it. */
void ol_gate_raise(OlGate *gate, guint64 value);

/* Raises it by one. */
void ol_gate_step(OlGate *gate);

guint64 ol_gate_get(OlGate *gate);

/* Returns once the value is at least `value`. */
void ol_gate_wait(OlGate *gate, guint64 value);

G_END_DECLS
