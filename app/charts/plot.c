#include "app/charts/plot.h"

#include "app/charts/moment.h"

#include <math.h>

#define EDGE_EM    1.0 /* between the card's edge and what it shows */
#define FIGURES_EM 4.6 /* a column of a figure a rank: "12.1 MiB" */

/* The last rank has the longest name of all. */
static double widest_name(OlCanvas *canvas, const OlRanks *ranks)
{
  double names = 0;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    names = MAX(names, ol_text_width(canvas, OL_TEXT_BODY, ol_lane_name(lane)));
  if (ranks->n == 1)
    return names;
  g_autofree char *last = ol_ranks_dup_name(ranks, ranks->n - 1);
  return OL_GROUP_INDENT_EM * canvas->em + MAX(names, ol_text_width(canvas, OL_TEXT_STRONG, last));
}

static void find_edges(OlCanvas *canvas, double *left, double *right)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(canvas->view);
  double edge = EDGE_EM * canvas->em, names = widest_name(canvas, ranks);
  double figures = ranks->n > 1 ? FIGURES_EM * canvas->em : 0;
  double most = (ranks->n > 1 ? 0.42 : 0.34) * canvas->width;
  *left = MIN(edge + names + 0.9 * canvas->em, most);
  *right = MAX(canvas->width - edge - figures, *left + 1);
}

void ol_plot_init(OlPlot *plot, OlCanvas *canvas)
{
  find_edges(canvas, &plot->left, &plot->right);
  plot->begin_ns = canvas->view != NULL ? canvas->view->begin_ns : 0;
  gint64 end_ns = canvas->view != NULL ? canvas->view->end_ns : 1;
  plot->end_ns = MAX(end_ns, plot->begin_ns + 1);
}

double ol_plot_x(const OlPlot *plot, gint64 time_ns)
{
  double share =
      ((double)time_ns - (double)plot->begin_ns) / ((double)plot->end_ns - (double)plot->begin_ns);
  return plot->left + share * (plot->right - plot->left);
}

double ol_plot_unit_ns(const OlPlot *plot)
{
  return (double)(plot->end_ns - plot->begin_ns) / MAX(plot->right - plot->left, 1);
}

gint64 ol_plot_time(const OlPlot *plot, double x)
{
  double share = (x - plot->left) / (plot->right - plot->left);
  return plot->begin_ns + (gint64)llround(share * (double)(plot->end_ns - plot->begin_ns));
}

void ol_chart_plot_edges(const OlChartView *view, const OlChartStyle *style, double width,
                         double *left, double *right)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, 0);
  find_edges(&canvas, left, right);
  ol_canvas_clear(&canvas);
}

static void init_plot_alone(OlPlot *plot, const OlChartView *view, const OlChartStyle *style,
                            double width)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, 0);
  ol_plot_init(plot, &canvas);
  ol_canvas_clear(&canvas);
}

gint64 ol_chart_time_at(const OlChartView *view, const OlChartStyle *style, double width, double x)
{
  OlPlot plot;
  init_plot_alone(&plot, view, style, width);
  return ol_plot_time(&plot, x);
}

double ol_chart_x_at(const OlChartView *view, const OlChartStyle *style, double width,
                     gint64 time_ns)
{
  OlPlot plot;
  init_plot_alone(&plot, view, style, width);
  return ol_plot_x(&plot, time_ns);
}

void ol_plot_draw_cursor(const OlPlot *plot, OlCanvas *canvas, double top, double bottom)
{
  double x = ol_plot_x(plot, canvas->view->cursor_ns);
  if (canvas->view->cursor_ns < 0 || x < plot->left - 1 || x > plot->right + 1)
    return;
  ol_paint_line(canvas, x, top, x, bottom, 0.12 * canvas->em, ol_style_accent(canvas->style), TRUE);
}

guint ol_plot_first_step(const OlTrace *trace, gint64 time_ns)
{
  guint low = 0, high = trace->steps->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (ol_trace_step(trace, middle)->end_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Every other step lies on a faint band, as long as steps can be told apart. */
void ol_plot_draw_steps(const OlPlot *plot, OlCanvas *canvas, double top, double bottom)
{
  const OlTrace *trace = canvas->view->trace;
  if (trace->steps->len == 0)
    return;
  const OlStep *first = ol_trace_step(trace, 0);
  double per_ns = (plot->right - plot->left) / (double)(plot->end_ns - plot->begin_ns);
  if ((double)(first->end_ns - first->begin_ns) * per_ns < 2 * canvas->em)
    return;
  OlColour band =
      ol_colour_with_alpha(ol_style_line(canvas->style), canvas->style->high_contrast ? 0.1 : 0.3);
  for (guint i = ol_plot_first_step(trace, plot->begin_ns) | 1; i < trace->steps->len; i += 2) {
    const OlStep *step = ol_trace_step(trace, i);
    if (step->begin_ns >= plot->end_ns)
      break;
    double x0 = MAX(ol_plot_x(plot, step->begin_ns), plot->left);
    double x1 = MIN(ol_plot_x(plot, step->end_ns), plot->right);
    if (x1 > x0)
      ol_paint_fill(canvas, (OlBox){x0, top, x1 - x0, bottom - top}, 0, band);
  }
}

void ol_canvas_draw_invitation(OlCanvas *canvas, OlBox box, const char *head, const char *text)
{
  OlBox inner = {box.x + canvas->em, 0, box.width - 2 * canvas->em, 0};
  double y = box.y + box.height / 2;
  inner.y = y - 1.45 * canvas->em;
  ol_text_draw_paragraph(canvas, OL_TEXT_STRONG, ol_style_text(canvas->style), inner,
                         OL_ALIGN_CENTRE, 1, head);
  inner.y = y + 0.15 * canvas->em;
  ol_text_draw_paragraph(canvas, OL_TEXT_BODY, ol_style_dim_text(canvas->style), inner,
                         OL_ALIGN_CENTRE, 2, text);
}
