/* Configs of many ranks, and their plans: the legal ones of all grids × ZeRO × schedules ×
 * micro-batches × placements × ways to overlap, recompute and clip. */
#pragma once

#include "engine/plan/plan.h"

G_BEGIN_DECLS

/* How many there are, legal or not. */
guint rank_table_size(void);
/* Visit every n-th: prime to the counts of values, so that each value meets each. 1 with
 * OFFLOAD_LAB_LONG. */
guint rank_table_stride(guint stride);

/* NULL when it is not legal. `more`, which ends with NULL, is set on top; NULL: nothing. `words`
 * is what it sets; caller frees. */
OlRunConfig *rank_table_dup_config(guint i, const char *const *more, char **words);

typedef struct {
  char *words; /* what it sets */
  OlRunConfig *config;
  OlMachine *machine;
  OlPlan *plan;
} RankPlan;

/* FALSE when it is not legal. */
gboolean rank_plan_open(RankPlan *fixture, guint i, const char *const *more);
/* The same of assignments alone, which must be legal. */
void rank_plan_open_set(RankPlan *fixture, const char *const *set);
void rank_plan_close(RankPlan *fixture);

/* What a plan's arrays take, and what the simulator keeps of each node: its cost, its newest due
 * and the one before. */
guint64 rank_plan_bytes(const OlPlan *plan);

gboolean rank_plan_computes(const OlPlan *plan, guint rank, guint unit);
/* The units that a rank with one chunk computes: first … end - 1. */
void rank_plan_units(const OlPlan *plan, guint rank, guint *first, guint *end);

G_END_DECLS
