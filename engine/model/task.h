/* Training data. `sums` is generated: each sample is a line of sums such as "17+25=42", cut to the
 * sequence length. Sample i of step t is a function of (seed, t, global i) alone. */
#pragma once

#include "engine/config/run-config.h"
#include <stdint.h>

G_BEGIN_DECLS

/* Token ids used by `sums`; config.model.vocabulary must be at least this. */
#define OL_TASK_SUMS_VOCABULARY 16

/* Writes one sample: inputs and targets: [sequence], targets one ahead. */
void ol_task_sums_sample(guint64 seed, guint step, guint64 sample, guint sequence, int32_t *inputs,
                         int32_t *targets);

/* A uniformly random number that depends on (seed, name, step, sample) alone. */
guint64 ol_task_random(guint64 seed, const char *name, guint step, guint64 sample);

/* A standard-normal value that depends on (seed, name, index) alone: a counter-based generator,
 * so that any slice of a tensor can be made anywhere. Same bits on every build. */
float ol_task_initial_normal(guint64 seed, const char *tensor, guint64 index);

G_END_DECLS
