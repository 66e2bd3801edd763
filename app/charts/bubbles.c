#include "app/charts/bubbles.h"

#define NARROWEST      0.5
#define NARROWEST_STEP 2.0 /* steps narrower than this show no idle parts */

static void add_idle(GArray *bubbles, const OlPlot *plot, gint64 begin_ns, gint64 end_ns)
{
  OlBubble bubble = {MAX(ol_plot_x(plot, begin_ns), plot->left),
                     MIN(ol_plot_x(plot, end_ns), plot->right)};
  if (bubble.x1 - bubble.x0 >= NARROWEST)
    g_array_append_val(bubbles, bubble);
}

/* The first entry of the compute lane that can be seen at or after a moment. */
static guint next_after(const OlChartView *view, gint64 time_ns)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, OL_LANE_COMPUTE, time_ns, G_MAXINT64, &first, &n);
  return first;
}

/* The idle parts of one window. Spans narrower than half a unit are stepped over by searches, so
 * that the cost depends on the width. */
static void add_window(GArray *bubbles, const OlChartView *view, const OlPlot *plot,
                       gint64 begin_ns, gint64 end_ns)
{
  double per_unit = (double)(plot->end_ns - plot->begin_ns) / MAX(plot->right - plot->left, 1);
  gint64 least_ns = (gint64)(NARROWEST * per_unit);
  guint count = ol_trace_index_lane_count(view->index, view->rank, OL_LANE_COMPUTE);
  gint64 at = begin_ns;
  for (guint i = next_after(view, begin_ns); i < count && at < end_ns;) {
    const OlSpan *span = ol_trace_span(
        view->trace, ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, i));
    if (span->begin_ns >= end_ns)
      break;
    add_idle(bubbles, plot, at, span->begin_ns);
    at = MAX(at, span->end_ns);
    if (span->end_ns - span->begin_ns >= least_ns) {
      i++;
      continue;
    }
    /* A crowd of narrow ones counts as busy as far as it reaches. */
    guint next = next_after(view, span->begin_ns + least_ns);
    at = MAX(at, MIN(span->begin_ns + least_ns, end_ns));
    i = MAX(next, i + 1);
  }
  add_idle(bubbles, plot, at, end_ns);
}

static gboolean find_window(const OlChartView *view, guint i, OlBubbleWindow *window)
{
  const OlStep *step = ol_trace_step(view->trace, i);
  if (ol_chart_view_get_ranks(view)->lengths[OL_RANK_PIPELINE] > 1)
    return ol_trace_index_bubble_window(view->index, i, window);
  window->begin_ns = step->begin_ns;
  window->end_ns = step->end_ns;
  return TRUE;
}

GArray *ol_bubbles_new(const OlChartView *view, const OlPlot *plot)
{
  GArray *bubbles = g_array_new(FALSE, FALSE, sizeof(OlBubble));
  guint i = ol_plot_first_step(view->trace, plot->begin_ns);
  for (; i < view->trace->steps->len; i++) {
    OlBubbleWindow window;
    if (ol_trace_step(view->trace, i)->begin_ns >= plot->end_ns)
      break;
    if (!find_window(view, i, &window))
      continue;
    gint64 begin_ns = MAX(window.begin_ns, plot->begin_ns);
    gint64 end_ns = MIN(window.end_ns, plot->end_ns);
    if (ol_plot_x(plot, end_ns) - ol_plot_x(plot, begin_ns) >= NARROWEST_STEP)
      add_window(bubbles, view, plot, begin_ns, end_ns);
  }
  return bubbles;
}

static OlColour ground_colour(const OlCanvas *canvas)
{
  return ol_colour_mix(ol_style_background(canvas->style), ol_style_line(canvas->style), 0.55);
}

static OlColour hatch_colour(const OlCanvas *canvas)
{
  return ol_colour_with_alpha(ol_style_text(canvas->style),
                              canvas->style->high_contrast ? 0.8 : 0.42);
}

/* All in two strokes, for speed. */
void ol_bubbles_draw(OlCanvas *canvas, const OlPlot *plot, double top, double height)
{
  g_autoptr(GArray) bubbles = ol_bubbles_new(canvas->view, plot);
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < bubbles->len; i++) {
    const OlBubble *bubble = &g_array_index(bubbles, OlBubble, i);
    cairo_rectangle(canvas->cairo, bubble->x0, top, bubble->x1 - bubble->x0, height);
  }
  ol_paint_set(canvas, ground_colour(canvas));
  cairo_fill(canvas->cairo);
  for (guint i = 0; i < bubbles->len; i++) {
    const OlBubble *bubble = &g_array_index(bubbles, OlBubble, i);
    ol_paint_add_hatch(canvas, (OlBox){bubble->x0, top, bubble->x1 - bubble->x0, height},
                       OL_HATCH_FALLING);
  }
  ol_paint_stroke_hatch(canvas, hatch_colour(canvas));
}

void ol_bubbles_paint(OlCanvas *canvas, OlBox box)
{
  ol_paint_fill(canvas, box, 0, ground_colour(canvas));
  ol_paint_hatch(canvas, box, OL_HATCH_FALLING, hatch_colour(canvas));
}
