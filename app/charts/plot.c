#include "app/charts/plot.h"

#include "app/charts/moment.h"

#include <math.h>

#define EDGE_EM 1.0 /* between the card's edge and what it shows */

static void find_edges(OlCanvas *canvas, double *left, double *right)
{
  double names = 0;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    names = MAX(names, ol_text_width(canvas, OL_TEXT_BODY, ol_lane_name(lane)));
  double edge = EDGE_EM * canvas->em;
  *left = MIN(edge + names + 0.9 * canvas->em, 0.34 * canvas->width);
  *right = MAX(canvas->width - edge, *left + 1);
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

gint64 ol_plot_time(const OlPlot *plot, double x)
{
  double share = (x - plot->left) / (plot->right - plot->left);
  return plot->begin_ns + (gint64)llround(share * (double)(plot->end_ns - plot->begin_ns));
}

void ol_chart_plot_edges(const OlChartStyle *style, double width, double *left, double *right)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, NULL, style, width, 0);
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

/* In ems. */
#define TICKS_EM      2.1
#define LANE_EM       2.9
#define LANE_BAR_EM   1.9
#define HIDDEN_EM     2.6
#define HIDDEN_BAR_EM 1.3
#define BOTTOM_EM     0.5

static guint count_lanes(const OlCanvas *canvas)
{
  const OlTrace *trace = canvas->view != NULL ? canvas->view->trace : NULL;
  return trace != NULL && trace->graph->n_ranks > 1 ? OL_N_LANES : OL_LANE_PEER;
}

double ol_lanes_layout_height(OlCanvas *canvas)
{
  return canvas->em * (TICKS_EM + LANE_EM * count_lanes(canvas) + HIDDEN_EM + BOTTOM_EM);
}

void ol_lanes_layout_init(OlLanesLayout *layout, OlCanvas *canvas)
{
  ol_plot_init(&layout->plot, canvas);
  /* Another height than the preferred one stretches rows and bars, not text. */
  double unit = canvas->em * CLAMP(canvas->height / ol_lanes_layout_height(canvas), 0.4, 1.5);
  layout->ticks_y = unit * TICKS_EM / 2;
  layout->top = unit * TICKS_EM;
  layout->n = count_lanes(canvas);
  layout->row = unit * LANE_EM;
  layout->bar = unit * LANE_BAR_EM;
  for (guint i = 0; i < layout->n; i++) {
    layout->lanes[i] = (OlLane)i;
    layout->y[i] = layout->top + (i + 0.5) * layout->row;
  }
  layout->hidden_y = layout->top + layout->n * layout->row + unit * HIDDEN_EM / 2;
  layout->hidden_bar = unit * HIDDEN_BAR_EM;
  layout->bottom = layout->hidden_y + unit * HIDDEN_EM / 2;
}

#define MEMORY_TOP_EM    1.7
#define MEMORY_ROWS_EM   11.5 /* of all rows together, whichever are used: no run moves the lanes */
#define MEMORY_UNUSED_EM 1.5
#define MEMORY_BOTTOM_EM 0.8
#define MEMORY_GAP_EM    1.8
#define MEMORY_HAIR_EM   0.2

/* Content that fills less than this share of the capacity is drawn to its own scale… */
#define LEGIBLE_SHARE 0.25
/* …unless it is a trifle by any measure, which would then look like a full memory: less than this
 * share of the capacity and of what the fullest tier holds. */
#define TRIFLING_SHARE 0.02

static gboolean tier_has_row(const OlCanvas *canvas, OlTier tier)
{
  return tier != OL_TIER_NVME ||
         (canvas->view != NULL && ol_moment_tier_is_used(canvas->view, tier));
}

double ol_memory_layout_height(OlCanvas *canvas)
{
  return canvas->em *
         (MEMORY_TOP_EM + MEMORY_ROWS_EM + (OL_N_TIERS - 1) * MEMORY_GAP_EM + MEMORY_BOTTOM_EM);
}

static double row_ems(const OlCanvas *canvas)
{
  guint unused = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    unused += !tier_has_row(canvas, (OlTier)tier);
  return (MEMORY_ROWS_EM - unused * MEMORY_UNUSED_EM) / (OL_N_TIERS - unused);
}

static void measure_row(OlMemoryRow *row, const OlChartView *view, OlTier tier)
{
  row->capacity = (gint64)MIN(ol_trace_capacity(view->trace, view->rank, tier), G_MAXINT64);
  row->peak = ol_trace_index_peak(view->index, view->rank, tier, &row->peak_ns);
}

static void scale_row(OlMemoryRow *row, gint64 fullest)
{
  double share = row->capacity > 0 ? (double)row->peak / (double)row->capacity : 0;
  row->trifling = row->capacity > 0 && share < TRIFLING_SHARE &&
                  (double)row->peak < TRIFLING_SHARE * (double)fullest;
  row->to_capacity = row->trifling || (row->capacity > 0 && share >= LEGIBLE_SHARE);
  row->scale =
      row->to_capacity ? MAX(row->capacity, row->peak) : (gint64)llround((double)row->peak * 1.3);
}

static void scale_rows(OlMemoryLayout *layout, const OlChartView *view)
{
  gint64 fullest = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    measure_row(&layout->rows[tier], view, (OlTier)tier);
    fullest = MAX(fullest, layout->rows[tier].peak);
  }
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    scale_row(&layout->rows[tier], fullest);
}

void ol_memory_layout_init(OlMemoryLayout *layout, OlCanvas *canvas)
{
  *layout = (OlMemoryLayout){0};
  ol_plot_init(&layout->plot, canvas);
  double unit = canvas->em * CLAMP(canvas->height / ol_memory_layout_height(canvas), 0.4, 2.5);
  double y = unit * MEMORY_TOP_EM;
  layout->top = y;
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    OlMemoryRow *row = &layout->rows[tier];
    row->used = tier_has_row(canvas, (OlTier)tier);
    row->hair = canvas->em * MEMORY_HAIR_EM;
    row->top = y;
    y += unit * (row->used ? row_ems(canvas) : MEMORY_UNUSED_EM);
    row->bottom = y;
    y += unit * MEMORY_GAP_EM;
  }
  layout->bottom = layout->rows[OL_N_TIERS - 1].bottom;
  if (canvas->view != NULL && !ol_moment_is_empty(canvas->view))
    scale_rows(layout, canvas->view);
}

void ol_plot_draw_cursor(const OlPlot *plot, OlCanvas *canvas, double top, double bottom)
{
  double x = ol_plot_x(plot, canvas->view->cursor_ns);
  if (canvas->view->cursor_ns < 0 || x < plot->left - 1 || x > plot->right + 1)
    return;
  ol_paint_line(canvas, x, top, x, bottom, 0.12 * canvas->em, ol_style_accent(canvas->style), TRUE);
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
  for (guint i = 1; i < trace->steps->len; i += 2) {
    const OlStep *step = ol_trace_step(trace, i);
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
