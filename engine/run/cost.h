/* What a node costs: modelled on the named hardware (design section 4), and really, on this
 * machine.
 *
 * Modelled seconds, before the slow-down: a copy bytes / link; a host update 28 B a parameter over
 * host memory (bounded by threads × rate a thread); a GPU update the same over its own memory;
 * compute the larger of κ · flops / (peak · utilisation) and bytes touched / GPU memory; each plus
 * latency / µ. */
#pragma once

#include "engine/plan/plan.h"
#include "engine/run/calibration.h"

G_BEGIN_DECLS

typedef struct {
  guint n;          /* nodes */
  double *modelled; /* seconds at slow-down 1; fill and hash nodes are 0 */
  double *real;     /* seconds of real work on this machine; NULL without a calibration */
} OlCosts;

/* `calibration` may be NULL. */
OlCosts *ol_costs_new(const OlPlan *plan, const OlMachine *machine,
                      const OlCalibration *calibration);
void ol_costs_free(OlCosts *costs);

/* A node's duration in ns here: modelled × slow-down, or (slowdown NAN: the machine's clock) its
 * real cost. */
gint64 ol_costs_ns(const OlCosts *costs, guint node, double slowdown);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlCosts, ol_costs_free)

G_END_DECLS
