/* Time in which a run was held, taken out of its trace: a learner who thinks for ten seconds
 * between two nodes of 50 ms would else see specks. While a run is held one node runs at a time,
 * so that whatever no lane runs in is held time. Such runs tell no times anyway. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  guint n_spans, n_changes, n_steps; /* of the trace, already looked at */
  gint64 newest_ns;                  /* latest moment, held time taken out */
  gboolean was_held;                 /* until something has happened since */
  GArray *cuts;
} OlHeldTime;

void ol_held_time_init(OlHeldTime *held);
void ol_held_time_clear(OlHeldTime *held); /* frees */

/* Moves what has come to the trace since the last call. To be called whether or not the run is held
 * at the moment: what comes later moves by what was taken out before. */
void ol_held_time_cut(OlHeldTime *held, OlTrace *trace, gboolean is_held);

G_END_DECLS
