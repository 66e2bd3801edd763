#include "app/charts/pinned.h"

#include <math.h>

/* The first step of the shown run that begins in sight, else the last that began before. */
static int find_step_in_sight(const OlChartView *view)
{
  const GArray *steps = view->trace->steps;
  int found = -1;
  for (guint i = 0; i < steps->len; i++) {
    found = (int)i;
    if (ol_trace_step(view->trace, i)->begin_ns >= view->begin_ns)
      break;
  }
  return found;
}

int ol_pinned_step(const OlChartView *view)
{
  if (view->pinned == NULL || view->trace == NULL)
    return -1;
  int last = (int)view->pinned->trace->steps->len - 1;
  return MIN(find_step_in_sight(view), last);
}

gint64 ol_pinned_offset_ns(const OlChartView *view)
{
  int step = ol_pinned_step(view);
  if (step < 0)
    return 0;
  return ol_trace_step(view->trace, (guint)step)->begin_ns -
         ol_trace_step(view->pinned->trace, (guint)step)->begin_ns;
}

gint64 ol_pinned_end_ns(const OlChartView *view)
{
  if (view->pinned == NULL || !ol_pinned_has_same_scale(view))
    return 0;
  return ol_trace_index_end_ns(view->pinned->index) + ol_pinned_offset_ns(view);
}

OlChartView ol_pinned_view(const OlChartView *view, OlPinnedRun *back)
{
  const OlPinnedRun *pinned = view->pinned;
  gint64 offset = ol_pinned_offset_ns(view);
  OlChartView other = *view;
  *back = (OlPinnedRun){.trace = view->trace, .index = view->index, .name = ""};
  other.trace = pinned->trace;
  other.index = pinned->index;
  other.pinned = view->trace != NULL ? back : NULL;
  other.begin_ns -= offset;
  other.end_ns -= offset;
  other.cursor_ns = view->cursor_ns >= 0 ? MAX(view->cursor_ns - offset, -1) : -1;
  other.selected_span = other.hovered_span = -1;
  other.ties = NULL;
  other.critical = NULL;
  other.is_stepping = FALSE;
  other.rank = MIN(view->rank, pinned->trace->graph->n_ranks - 1);
  if (view->trace == NULL || pinned->trace->graph->n_ranks != view->trace->graph->n_ranks)
    other.open_ranks = NULL;
  return other;
}

gint64 ol_pinned_peak(const OlChartView *view, OlTier tier)
{
  gint64 when;
  if (view->pinned == NULL || view->rank >= view->pinned->trace->graph->n_ranks)
    return 0;
  return ol_trace_index_peak(view->pinned->index, view->rank, tier, &when);
}

static gboolean is_alike(double one, double other)
{
  return (!isfinite(one) && !isfinite(other)) || fabs(one - other) <= 1e-9 * fabs(one);
}

gboolean ol_pinned_has_same_scale(const OlChartView *view)
{
  if (view->pinned == NULL || view->trace == NULL)
    return TRUE;
  const OlTraceHeader *one = &view->trace->header, *other = &view->pinned->trace->header;
  return is_alike(one->mu, other->mu) && is_alike(one->slowdown, other->slowdown);
}
