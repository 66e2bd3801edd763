#include "app/charts/memory-layout.h"

#include "app/charts/pinned.h"

#include <math.h>

#define MEMORY_TOP_EM    1.7
#define MEMORY_ROWS_EM   11.5 /* of all rows together, whichever are used: no run moves the lanes */
#define MEMORY_UNUSED_EM 1.5
#define MEMORY_BOTTOM_EM 0.8
#define MEMORY_GAP_EM    1.8
#define MEMORY_HAIR_EM   0.2
#define MEMORY_HEAD_EM   2.3
#define MEMORY_KEY_EM    1.7  /* above the groups: what the folded ones show */
#define MEMORY_EDGE_EM   0.5  /* below them */
#define MEMORY_SUMMARY   0.74 /* of a folded rank's line */

/* Content that fills less than this share of the capacity is drawn to its own scale… */
#define LEGIBLE_SHARE 0.25
/* …unless it is a trifle by any measure, which would then look like a full memory: less than this
 * share of the capacity and of what the fullest tier holds. */
#define TRIFLING_SHARE 0.02

static gboolean tier_has_row(const OlCanvas *canvas, OlTier tier)
{
  return tier != OL_TIER_NVME ||
         (canvas->view != NULL &&
          (ol_moment_tier_is_used(canvas->view, tier) || ol_pinned_peak(canvas->view, tier) > 0));
}

/* Times the preferred height. */
#define LEAST_STRETCH 0.4
#define MOST_STRETCH  2.5

/* Of all tiers of an unfolded rank. */
static double body_ems(void)
{
  return MEMORY_TOP_EM + MEMORY_ROWS_EM + (OL_N_TIERS - 1) * MEMORY_GAP_EM + MEMORY_BOTTOM_EM;
}

double ol_memory_layout_height(OlCanvas *canvas)
{
  OlRankGroups groups;
  ol_rank_groups_choose(&groups, canvas->view, OL_CHART_MEMORY);
  return canvas->em * (ol_rank_groups_height(&groups, MEMORY_HEAD_EM, body_ems()) +
                       (groups.n > 1 ? MEMORY_KEY_EM + MEMORY_EDGE_EM : 0));
}

double ol_memory_layout_most(OlCanvas *canvas)
{
  return MOST_STRETCH * ol_memory_layout_height(canvas);
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
  row->peak = ol_moment_peak(view, tier, &row->peak_ns);
}

/* What did not fit is drawn beyond the capacity, as far as this. */
#define BEYOND 1.36

/* `peak`: of this run, or of the one it is compared with when that is higher. */
static void scale_row(OlMemoryRow *row, gint64 peak, gint64 fullest)
{
  double share = row->capacity > 0 ? (double)peak / (double)row->capacity : 0;
  row->trifling = row->capacity > 0 && share < TRIFLING_SHARE &&
                  (double)peak < TRIFLING_SHARE * (double)fullest;
  row->to_capacity = row->trifling || (row->capacity > 0 && share >= LEGIBLE_SHARE);
  row->scale = row->to_capacity ? MAX(row->capacity, peak) : (gint64)llround((double)peak * 1.3);
  if (row->refusal.bytes == 0 || row->capacity <= 0)
    return;
  row->trifling = FALSE;
  row->to_capacity = TRUE;
  row->scale = MAX(peak, (gint64)llround((double)row->capacity * BEYOND));
}

static void scale_rows(OlMemoryRow *rows, const OlChartView *view)
{
  gint64 fullest = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    measure_row(&rows[tier], view, (OlTier)tier);
    fullest = MAX(fullest, MAX(rows[tier].peak, ol_pinned_peak(view, (OlTier)tier)));
  }
  OlRefusal refusal;
  if (ol_moment_refusal(view, &refusal))
    rows[refusal.tier].refusal = refusal;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    scale_row(&rows[tier], MAX(rows[tier].peak, ol_pinned_peak(view, (OlTier)tier)), fullest);
}

