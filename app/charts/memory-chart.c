/* Memory over time: a row a tier, stacked by payload, in steps; dashed capacity, named peak. */
#include "app/charts/chart-rooms.h"
#include "app/charts/memory-ghost.h"
#include "app/charts/memory-marks.h"
#include "app/charts/memory-peak.h"
#include "app/charts/memory-steps.h"
#include "app/charts/moment.h"
#include "engine/base/intl.h"

#include <math.h>

/* By how much two lines beside a row lie above and below its middle. */
#define NAME_LIFT_EM 0.62

static gboolean is_meant(const OlChartView *view, OlTier tier, int payload)
{
  return (view->shown_payload < 0 || view->shown_payload == payload) &&
         (view->shown_tier < 0 || view->shown_tier == (int)tier);
}

static double step_y(const OlMemoryRow *row, const OlMemoryStep *step, int upto)
{
  return ol_memory_row_y(row, ol_memory_step_sum(step, upto));
}

/* The area under payloads 0 … upto. Drawn from the highest stack down, so that no seam of ground
 * shows between two. */
static void fill_area(OlCanvas *canvas, const OlMemoryRow *row, const GArray *steps, int upto)
{
  cairo_t *cr = canvas->cairo;
  cairo_new_path(cr);
  for (guint i = 0; i < steps->len; i++) {
    const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, i);
    double y = step_y(row, step, upto);
    if (i == 0)
      cairo_move_to(cr, step->x0, row->bottom);
    cairo_line_to(cr, step->x0, y);
    cairo_line_to(cr, step->x1, y);
    if (i + 1 == steps->len)
      cairo_line_to(cr, step->x1, row->bottom);
  }
  cairo_close_path(cr);
  cairo_fill(cr);
}

/* The upper edge of one payload, where there is any of it. */
static void stroke_edge(OlCanvas *canvas, const OlMemoryRow *row, const GArray *steps, int payload)
{
  cairo_t *cr = canvas->cairo;
  gboolean down = FALSE;
  cairo_new_path(cr);
  for (guint i = 0; i < steps->len; i++) {
    const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, i);
    double y = step_y(row, step, payload);
    if (step->bytes[payload] > 0) {
      (down ? cairo_line_to : cairo_move_to)(cr, step->x0, y);
      cairo_line_to(cr, step->x1, y);
    }
    down = step->bytes[payload] > 0;
  }
  cairo_set_line_width(cr, 0.09 * canvas->em);
  cairo_stroke(cr);
}

static void draw_stack(OlCanvas *canvas, OlTier tier, const OlMemoryRow *row, const GArray *steps)
{
  for (int p = OL_N_PAYLOADS - 1; p >= 0; p--) {
    if (!ol_memory_steps_have(steps, p))
      continue;
    OlColour colour = ol_style_payload(canvas->style, (OlPayload)p);
    gboolean meant = is_meant(canvas->view, tier, p);
    ol_paint_set(canvas, meant ? colour : ol_colour_faded(canvas->style, colour));
    fill_area(canvas, row, steps, p);
  }
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlColour colour = ol_style_payload_outline(canvas->style, (OlPayload)p);
    gboolean meant = is_meant(canvas->view, tier, p);
    ol_paint_set(canvas, meant ? colour : ol_colour_faded(canvas->style, colour));
    stroke_edge(canvas, row, steps, p);
  }
}

/* The part of payload's band that is free from x0 to x1. */
static void find_band(const OlMemoryRow *row, const GArray *steps, int payload, double x0,
                      double x1, double *top, double *bottom)
{
  *top = row->top;
  *bottom = row->bottom;
  double covered = x0;
  for (guint i = 0; i < steps->len; i++) {
    const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, i);
    if (step->x1 <= x0 || step->x0 >= x1)
      continue;
    *top = MAX(*top, step_y(row, step, payload));
    if (payload > 0)
      *bottom = MIN(*bottom, step_y(row, step, payload - 1));
    covered = step->x1;
  }
  if (covered < x1 - 0.5)
    *bottom = *top;
}

