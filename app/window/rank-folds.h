/* Which ranks' groups are unfolded in the time charts. The selected rank's is, by itself; what a
 * hand folds or unfolds stays so. Plain data. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef struct {
  guint8 *open;               /* [n], as OlChartView.open_ranks has it */
  int by_itself[OL_N_CHARTS]; /* the rank that was unfolded because it was selected, or -1 */
} OlRankFolds;

/* For a run with so many ranks, of which this one is selected. */
void ol_rank_folds_reset(OlRankFolds *folds, guint n_ranks, guint selected);
void ol_rank_folds_clear(OlRankFolds *folds);

/* Unfolds a rank that is now selected; the one selected before folds again. */
void ol_rank_folds_follow(OlRankFolds *folds, guint rank);
/* A hand folds or unfolds a rank in one chart. */
void ol_rank_folds_toggle(OlRankFolds *folds, OlChart chart, guint rank);

G_END_DECLS
