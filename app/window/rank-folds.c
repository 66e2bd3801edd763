#include "app/window/rank-folds.h"

static const OlChart charts[] = {OL_CHART_MEMORY, OL_CHART_LANES};

void ol_rank_folds_reset(OlRankFolds *folds, guint n_ranks, guint selected)
{
  ol_rank_folds_clear(folds);
  folds->open = g_new0(guint8, n_ranks);
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    folds->by_itself[chart] = -1;
  ol_rank_folds_follow(folds, selected);
}

void ol_rank_folds_clear(OlRankFolds *folds)
{
  g_clear_pointer(&folds->open, g_free);
}

void ol_rank_folds_follow(OlRankFolds *folds, guint rank)
{
  for (guint i = 0; i < G_N_ELEMENTS(charts); i++) {
    int *by_itself = &folds->by_itself[charts[i]];
    guint8 bit = (guint8)(1 << charts[i]);
    if (folds->open[rank] & bit)
      continue;
    if (*by_itself >= 0)
      folds->open[*by_itself] &= (guint8)~bit;
    folds->open[rank] |= bit;
    *by_itself = (int)rank;
  }
}

void ol_rank_folds_toggle(OlRankFolds *folds, OlChart chart, guint rank)
{
  folds->open[rank] ^= (guint8)(1 << chart);
  if (folds->by_itself[chart] == (int)rank)
    folds->by_itself[chart] = -1;
}