/* The payload's name in its band, of a few places the one where the band is thickest. */
static void name_band(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier,
                      const GArray *steps, int payload)
{
  const guint places = 24;
  const char *name = ol_payload_name((OlPayload)payload);
  double width = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, name);
  double pad = 0.5 * canvas->em, reach = width + 2 * pad, best = 0, best_x = 0, best_y = 0;
  double room = plot->right - plot->left - reach;
  for (guint i = 0; i < places && room > 0; i++) {
    double x = plot->left + room * i / (places - 1), top, bottom;
    find_band(row, steps, payload, x, x + reach, &top, &bottom);
    if (bottom - top > best + 0.01) {
      best = bottom - top;
      best_x = x + pad;
      best_y = (top + bottom) / 2;
    }
  }
  if (best < 1.02 * canvas->em)
    return;
  OlColour fill = ol_style_payload(canvas->style, (OlPayload)payload);
  OlColour ink = is_meant(canvas->view, tier, payload) ? ol_colour_on(canvas->style, fill)
                                                       : ol_style_dim_text(canvas->style);
  ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, ink, best_x, best_y, OL_ALIGN_LEFT, 0, name);
}

/* What fills a small part of the capacity is drawn larger than it is: by the scale at the edge of
 * the plot and in words: "of 838 MiB". */
static void draw_own_scale(OlCanvas *canvas, const OlMemoryRow *row, double left, double room)
{
  const OlChartView *view = canvas->view;
  OlColour dim = ol_style_dim_text(canvas->style);
  g_autofree char *peak = ol_chart_view_dup_bytes(view, (double)row->peak);
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, left + room, ol_memory_row_y(row, row->peak),
               OL_ALIGN_RIGHT, room, peak);
  if (row->capacity <= 0)
    return;
  g_autofree char *capacity = ol_chart_view_dup_bytes(view, (double)row->capacity);
  g_autofree char *of = g_strdup_printf(_("of %s"), capacity);
  double y = (row->top + row->bottom) / 2 + NAME_LIFT_EM * canvas->em;
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, left, y, OL_ALIGN_LEFT, room, of);
}

/* Name at the left; at the edge of the plot the scale's top and 0. */
static void draw_scale(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier)
{
  const OlChartView *view = canvas->view;
  OlColour dim = ol_style_dim_text(canvas->style);
  double em = canvas->em, edge = plot->left - 0.5 * em;
  double left = em * (1 + (ol_chart_view_has_ranks(view) ? OL_GROUP_INDENT_EM : 0));
  double middle = (row->top + row->bottom) / 2, room = edge - left;
  gboolean two_lines = row->scale > 0 && !row->to_capacity && row->capacity > 0;
  gboolean shown = view->shown_tier == (int)tier;
  OlColour colour = shown       ? ol_style_accent(canvas->style)
                    : row->used ? ol_style_text(canvas->style)
                                : dim;
  ol_text_draw(canvas, shown ? OL_TEXT_STRONG : OL_TEXT_BODY, colour, left,
               middle - (two_lines ? NAME_LIFT_EM * em : 0), OL_ALIGN_LEFT, room,
               ol_tier_name(tier));
  if (!row->used && !ol_moment_is_empty(view)) {
    ol_text_draw(canvas, OL_TEXT_SMALL, dim, plot->left, middle, OL_ALIGN_LEFT,
                 plot->right - plot->left, _("not used in this run"));
    return;
  }
  if (row->scale <= 0)
    return;
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, edge, row->bottom - 0.35 * em, OL_ALIGN_RIGHT, 0, "0");
  if (!row->to_capacity) {
    draw_own_scale(canvas, row, left, room);
    return;
  }
  g_autofree char *capacity = ol_chart_view_dup_bytes(view, (double)row->capacity);
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, edge, ol_memory_row_y(row, row->capacity) + 0.1 * em,
               OL_ALIGN_RIGHT, room, capacity);
}

