/* The pinned run behind the shown one: a dash-dot line of what each tier held, a thin bar under
 * each lane, and how much of a tier was filled at most. Told apart by form, not by colour alone. */
#include "app/charts/lanes-layout.h"
#include "app/charts/level.h"
#include "app/charts/memory-layout.h"
#include "app/charts/memory-steps.h"
#include "app/charts/moment.h"
#include "app/charts/pinned.h"
#include "app/charts/tiers-layout.h"
#include "engine/base/intl.h"

#define LINE_EM  0.15
#define GHOST_EM 0.34 /* height of a thin bar */
#define GAP_EM   0.1  /* above it */

typedef struct {
  OlCanvas *canvas; /* of the shown run */
  OlChartView view; /* of the pinned one */
  OlPinnedRun back;
} Overlay;

static OlPlot shift_plot(const OlPlot *plot, const OlChartView *view)
{
  OlPlot shifted = *plot;
  shifted.begin_ns = view->begin_ns;
  shifted.end_ns = MAX(view->end_ns, view->begin_ns + 1);
  return shifted;
}

/* Dashes and dots, in the ink of text, on a wider line of the ground: legible on any payload's
 * colour and no dashed line of a capacity. */
static void stroke_dash_dot(OlCanvas *canvas)
{
  double em = canvas->em, dashes[] = {0.75 * em, 0.3 * em, 0.15 * em, 0.3 * em};
  cairo_t *cr = canvas->cairo;
  cairo_path_t *path = cairo_copy_path(cr);
  cairo_set_line_width(cr, 2.2 * LINE_EM * canvas->em);
  ol_paint_set(canvas, ol_colour_with_alpha(ol_style_background(canvas->style), 0.75));
  cairo_stroke(cr);
  cairo_append_path(cr, path);
  cairo_path_destroy(path);
  cairo_set_dash(cr, dashes, G_N_ELEMENTS(dashes), 0);
  cairo_set_line_width(cr, LINE_EM * canvas->em);
  ol_paint_set(canvas, ol_style_text(canvas->style));
  cairo_stroke(cr);
  cairo_set_dash(cr, NULL, 0, 0);
}

/* Memory over time */

static void draw_total(Overlay *overlay, const OlPlot *plot, const OlMemoryRow *row, guint rank,
                       OlTier tier)
{
  const OlChartView of_rank = ol_chart_view_of_rank(&overlay->view, rank);
  g_autoptr(GArray) steps = ol_memory_steps_new(&of_rank, tier, plot);
  if (steps->len == 0 || row->scale <= 0)
    return;
  cairo_t *cr = overlay->canvas->cairo;
  cairo_new_path(cr);
  for (guint i = 0; i < steps->len; i++) {
    const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, i);
    double y = ol_memory_row_y(row, ol_memory_step_sum(step, OL_N_PAYLOADS - 1));
    (i == 0 ? cairo_move_to : cairo_line_to)(cr, step->x0, y);
    cairo_line_to(cr, step->x1, y);
  }
  stroke_dash_dot(overlay->canvas);
}

static void draw_memory(Overlay *overlay)
{
  OlMemoryLayout layout;
  ol_memory_layout_init(&layout, overlay->canvas);
  OlPlot plot = shift_plot(&layout.plot, &overlay->view);
  for (guint i = 0; i < layout.groups.n; i++) {
    const OlRankGroup *group = &layout.groups.items[i];
    if (group->rank >= overlay->view.trace->graph->n_ranks)
      continue;
    for (int tier = 0; group->open && tier < OL_N_TIERS; tier++)
      if (layout.rows[i][tier].used)
        draw_total(overlay, &plot, &layout.rows[i][tier], group->rank, (OlTier)tier);
    if (!group->open)
      draw_total(overlay, &plot, &layout.summaries[i], group->rank, OL_TIER_GPU);
  }
}

/* What runs when */

