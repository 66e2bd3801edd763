/* Where threads wait for a change. Whoever waits looks, finds that it has to wait, and waits until
 * the gate was opened after that look; so no opening is lost.
 *
 * A wait spins for tens of µs, yields for a millisecond, then sleeps. Where more ranks than cores
 * meet it does not spin: what it waits for may need the core that it spins on. */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  gboolean spins;
  atomic_uint openings;
  atomic_uint sleepers;
  pthread_mutex_t lock; /* of the sleep alone */
  pthread_cond_t opened;
} OlCommGate;

void ol_comm_gate_init(OlCommGate *gate, gboolean spins);
void ol_comm_gate_clear(OlCommGate *gate);

static inline guint ol_comm_gate_look(OlCommGate *gate)
{
  return atomic_load(&gate->openings);
}

/* Returns once the gate was opened after the look that gave `seen`. */
void ol_comm_gate_wait(OlCommGate *gate, guint seen);

/* What was written before it is seen by whoever it lets through. */
void ol_comm_gate_open(OlCommGate *gate);
