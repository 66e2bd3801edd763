/* The arithmetic of a collective: a sum over members, in their order. */
#pragma once

#include "engine/device/device.h"

/* target: [count] = Σ sources[k][first … first + count - 1] over k = 0 … n_sources - 1, in fp32 in
 * that order, rounded once to `target_dtype`. The target may be that part of any one source when
 * both types are alike. */
void ol_comm_sum(const void *const *sources, guint n_sources, gsize first, gsize count,
                 OlDtype dtype, void *target, OlDtype target_dtype);
