/* What an update is held against: its bytes with next to no arithmetic, and the casts that an
 * update without bf16 needs before and after. */
#pragma once

#include "engine/optimizer/adam.h"

G_BEGIN_DECLS

/* Reads gradient and states, changes the states and writes the weights of `span`: 28 B a parameter
 * with a bf16 gradient, in one pass, with the same prefetch and streaming store as the update. */
void ol_bench_traffic(const OlAdamSpan *span);

/* [n] each. */
void ol_bench_cast_up(const uint16_t *source, float *target, gsize n);
void ol_bench_cast_out(const float *source, uint16_t *target, gsize n);

G_END_DECLS
