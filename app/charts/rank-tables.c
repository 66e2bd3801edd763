/* The twins in figures of the grid of ranks and of the sliced matrices. */
#include "app/charts/chart-table-private.h"
#include "app/charts/moment.h"
#include "app/charts/slices.h"
#include "engine/base/intl.h"

/* Which of its groups the selected rank shares with this one. */
static const char *shared_words(const OlRanks *ranks, guint selected, guint rank)
{
  int axis = ol_ranks_shared_axis(ranks, selected, rank);
  if (rank == selected)
    return _("selected");
  return axis >= 0 ? ol_rank_axis_group((OlRankAxis)axis) : _("no group");
}

void ol_table_add_ranks_rows(GPtrArray *rows, const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  double sight = (double)MAX(view->end_ns - view->begin_ns, 1);
  for (guint rank = 0; rank < ranks->n; rank++) {
    g_autofree char *name = g_strdup_printf("%u", rank);
    gint64 when, peak = ol_trace_index_peak(view->index, rank, OL_TIER_GPU, &when);
    gint64 busy =
        ol_trace_index_busy(view->index, rank, OL_LANE_COMPUTE, view->begin_ns, view->end_ns);
    OlTableRow *row = ol_table_add_row(rows, name);
    for (int axis = 0; axis < OL_N_RANK_AXES; axis++)
      if (ranks->is_known)
        ol_table_put_count(row, 1 + axis, ol_ranks_place(ranks, rank, (OlRankAxis)axis));
      else
        row->cells[1 + axis] = g_strdup(_("unknown"));
    row->cells[4] = g_strdup(shared_words(ranks, view->rank, rank));
    ol_table_put_bytes(row, 5, view, (double)peak);
    ol_table_put_share(row, 6, (double)busy / sight);
    ol_table_put_share(row, 7, ol_trace_index_bubble(view->index, rank));
  }
}

void ol_table_add_slices_rows(GPtrArray *rows, const OlChartView *view)
{
  if (!ol_slices_are_there(view))
    return;
  for (int m = 0; m < OL_N_MATRICES; m++) {
    OlSlicedMatrix matrix;
    ol_sliced_matrix_init(&matrix, view, (OlMatrix)m);
    OlTableRow *row = ol_table_add_row(rows, matrix.name);
    ol_table_put_count(row, 1, matrix.rows);
    ol_table_put_count(row, 2, matrix.columns);
    row->cells[3] = g_strdup(matrix.by_rows ? _("outputs") : _("inputs"));
    row->cells[4] = ol_sliced_matrix_dup_held(&matrix);
  }
}
