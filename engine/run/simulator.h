/* The second driver of a plan: the same graph in virtual time. */
#pragma once

#include "engine/base/watch.h"
#include "engine/plan/plan.h"
#include "engine/run/cost.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* A simulated trace of all the config's steps at slow-down `slowdown` (scale clock), or of the real
 * costs (machine clock, slowdown NAN; costs->real needed). A plan that does not fit ends out of
 * memory at the node that was refused. */
OlTrace *ol_simulate(const OlPlan *plan, const OlMachine *machine, const OlCosts *costs,
                     double slowdown);

/* The same with somebody who looks on: NULL with OL_ERROR_STOPPED when it is to stop. */
OlTrace *ol_simulate_watched(const OlPlan *plan, const OlMachine *machine, const OlCosts *costs,
                             double slowdown, const OlWatch *watch, GError **error);

/* Seconds a step of this plan (mean over all but the first), without making a trace. */
double ol_simulate_step_seconds(const OlPlan *plan, const OlCosts *costs, double slowdown);

G_END_DECLS