static void draw_row(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier)
{
  double em = canvas->em, left = plot->left, right = plot->right;
  if (row->used && row->scale > 0) {
    g_autoptr(GArray) steps = ol_memory_steps_new(canvas->view, tier, plot);
    if (steps->len > 0)
      draw_stack(canvas, tier, row, steps);
    ol_memory_marks_draw(canvas, plot, row, tier, steps);
    for (int p = 0; p < OL_N_PAYLOADS && steps->len > 0; p++)
      if (ol_memory_steps_have(steps, p))
        name_band(canvas, plot, row, tier, steps, p);
  }
  if (row->used)
    ol_paint_line(canvas, left, row->bottom, right, row->bottom, 0.07 * em,
                  ol_style_line(canvas->style), FALSE);
  if (row->used && row->to_capacity) {
    double y = ol_memory_row_y(row, row->capacity);
    ol_paint_line(canvas, left, y, right, y, 0.12 * em, ol_style_capacity(canvas->style), TRUE);
  }
  ol_memory_ghost_draw(canvas, plot, row);
}

/* A folded rank: its GPU alone, without words but for the peak and for what did not fit. */
static void draw_summary(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row)
{
  g_autoptr(GArray) steps = ol_memory_steps_new(canvas->view, OL_TIER_GPU, plot);
  if (steps->len > 0 && row->scale > 0)
    draw_stack(canvas, OL_TIER_GPU, row, steps);
  ol_memory_marks_draw(canvas, plot, row, OL_TIER_GPU, steps);
  ol_paint_line(canvas, plot->left, row->bottom, plot->right, row->bottom, 0.07 * canvas->em,
                ol_style_line(canvas->style), FALSE);
  ol_memory_ghost_draw_folded(canvas, plot, row);
}

static void draw_open_rank(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *rows)
{
  gboolean empty = ol_moment_is_empty(canvas->view);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    draw_scale(canvas, plot, &rows[tier], (OlTier)tier);
    if (!empty)
      draw_row(canvas, plot, &rows[tier], (OlTier)tier);
  }
  for (int tier = 0; tier < OL_N_TIERS && !empty; tier++)
    if (rows[tier].used)
      ol_memory_peak_draw(canvas, plot, &rows[tier], (OlTier)tier);
}

static void draw_group(OlCanvas *canvas, const OlMemoryLayout *layout, guint i)
{
  const OlRankGroup *group = &layout->groups.items[i];
  const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, group->rank);
  OlCanvas part = *canvas;
  g_autofree char *peak =
      ol_chart_view_dup_bytes(canvas->view, (double)layout->rows[i][OL_TIER_GPU].peak);
  ol_rank_groups_draw_head(canvas, &layout->groups, group, &layout->plot, peak);
  part.view = &of_rank;
  if (group->open)
    draw_open_rank(&part, &layout->plot, layout->rows[i]);
  else
    draw_summary(&part, &layout->plot, &layout->summaries[i]);
}

static void draw_key(OlCanvas *canvas, const OlMemoryLayout *layout)
{
  const char *words = _("a folded rank shows its GPU, all of them to one scale");
  const char *brief = _("folded: GPU, to one scale");
  OlColour dim = ol_style_dim_text(canvas->style);
  double left = layout->plot.left, right = layout->plot.right;
  if (layout->key_y <= 0)
    return;
  if (ol_text_width(canvas, OL_TEXT_SMALL, words) > right - left)
    left = canvas->em;
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, left, layout->key_y, OL_ALIGN_LEFT, right - left,
               ol_text_choose(canvas, OL_TEXT_SMALL, right - left, words, brief));
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, canvas->width - canvas->em, layout->key_y,
               OL_ALIGN_RIGHT, 0, _("GPU peak"));
}

static void draw_empty(OlCanvas *canvas, const OlMemoryLayout *layout)
{
  OlBox plot = {layout->plot.left, layout->top, layout->plot.right - layout->plot.left,
                layout->bottom - layout->top};
  draw_open_rank(canvas, &layout->plot, layout->rows[0]);
  ol_canvas_draw_invitation(canvas, plot, _("Nothing has run yet"),
                            _("A run shows each memory fill and empty."));
}

