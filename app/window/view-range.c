#include "app/window/view-range.h"

#include "app/charts/pinned.h"

#define SHORTEST_NS   2000 /* of a visible range */
#define STEPS_IN_VIEW 2    /* two alike show what every step is */
#define MARGIN        0.03 /* of the range, after the newest moment */
#define NEXT_MARGIN   0.12 /* while the node about to run stands there */

void ol_view_fit_steps(OlChartView *view)
{
  const OlTrace *trace = view->trace;
  guint n = trace->steps->len;

  view->begin_ns = 0;
  view->end_ns = MAX(ol_trace_index_end_ns(view->index), SHORTEST_NS);
  if (n > STEPS_IN_VIEW) {
    view->begin_ns = ol_trace_step(trace, n - STEPS_IN_VIEW)->begin_ns;
    view->end_ns = MAX(ol_trace_step(trace, n - 1)->end_ns, view->begin_ns + SHORTEST_NS);
  }
}

void ol_view_follow(OlChartView *view)
{
  const OlTrace *trace = view->trace;
  gint64 newest = ol_trace_index_end_ns(view->index), length = MAX(newest, OL_VIEW_FIRST_SIGHT_NS);

  if (trace->steps->len > 0) {
    const OlStep *last = ol_trace_step(trace, trace->steps->len - 1);
    length = MAX((last->end_ns - last->begin_ns) * STEPS_IN_VIEW, SHORTEST_NS);
  }
  view->end_ns = MAX(newest, view->is_stepping ? 0 : length) +
                 (gint64)((double)length * (view->is_stepping ? NEXT_MARGIN : MARGIN));
  view->end_ns = MAX(view->end_ns, length);
  view->begin_ns = MAX(view->end_ns - length, 0);
}

/* Nothing lies beyond, of neither run when the range begins there. */
static gint64 get_limit(const OlChartView *view, gint64 begin_ns)
{
  OlChartView from = *view;
  gint64 last = MAX(ol_trace_index_end_ns(view->index), SHORTEST_NS);

  from.begin_ns = MAX(begin_ns, 0);
  last = MAX(last, ol_pinned_end_ns(&from));
  return last + (gint64)((double)last * MARGIN);
}

void ol_view_set_range(OlChartView *view, gint64 begin_ns, gint64 length_ns)
{
  gint64 limit, length;

  if (!view->trace)
    return;
  limit = get_limit(view, begin_ns);
  length = CLAMP(length_ns, SHORTEST_NS, limit);
  view->begin_ns = CLAMP(begin_ns, 0, limit - length);
  view->end_ns = view->begin_ns + length;
}

OlViewGrip ol_view_take(const OlChartView *view, gint64 at_ns)
{
  return (OlViewGrip){at_ns, view->end_ns - view->begin_ns};
}

void ol_view_move(OlChartView *view, const OlViewGrip *grip, double share, double spread)
{
  double length;

  if (!view->trace || !(spread > 0))
    return;
  /* First the length that will be: at either end of zooming the held moment must not slip. */
  length =
      CLAMP((double)grip->length_ns / spread, SHORTEST_NS, (double)get_limit(view, view->begin_ns));
  ol_view_set_range(view, grip->at_ns - (gint64)(share * length), (gint64)length);
}