/* Folded ranks are there to be compared: all are drawn to the fullest one's scale, with room for
 * what did not fit. */
static gint64 find_common_scale(const OlChartView *view)
{
  gint64 fullest = 0, when;
  for (guint rank = 0; rank < ol_chart_view_get_ranks(view)->n; rank++)
    fullest = MAX(fullest, ol_trace_index_peak(view->index, rank, OL_TIER_GPU, &when));
  int full = ol_moment_full_rank(view->trace);
  const OlChartView of_rank = ol_chart_view_of_rank(view, full >= 0 ? (guint)full : view->rank);
  OlRefusal refusal;
  if (ol_moment_refusal(&of_rank, &refusal) && refusal.tier == OL_TIER_GPU)
    fullest = MAX(fullest, refusal.above + (gint64)refusal.bytes);
  return fullest;
}

static void place_rows(OlMemoryRow *rows, OlCanvas *canvas, double y, double unit)
{
  y += unit * MEMORY_TOP_EM;
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    OlMemoryRow *row = &rows[tier];
    row->used = tier_has_row(canvas, (OlTier)tier);
    row->hair = canvas->em * MEMORY_HAIR_EM;
    row->top = y;
    y += unit * (row->used ? row_ems(canvas) : MEMORY_UNUSED_EM);
    row->bottom = y;
    y += unit * MEMORY_GAP_EM;
  }
}

/* The refusal of another tier than the GPU has no ghost there, but is told of. */
static void measure_summary(OlMemoryRow *row, const OlChartView *view, gint64 scale)
{
  measure_row(row, view, OL_TIER_GPU);
  row->scale = scale;
  if (!ol_moment_refusal(view, &row->refusal))
    row->refusal = (OlRefusal){0};
}

static void place_summary(OlMemoryRow *row, const OlRankGroup *group, const OlCanvas *canvas)
{
  double inset = (group->bottom - group->top) * (1 - MEMORY_SUMMARY) / 2;
  *row = (OlMemoryRow){.top = group->top + inset,
                       .bottom = group->bottom - inset,
                       .hair = canvas->em * MEMORY_HAIR_EM,
                       .used = TRUE};
}

void ol_memory_layout_init(OlMemoryLayout *layout, OlCanvas *canvas)
{
  *layout = (OlMemoryLayout){0};
  ol_plot_init(&layout->plot, canvas);
  ol_rank_groups_choose(&layout->groups, canvas->view, OL_CHART_MEMORY);
  gboolean empty = canvas->view == NULL || ol_moment_is_empty(canvas->view);
  double unit = canvas->em * CLAMP(canvas->height / ol_memory_layout_height(canvas), LEAST_STRETCH,
                                   MOST_STRETCH);
  double key = layout->groups.n > 1 ? unit * MEMORY_KEY_EM : 0;
  gint64 common = empty ? 0 : find_common_scale(canvas->view);
  layout->key_y = key / 2;
  ol_rank_groups_place(&layout->groups, key, unit * MEMORY_HEAD_EM, unit * body_ems());
  for (guint i = 0; i < layout->groups.n; i++) {
    const OlRankGroup *group = &layout->groups.items[i];
    OlCanvas of_rank = *canvas;
    OlChartView view = empty ? (OlChartView){0} : ol_chart_view_of_rank(canvas->view, group->rank);
    of_rank.view = empty ? canvas->view : &view;
    place_rows(layout->rows[i], &of_rank, group->body, unit);
    place_summary(&layout->summaries[i], group, canvas);
    if (empty)
      continue;
    scale_rows(layout->rows[i], &view);
    measure_summary(&layout->summaries[i], &view, common);
  }
  const OlRankGroup *last = &layout->groups.items[layout->groups.n - 1];
  gboolean alone = layout->groups.n == 1;
  layout->top = alone ? layout->rows[0][0].top : layout->groups.items[0].top;
  layout->bottom = alone ? layout->rows[0][OL_N_TIERS - 1].bottom : last->bottom;
}
