/* What a run must agree with: its plan's bytes, the simulator's figures, and the numbers of another
 * run of the same arithmetic. Each check appends a line for a fault, and nothing when there is
 * none. */
#pragma once

#include "engine/run/run.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

/* The figure at `path`; absent is 0: nothing lies there. */
void check_number(const OlMetrics *metrics, const char *path, guint64 expected, GString *faults);

/* Every payload's peak, their total and the arena of each tier. */
void check_peaks(const OlPlan *plan, const OlMetrics *metrics, GString *faults);

/* Every figure about bytes is the simulator's, and the other way round. */
void check_simulation(OlRun *run, const OlMetrics *of_run, GString *faults);

/* Every node ran as often as it is planned, and moved the bytes that it is planned to. */
void check_spans(const OlPlan *plan, const OlTrace *trace, GString *faults);

/* What the runs of one group must end with. */
typedef struct {
  char *hash;
  GArray *steps; /* OlStep */
} Right;

Right *right_new(OlRun *run); /* which must have ended well */
void right_free(gpointer right);
void check_right(const OlTrace *trace, const Right *right, GString *faults);

G_END_DECLS
