#include "app/window/details-words.h"

#include "app/charts/ties.h"
#include "engine/base/intl.h"
#include <math.h>

static char *dup_marked(const OlChartView *view, gint64 begin, gint64 end)
{
  g_autofree char *from = ol_chart_view_dup_seconds(view, (double)begin / 1e9);
  g_autofree char *to = ol_chart_view_dup_seconds(view, (double)end / 1e9);
  g_autofree char *length = ol_chart_view_dup_seconds(view, (double)(end - begin) / 1e9);

  return g_strdup_printf(_("%s to %s: %s · Enter zooms to it, Home shows the whole run"), from, to,
                         length);
}

/* "Rank 3 · data 1, stage 1 · waits in bubbles for 43 % of a step". */
static char *dup_rank(const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  g_autofree char *name = ol_ranks_dup_name(ranks, view->rank);
  double bubble = ol_trace_index_bubble(view->index, view->rank);

  if (ranks->lengths[OL_RANK_PIPELINE] == 1 || !isfinite(bubble))
    return g_steal_pointer(&name);
  return g_strdup_printf(_("%s · waits in bubbles for %.0f %% of a step"), name, 100 * bubble);
}

char *ol_details_dup_words(const OlChartView *view, gint64 marked_begin, gint64 marked_end)
{
  g_autofree char *rank = NULL;

  if (!view->trace)
    return g_strdup("");
  if (marked_end > marked_begin)
    return dup_marked(view, marked_begin, marked_end);
  if (view->hovered_span >= 0)
    return ol_chart_view_dup_span_details(view, view->hovered_span);
  if (view->ties != NULL && view->ties->is_layer)
    return ol_ties_dup_words(view);
  if (view->selected_span >= 0)
    return ol_chart_view_dup_span_details(view, view->selected_span);
  if (!ol_chart_view_has_ranks(view))
    return g_strjoin(" · ", _("Point at a span or layer, or walk with arrow keys"),
                     _("drag marks, Enter zooms to it"), _("Ctrl+wheel zooms"),
                     _("right click: more"), NULL);
  rank = dup_rank(view);
  return g_strjoin(" · ", rank, _("Page Up and Page Down go to another rank, Space folds it"),
                   NULL);
}
