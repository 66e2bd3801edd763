/* The limit of an update: the bytes of one, with next to no arithmetic. */
#pragma once

#include "engine/optimizer/adam.h"

G_BEGIN_DECLS

/* Reads gradient and states, changes the states and writes the weights of `span`: 28 B a parameter
 * with a bf16 gradient, in one pass, with the same prefetch and streaming store as the update. */
void ol_bench_traffic(const OlAdamSpan *span);

G_END_DECLS