static void draw_ghosts(Overlay *overlay, const OlPlot *plot, guint rank, OlLane lane, double top)
{
  const OlChartView of_rank = ol_chart_view_of_rank(&overlay->view, rank);
  const OlChartStyle *style = overlay->canvas->style;
  double em = overlay->canvas->em, height = GHOST_EM * em;
  g_autoptr(GArray) items = ol_level_items(&of_rank, lane, plot, NULL);
  for (guint i = 0; i < items->len; i++) {
    const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
    double width = MAX(item->x1 - item->x0 - 0.08 * em, 0.8);
    OlBox box = {item->x0, top, width, height * MAX(item->busy, 0.3)};
    OlColour fill = ol_style_payload(style, item->payload);
    ol_paint_fill(overlay->canvas, box, 0, ol_colour_mix(fill, ol_style_background(style), 0.35));
    if (width > 0.3 * em)
      ol_paint_outline(overlay->canvas, box, 0, 0.06 * em, ol_style_text(style));
  }
}

static void draw_lanes(Overlay *overlay)
{
  OlLanesLayout layout;
  ol_lanes_layout_init(&layout, overlay->canvas);
  OlPlot plot = shift_plot(&layout.plot, &overlay->view);
  for (guint i = 0; i < layout.groups.n; i++) {
    guint rank = layout.groups.items[i].rank;
    if (rank >= overlay->view.trace->graph->n_ranks)
      continue;
    for (guint lane = 0; lane < layout.n_lanes; lane++) {
      double top, height;
      if (ol_lanes_layout_bar(&layout, rank, (OlLane)lane, &top, &height))
        draw_ghosts(overlay, &plot, rank, (OlLane)lane,
                    top + height + GAP_EM * overlay->canvas->em);
    }
  }
}

/* Where the bytes are */

static void draw_tiers_of_rank(Overlay *overlay, const OlTiersLayout *layout)
{
  const OlChartView view = ol_chart_view_of_rank(overlay->canvas->view, layout->rank);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    OlBox box = layout->tiers[tier].interior;
    double capacity = (double)ol_trace_capacity(view.trace, view.rank, (OlTier)tier);
    double peak = (double)ol_pinned_peak(&view, (OlTier)tier);
    if (layout->tiers[tier].box.width <= 0 || peak <= 0 || capacity <= 0)
      continue;
    double x = box.x + box.width * MIN(peak / capacity, 1);
    cairo_new_path(overlay->canvas->cairo);
    cairo_move_to(overlay->canvas->cairo, x, box.y);
    cairo_line_to(overlay->canvas->cairo, x, box.y + box.height);
    stroke_dash_dot(overlay->canvas);
  }
}

static void draw_tiers(Overlay *overlay)
{
  for (guint i = 0; i < ol_tiers_layout_count(overlay->canvas); i++) {
    OlTiersLayout layout;
    ol_tiers_layout_init(&layout, overlay->canvas, i);
    draw_tiers_of_rank(overlay, &layout);
  }
}

void ol_overlay_draw(OlChart chart, OlCanvas *canvas)
{
  const OlChartView *view = canvas->view;
  if (view == NULL || view->pinned == NULL || !view->pinned->overlay || ol_moment_is_empty(view))
    return;
  Overlay overlay = {.canvas = canvas};
  overlay.view = ol_pinned_view(view, &overlay.back);
  if (chart == OL_CHART_MEMORY)
    draw_memory(&overlay);
  else if (chart == OL_CHART_LANES)
    draw_lanes(&overlay);
  else if (chart == OL_CHART_TIERS)
    draw_tiers(&overlay);
}

char *ol_overlay_dup_key(OlChart chart, const OlChartView *view)
{
  static const char *const forms[OL_N_CHARTS] = {[OL_CHART_TIERS] = N_("dash-dot: at most in %s"),
                                                 [OL_CHART_MEMORY] = N_("dash-dot: %s"),
                                                 [OL_CHART_LANES] = N_("thin bars: %s"),
                                                 [OL_CHART_LOSS] = N_("broken line: %s")};
  if (view->pinned == NULL || forms[chart] == NULL ||
      (!view->pinned->overlay && chart != OL_CHART_LOSS))
    return g_strdup("");
  return g_strdup_printf(_(forms[chart]), view->pinned->name);
}
