#include "app/charts/charts.h"

#include "app/charts/chart-rooms.h"
#include "app/charts/guess.h"
#include "app/charts/lanes-layout.h"
#include "app/charts/loss-layout.h"
#include "app/charts/memory-layout.h"
#include "app/charts/moment.h"
#include "app/charts/pinned.h"
#include "app/charts/ranks-layout.h"
#include "app/charts/slices-layout.h"
#include "app/charts/tiers-layout.h"
#include "engine/base/intl.h"

typedef struct {
  const char *title;
  double (*height)(OlCanvas *canvas);
  double (*most)(OlCanvas *canvas); /* up to which it grows; NULL: it does not */
  void (*draw)(OlCanvas *canvas);
  void (*hit)(OlCanvas *canvas, double x, double y, OlChartHit *hit);
  void (*numbers)(OlCanvas *canvas, GArray *numbers); /* NULL: it has none */
} ChartKind;

static const ChartKind kinds[OL_N_CHARTS] = {
    [OL_CHART_RANKS] = {N_("Ranks"), ol_ranks_chart_height, NULL, ol_ranks_chart_draw,
                        ol_ranks_chart_hit, NULL},
    [OL_CHART_SLICES] = {N_("Sliced matrices"), ol_slices_chart_height, NULL, ol_slices_chart_draw,
                         ol_slices_chart_hit, NULL},
    [OL_CHART_TIERS] = {N_("Where the bytes are"), ol_tiers_chart_height, ol_tiers_layout_most,
                        ol_tiers_chart_draw, ol_tiers_chart_hit, ol_tiers_chart_numbers},
    [OL_CHART_MEMORY] = {N_("Memory over time"), ol_memory_layout_height, ol_memory_layout_most,
                         ol_memory_chart_draw, ol_memory_chart_hit, ol_memory_chart_numbers},
    [OL_CHART_LANES] = {N_("What runs when"), ol_lanes_layout_height, ol_lanes_layout_most,
                        ol_lanes_chart_draw, ol_lanes_chart_hit, ol_lanes_chart_numbers},
    [OL_CHART_LOSS] = {N_("Loss and speed"), ol_loss_chart_height, ol_loss_layout_most,
                       ol_loss_chart_draw, ol_loss_chart_hit, ol_loss_chart_numbers},
};

const char *ol_chart_title(OlChart chart)
{
  g_return_val_if_fail(chart < OL_N_CHARTS, "");
  return _(kinds[chart].title);
}

static char *dup_own_subtitle(OlChart chart, const OlChartView *view)
{
  if (chart == OL_CHART_TIERS && ol_chart_view_has_ranks(view))
    return g_strdup_printf(_("rank %u"), view->rank);
  if (chart == OL_CHART_MEMORY && view->trace != NULL)
    return g_strdup(_("dashed line: capacity"));
  return g_strdup("");
}

char *ol_chart_dup_subtitle(OlChart chart, const OlChartView *view)
{
  g_autofree char *own = dup_own_subtitle(chart, view), *key = ol_overlay_dup_key(chart, view);
  g_autofree char *guess = ol_guess_dup_key(chart, view);
  GString *all = g_string_new(own);
  const char *more[] = {key, guess};
  for (guint i = 0; i < G_N_ELEMENTS(more); i++)
    g_string_append_printf(all, "%s%s", all->len > 0 && *more[i] != '\0' ? " · " : "", more[i]);
  return g_string_free(all, FALSE);
}

gboolean ol_chart_is_there(OlChart chart, const OlChartView *view)
{
  if (chart == OL_CHART_RANKS)
    return ol_chart_view_has_ranks(view);
  return chart != OL_CHART_SLICES || ol_slices_are_there(view);
}

gboolean ol_chart_is_timed(OlChart chart)
{
  return chart == OL_CHART_MEMORY || chart == OL_CHART_LANES;
}

static double measure(double (*height)(OlCanvas *), const OlChartView *view,
                      const OlChartStyle *style, double width)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, 0);
  double units = height(&canvas);
  ol_canvas_clear(&canvas);
  return units;
}

double ol_chart_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                       double width)
{
  g_return_val_if_fail(chart < OL_N_CHARTS, 0);
  return measure(kinds[chart].height, view, style, width);
}

double ol_chart_most_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                            double width)
{
  g_return_val_if_fail(chart < OL_N_CHARTS, 0);
  return measure(kinds[chart].most ? kinds[chart].most : kinds[chart].height, view, style, width);
}

void ol_chart_draw(OlChart chart, cairo_t *cairo, double width, double height,
                   const OlChartView *view, const OlChartStyle *style)
{
  g_return_if_fail(chart < OL_N_CHARTS);
  if (width <= 0 || height <= 0)
    return;
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, view, style, width, height);
  cairo_save(cairo);
  kinds[chart].draw(&canvas);
  ol_overlay_draw(chart, &canvas);
  ol_guess_draw(chart, &canvas);
  cairo_restore(cairo);
  ol_canvas_clear(&canvas);
}

