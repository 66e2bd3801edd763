/* The empty trace that a run or a simulation of a plan begins with: header, graph and the facts
 * that no span tells ("arena.<tier>", "tokens.per_step"). */
#pragma once

#include "engine/plan/plan.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* slowdown NAN: the machine's clock. Caller owns. */
OlTrace *ol_begin_trace(OlSource source, const OlPlan *plan, const OlMachine *machine,
                        double slowdown);

/* Ends `trace` with the plan's refusal: message and table. */
void ol_end_trace_refused(OlTrace *trace, const OlPlan *plan);

G_END_DECLS
