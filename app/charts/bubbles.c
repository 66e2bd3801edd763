#include "app/charts/bubbles.h"

#include <math.h>

#define NARROWEST      0.5
#define NARROWEST_STEP 2.0 /* steps narrower than this show no idle parts */

/* Of a pipeline a step's window is narrower than the step. */
static gboolean has_stages(const OlChartView *view)
{
  return ol_chart_view_get_ranks(view)->lengths[OL_RANK_PIPELINE] > 1;
}

static gboolean find_window(const OlChartView *view, guint i, OlBubbleWindow *window)
{
  const OlStep *step = ol_trace_step(view->trace, i);
  if (has_stages(view))
    return ol_trace_index_bubble_window(view->index, i, window);
  window->begin_ns = step->begin_ns;
  window->end_ns = step->end_ns;
  return TRUE;
}

GArray *ol_bubbles_windows_new(const OlChartView *view, gint64 begin_ns, gint64 end_ns)
{
  GArray *windows = g_array_new(FALSE, FALSE, sizeof(OlBubbleWindow));
  guint i = ol_plot_first_step(view->trace, begin_ns);
  for (; i < view->trace->steps->len && ol_trace_step(view->trace, i)->begin_ns < end_ns; i++) {
    OlBubbleWindow window;
    if (!find_window(view, i, &window))
      continue;
    window.begin_ns = MAX(window.begin_ns, begin_ns);
    window.end_ns = MIN(window.end_ns, end_ns);
    if (window.end_ns <= window.begin_ns)
      continue;
    g_array_append_val(windows, window);
    begin_ns = window.end_ns; /* what lies in two steps counts once */
  }
  return windows;
}

static gint64 busy_in(const OlChartView *view, gint64 begin_ns, gint64 end_ns)
{
  return ol_trace_index_busy(view->index, view->rank, OL_LANE_COMPUTE, begin_ns, end_ns);
}

/* Between steps nothing is computed, so where windows are steps one look is enough for all of them:
 * a frame must not cost more for more steps. */
double ol_bubbles_share(const OlChartView *view)
{
  g_autoptr(GArray) windows = ol_bubbles_windows_new(view, view->begin_ns, view->end_ns);
  const OlBubbleWindow *window = (const OlBubbleWindow *)windows->data;
  gboolean apart = has_stages(view);
  gint64 busy = 0, all = 0;
  for (guint i = 0; i < windows->len; i++) {
    all += window[i].end_ns - window[i].begin_ns;
    if (apart)
      busy += busy_in(view, window[i].begin_ns, window[i].end_ns);
  }
  if (!apart && windows->len > 0)
    busy = MIN(busy_in(view, window[0].begin_ns, window[windows->len - 1].end_ns), all);
  return all > 0 ? 1 - (double)busy / (double)all : NAN;
}

/* The first entry of the compute lane that can be seen at or after a moment. */
static guint next_after(const OlChartView *view, gint64 time_ns)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, OL_LANE_COMPUTE, time_ns, G_MAXINT64, &first, &n);
  return first;
}

static void add_idle(GArray *idle, gint64 begin_ns, gint64 end_ns)
{
  OlBubbleWindow stretch = {begin_ns, end_ns};
  if (end_ns > begin_ns)
    g_array_append_val(idle, stretch);
}

/* The idle parts of one window. Spans shorter than `least_ns` are stepped over by searches, so that
 * the cost depends on how many of these the window has room for. */
static void add_window(GArray *idle, const OlChartView *view, const OlBubbleWindow *window,
                       gint64 least_ns)
{
  guint count = ol_trace_index_lane_count(view->index, view->rank, OL_LANE_COMPUTE);
  gint64 at = window->begin_ns;
  for (guint i = next_after(view, window->begin_ns); i < count && at < window->end_ns;) {
    const OlSpan *span = ol_trace_span(
        view->trace, ol_trace_index_lane_span(view->index, view->rank, OL_LANE_COMPUTE, i));
    if (span->begin_ns >= window->end_ns)
      break;
    add_idle(idle, at, span->begin_ns);
    at = MAX(at, span->end_ns);
    if (span->end_ns - span->begin_ns >= least_ns) {
      i++;
      continue;
    }
    /* A crowd of short ones counts as busy as far as it reaches. */
    guint next = next_after(view, span->begin_ns + least_ns);
    at = MAX(at, MIN(span->begin_ns + least_ns, window->end_ns));
    i = MAX(next, i + 1);
  }
  add_idle(idle, at, window->end_ns);
}

gboolean ol_bubbles_find_longest(const OlChartView *view, OlBubbleWindow *longest)
{
  g_autoptr(GArray) windows = ol_bubbles_windows_new(view, view->begin_ns, view->end_ns);
  g_autoptr(GArray) idle = g_array_new(FALSE, FALSE, sizeof(OlBubbleWindow));
  *longest = (OlBubbleWindow){0};
  for (guint i = 0; i < windows->len; i++)
    add_window(idle, view, &g_array_index(windows, OlBubbleWindow, i), 0);
  for (guint i = 0; i < idle->len; i++) {
    const OlBubbleWindow *stretch = &g_array_index(idle, OlBubbleWindow, i);
    if (stretch->end_ns - stretch->begin_ns > longest->end_ns - longest->begin_ns)
      *longest = *stretch;
  }
  return longest->end_ns > longest->begin_ns;
}

GArray *ol_bubbles_new(const OlChartView *view, const OlPlot *plot)
{
  GArray *bubbles = g_array_new(FALSE, FALSE, sizeof(OlBubble));
  g_autoptr(GArray) windows = ol_bubbles_windows_new(view, plot->begin_ns, plot->end_ns);
  g_autoptr(GArray) idle = g_array_new(FALSE, FALSE, sizeof(OlBubbleWindow));
  double per_unit = ol_plot_unit_ns(plot);
  for (guint i = 0; i < windows->len; i++) {
    const OlBubbleWindow *window = &g_array_index(windows, OlBubbleWindow, i);
    if ((double)(window->end_ns - window->begin_ns) >= NARROWEST_STEP * per_unit)
      add_window(idle, view, window, (gint64)(NARROWEST * per_unit));
  }
  for (guint i = 0; i < idle->len; i++) {
    const OlBubbleWindow *stretch = &g_array_index(idle, OlBubbleWindow, i);
    OlBubble bubble = {MAX(ol_plot_x(plot, stretch->begin_ns), plot->left),
                       MIN(ol_plot_x(plot, stretch->end_ns), plot->right)};
    if (bubble.x1 - bubble.x0 >= NARROWEST)
      g_array_append_val(bubbles, bubble);
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

/* A line below each: what a share counts. */
static void mark(OlCanvas *canvas, const GArray *bubbles, double top, double height)
{
  double line = OL_MARK_EM * canvas->em;
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < bubbles->len; i++) {
    const OlBubble *bubble = &g_array_index(bubbles, OlBubble, i);
    cairo_rectangle(canvas->cairo, bubble->x0, top + height, bubble->x1 - bubble->x0, line);
  }
  ol_paint_set(canvas, ol_style_accent(canvas->style));
  cairo_fill(canvas->cairo);
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
  if (canvas->view->shown_mark == OL_MARK_IDLE)
    mark(canvas, bubbles, top, height);
}

void ol_bubbles_paint(OlCanvas *canvas, OlBox box)
{
  ol_paint_fill(canvas, box, 0, ground_colour(canvas));
  ol_paint_hatch(canvas, box, OL_HATCH_FALLING, hatch_colour(canvas));
}