void ol_numbers_add(GArray *numbers, OlNumber number, OlBox box)
{
  OlNumberSpot spot = {number, box};
  g_array_append_val(numbers, spot);
}

static GArray *numbers_new(OlChart chart, OlCanvas *canvas)
{
  GArray *numbers = g_array_new(FALSE, FALSE, sizeof(OlNumberSpot));
  if (kinds[chart].numbers != NULL && !ol_moment_is_empty(canvas->view))
    kinds[chart].numbers(canvas, numbers);
  return numbers;
}

/* What is drawn later lies above. */
static OlNumber find_number(OlChart chart, OlCanvas *canvas, double x, double y)
{
  g_autoptr(GArray) numbers = numbers_new(chart, canvas);
  for (guint i = numbers->len; i > 0; i--) {
    const OlNumberSpot *spot = &g_array_index(numbers, OlNumberSpot, i - 1);
    if (ol_box_contains(spot->box, x, y))
      return spot->number;
  }
  return ol_number(OL_NUMBER_NONE, canvas->view->rank);
}

OlChartHit ol_chart_hit(OlChart chart, double x, double y, double width, double height,
                        const OlChartView *view, const OlChartStyle *style)
{
  OlChartHit hit = {-1, -1, -1, -1, -1, -1, 0, {0}};
  g_return_val_if_fail(chart < OL_N_CHARTS, hit);
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  kinds[chart].hit(&canvas, x, y, &hit);
  hit.number = find_number(chart, &canvas, x, y);
  if (hit.number.kind == OL_NUMBER_BLOCKS)
    hit.number.offset = hit.offset;
  ol_canvas_clear(&canvas);
  return hit;
}

static void add_spot(GArray *spots, guint rank, gboolean on, OlBox box)
{
  OlChartSpot spot = {
      ol_number(OL_NUMBER_NONE, rank), rank, on, {box.x, box.y, box.width, box.height}};
  g_array_append_val(spots, spot);
}

static void add_cells(GArray *spots, OlCanvas *canvas)
{
  OlRanksLayout layout;
  ol_ranks_layout_init(&layout, canvas);
  for (guint rank = 0; rank < layout.ranks->n; rank++)
    add_spot(spots, rank, rank == canvas->view->rank, ol_ranks_layout_cell(&layout, rank));
}

static void add_heads(GArray *spots, const OlRankGroups *groups, const OlPlot *plot)
{
  for (guint i = 0; i < groups->n; i++)
    add_spot(spots, groups->items[i].rank, groups->items[i].open,
             ol_rank_groups_spot(groups, &groups->items[i], plot));
}

static void add_ranks(GArray *spots, OlChart chart, OlCanvas *canvas)
{
  if (chart == OL_CHART_RANKS) {
    add_cells(spots, canvas);
  } else if (chart == OL_CHART_LANES) {
    OlLanesLayout layout;
    ol_lanes_layout_init(&layout, canvas);
    add_heads(spots, &layout.groups, &layout.plot);
  } else if (chart == OL_CHART_MEMORY) {
    OlMemoryLayout layout;
    ol_memory_layout_init(&layout, canvas);
    add_heads(spots, &layout.groups, &layout.plot);
  }
}

/* A figure that is written twice is one spot, where it stands first. */
static gboolean is_spot_of(const GArray *spots, const OlNumber *number)
{
  for (guint i = 0; i < spots->len; i++)
    if (ol_number_equal(&g_array_index(spots, OlChartSpot, i).number, number))
      return TRUE;
  return FALSE;
}

static void add_numbers(GArray *spots, OlChart chart, OlCanvas *canvas)
{
  g_autoptr(GArray) numbers = numbers_new(chart, canvas);
  for (guint i = 0; i < numbers->len; i++) {
    const OlNumberSpot *number = &g_array_index(numbers, OlNumberSpot, i);
    OlBox box = number->box;
    if (is_spot_of(spots, &number->number))
      continue;
    OlChartSpot spot = {
        number->number, number->number.rank, FALSE, {box.x, box.y, box.width, box.height}};
    g_array_append_val(spots, spot);
  }
}

GArray *ol_chart_spots(OlChart chart, double width, double height, const OlChartView *view,
                       const OlChartStyle *style)
{
  GArray *spots = g_array_new(FALSE, FALSE, sizeof(OlChartSpot));
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  if (ol_chart_view_has_ranks(view))
    add_ranks(spots, chart, &canvas);
  add_numbers(spots, chart, &canvas);
  ol_canvas_clear(&canvas);
  return spots;
}

int ol_chart_step_rank(const OlChartView *view, int right, int down)
{
  return ol_ranks_layout_step(ol_chart_view_get_ranks(view), view->rank, right, down);
}

gboolean ol_chart_mark(double width, double height, const OlChartView *view,
                       const OlChartStyle *style, int span, cairo_rectangle_t *outline)
{
  OlCanvas canvas;
  OlBox box;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  gboolean found = ol_lanes_chart_mark(&canvas, span, &box);
  ol_canvas_clear(&canvas);
  if (found)
    *outline = (cairo_rectangle_t){box.x, box.y, box.width, box.height};
  return found;
}
