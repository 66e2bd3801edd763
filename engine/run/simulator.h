/* The second driver of a plan: the same graph in virtual time. */
#pragma once

#include "engine/plan/plan.h"
#include "engine/run/cost.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* A simulated trace of all the config's steps at slow-down `slowdown` (scale clock), or of the real
 * costs (machine clock, slowdown NAN; costs->real needed). A plan that does not fit ends out of
 * memory at the node that was refused. */
OlTrace *ol_simulate(const OlPlan *plan, const OlMachine *machine, const OlCosts *costs,
                     double slowdown);

/* Seconds a step of this plan (mean over all but the first), without making a trace. */
double ol_simulate_step_seconds(const OlPlan *plan, const OlCosts *costs, double slowdown);

G_END_DECLS
