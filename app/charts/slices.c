#include "app/charts/slices.h"

#include "engine/base/intl.h"

/* Sizes in widths of the model. */
static const struct {
  const char *name;
  guint rows, columns;
  gboolean by_rows;
  guint bands;
} matrices[OL_N_MATRICES] = {
    [OL_MATRIX_QKV] = {"qkv", 3, 1, TRUE, 3},
    [OL_MATRIX_PROJECTION] = {"projection", 1, 1, FALSE, 1},
    [OL_MATRIX_EXPAND] = {"expand", 4, 1, TRUE, 1},
    [OL_MATRIX_CONTRACT] = {"contract", 1, 4, FALSE, 1},
};

gboolean ol_slices_are_there(const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  return ranks->lengths[OL_RANK_TENSOR] > 1 && ranks->width > 0;
}

void ol_sliced_matrix_init(OlSlicedMatrix *matrix, const OlChartView *view, OlMatrix which)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  *matrix = (OlSlicedMatrix){.name = matrices[which].name,
                             .rows = matrices[which].rows * ranks->width,
                             .columns = matrices[which].columns * ranks->width,
                             .by_rows = matrices[which].by_rows,
                             .bands = matrices[which].bands,
                             .slices = ranks->lengths[OL_RANK_TENSOR],
                             .slice = ol_ranks_place(ranks, view->rank, OL_RANK_TENSOR)};
  guint cut = matrix->by_rows ? matrix->rows : matrix->columns;
  guint each = MAX(cut / matrix->bands / matrix->slices, 1);
  matrix->first = matrix->slice * each;
  matrix->last = matrix->first + each - 1;
}

char *ol_sliced_matrix_dup_held(const OlSlicedMatrix *matrix)
{
  return g_strdup_printf("1/%u: %s %u–%u%s", matrix->slices,
                         matrix->by_rows ? _("rows") : _("columns"), matrix->first, matrix->last,
                         matrix->bands > 1 ? _(" of q, k, v") : "");
}

char *ol_sliced_matrix_dup_name(const OlSlicedMatrix *matrix)
{
  return g_strdup_printf("%s [%u][%u]", matrix->name, matrix->rows, matrix->columns);
}
