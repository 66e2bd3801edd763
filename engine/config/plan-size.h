/* How large a config's plan is, told before it is made: so that one which would not fit in memory
 * is refused in words. */
#pragma once

#include "engine/config/run-config.h"

G_BEGIN_DECLS

/* What a plan and its simulated step may take. */
#define OL_PLAN_SIZE_MOST_BYTES ((double)(G_GUINT64_CONSTANT(2) << 30))

/* At least the bytes that the plan of a config and the times of its nodes take. */
double ol_plan_size_bytes(const OlRunConfig *config);

G_END_DECLS