void ol_memory_chart_draw(OlCanvas *canvas)
{
  OlMemoryLayout layout;
  ol_memory_layout_init(&layout, canvas);
  if (ol_moment_is_empty(canvas->view)) {
    draw_empty(canvas, &layout);
    return;
  }
  ol_plot_draw_steps(&layout.plot, canvas, layout.top, layout.bottom);
  draw_key(canvas, &layout);
  for (guint i = 0; i < layout.groups.n; i++)
    draw_group(canvas, &layout, i);
  ol_rank_groups_draw_note(canvas, &layout.groups, &layout.plot);
  ol_plot_draw_cursor(&layout.plot, canvas, layout.top, layout.bottom);
}

/* The tier and its row at y; NULL when there is none. */
static const OlMemoryRow *find_row(const OlMemoryLayout *layout, const OlRankGroup *group, double y,
                                   double reach, int *tier)
{
  guint i = (guint)(group - layout->groups.items);
  const OlMemoryRow *found = NULL;
  if (!group->open) {
    *tier = OL_TIER_GPU;
    return &layout->summaries[i];
  }
  for (int t = 0; t < OL_N_TIERS; t++)
    if (y >= layout->rows[i][t].top - reach && y <= layout->rows[i][t].bottom + reach) {
      found = &layout->rows[i][t];
      *tier = t;
    }
  return found;
}

static gint64 bytes_at(const OlMemoryRow *row, double y)
{
  double share = (row->bottom - y) / MAX(row->bottom - row->top, 1);
  return (gint64)(share * (double)row->scale);
}

/* The payload, and how far above its layer's bottom y lies. */
static int find_payload(const OlChartView *view, const OlMemoryRow *row, OlTier tier,
                        gint64 time_ns, double y, gint64 *offset)
{
  gint64 bytes[OL_N_PAYLOADS], sum = 0;
  ol_trace_index_memory_at(view->index, view->rank, tier, time_ns, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    *offset = MAX(bytes_at(row, y) - sum, 0);
    sum += bytes[p];
    if (bytes[p] > 0 && y <= row->bottom && y >= ol_memory_row_y(row, sum))
      return p;
  }
  return -1;
}

void ol_memory_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  OlMemoryLayout layout;
  ol_memory_layout_init(&layout, canvas);
  if (x >= layout.plot.left && x <= layout.plot.right)
    hit->time_ns = ol_plot_time(&layout.plot, x);
  const OlRankGroup *group = ol_rank_groups_at(&layout.groups, y);
  if (group == NULL)
    return;
  hit->rank = (int)group->rank;
  const OlMemoryRow *row = find_row(&layout, group, y, 0.4 * canvas->em, &hit->tier);
  if (row == NULL || hit->time_ns < 0 || ol_moment_is_empty(canvas->view))
    return;
  OlChartView of_rank = ol_chart_view_of_rank(canvas->view, group->rank);
  hit->payload = find_payload(&of_rank, row, (OlTier)hit->tier, hit->time_ns, y, &hit->offset);
}

/* A rank's peaks by tier; its head's figure is the GPU's. */
static void add_rank(OlCanvas *canvas, const OlMemoryLayout *layout, guint i, GArray *numbers)
{
  const OlRankGroup *group = &layout->groups.items[i];
  OlNumber peak = ol_number(OL_NUMBER_PEAK, group->rank);
  OlBox box = ol_rank_groups_figure_box(canvas, &layout->groups, group, &layout->plot);
  peak.tier = OL_TIER_GPU;
  if (box.width > 0)
    ol_numbers_add(numbers, peak, box);
  for (int tier = 0; tier < OL_N_TIERS && group->open; tier++) {
    peak.tier = tier;
    if (ol_memory_peak_find(canvas, &layout->plot, &layout->rows[i][tier], (OlTier)tier, &box))
      ol_numbers_add(numbers, peak, box);
  }
}

void ol_memory_chart_numbers(OlCanvas *canvas, GArray *numbers)
{
  OlMemoryLayout layout;
  ol_memory_layout_init(&layout, canvas);
  for (guint i = 0; i < layout.groups.n; i++) {
    const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, layout.groups.items[i].rank);
    OlCanvas part = *canvas;
    part.view = &of_rank;
    add_rank(&part, &layout, i, numbers);
  }
}
