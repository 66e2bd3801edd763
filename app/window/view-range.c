#include "app/window/view-range.h"

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

void ol_view_set_range(OlChartView *view, gint64 begin_ns, gint64 length_ns)
{
  gint64 last, margin, length;

  if (!view->trace)
    return;
  last = MAX(ol_trace_index_end_ns(view->index), SHORTEST_NS);
  margin = (gint64)((double)last * MARGIN);
  length = CLAMP(length_ns, SHORTEST_NS, last + margin);
  view->begin_ns = CLAMP(begin_ns, 0, MAX(last + margin - length, 0));
  view->end_ns = view->begin_ns + length;
}
