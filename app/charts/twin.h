/* The same work in another run: what is selected in one of two compared runs is looked for in the
 * other. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* The span of `other` that does what a span of `run` does, in the same step: of the same rank,
 * lane, op, unit and micro-batch; where a step does it several times, as many of them come before
 * it. -1 when there is none. */
int ol_twin_find(const OlPinnedRun *run, int span, const OlPinnedRun *other);

G_END_DECLS
