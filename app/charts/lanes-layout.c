#include "app/charts/lanes-layout.h"

#include "app/charts/lanes-key.h"
#include "app/charts/moment.h"

/* In ems. */
#define TICKS_EM       2.1
#define LANE_EM        2.9
#define LANE_BAR_EM    1.9
#define HEAD_EM        1.95
#define SUMMARY_BAR_EM 1.25
#define HIDDEN_EM      2.6
#define HIDDEN_BAR_EM  1.3
#define KEY_EM         1.7
#define KEY_LINE_EM    1.45 /* of a further line */
#define BOTTOM_EM      0.5

/* Times the preferred height. */
#define LEAST_STRETCH 0.4
#define MOST_STRETCH  2.2

/* With several ranks lanes stand a little closer: eight ranks and one unfolded fit a window. */
#define CLOSE 0.86

static guint count_lanes(const OlChartView *view)
{
  return ol_chart_view_has_ranks(view) ? OL_N_LANES : OL_LANE_PEER;
}

static double lane_ems(const OlChartView *view)
{
  return LANE_EM * (ol_chart_view_has_ranks(view) ? CLOSE : 1);
}

gboolean ol_lanes_layout_has_bubbles(const OlChartView *view)
{
  return view != NULL && !ol_moment_is_empty(view) &&
         ol_chart_view_get_ranks(view)->lengths[OL_RANK_PIPELINE] > 1;
}

static double key_ems(OlCanvas *canvas, const OlPlot *plot)
{
  if (canvas->view == NULL || ol_moment_is_empty(canvas->view))
    return 0;
  return KEY_EM + (ol_lanes_key_count_lines(canvas, plot->left) - 1) * KEY_LINE_EM;
}

double ol_lanes_layout_height(OlCanvas *canvas)
{
  OlRankGroups groups;
  OlPlot plot;
  ol_plot_init(&plot, canvas);
  ol_rank_groups_choose(&groups, canvas->view, OL_CHART_LANES);
  double body = lane_ems(canvas->view) * count_lanes(canvas->view);
  return canvas->em * (TICKS_EM + ol_rank_groups_height(&groups, HEAD_EM, body) + HIDDEN_EM +
                       key_ems(canvas, &plot) + BOTTOM_EM);
}

double ol_lanes_layout_most(OlCanvas *canvas)
{
  return MOST_STRETCH * ol_lanes_layout_height(canvas);
}

void ol_lanes_layout_init(OlLanesLayout *layout, OlCanvas *canvas)
{
  *layout = (OlLanesLayout){.n_lanes = count_lanes(canvas->view)};
  ol_plot_init(&layout->plot, canvas);
  ol_rank_groups_choose(&layout->groups, canvas->view, OL_CHART_LANES);
  /* Another height than the preferred one stretches rows and bars, not text. */
  double unit = canvas->em *
                CLAMP(canvas->height / ol_lanes_layout_height(canvas), LEAST_STRETCH, MOST_STRETCH);
  double close = lane_ems(canvas->view) / LANE_EM;
  layout->ticks_y = unit * TICKS_EM / 2;
  layout->top = unit * TICKS_EM;
  layout->row = unit * lane_ems(canvas->view);
  layout->bar = unit * LANE_BAR_EM * close;
  layout->summary_bar = unit * SUMMARY_BAR_EM;
  layout->rows_bottom = ol_rank_groups_place(&layout->groups, layout->top, unit * HEAD_EM,
                                             layout->n_lanes * layout->row);
  layout->hidden_y = layout->rows_bottom + unit * HIDDEN_EM / 2;
  layout->hidden_bar = unit * HIDDEN_BAR_EM;
  layout->bottom = layout->hidden_y + unit * HIDDEN_EM / 2;
  layout->key_line = unit * KEY_LINE_EM;
  if (key_ems(canvas, &layout->plot) > 0)
    layout->key_y = layout->bottom + unit * KEY_EM / 2;
}

double ol_lanes_layout_y(const OlLanesLayout *layout, const OlRankGroup *group, OlLane lane)
{
  return group->body + (lane + 0.5) * layout->row;
}

gboolean ol_lanes_layout_bar(const OlLanesLayout *layout, guint rank, OlLane lane, double *top,
                             double *height)
{
  const OlRankGroup *group = ol_rank_groups_find(&layout->groups, rank);
  if (group == NULL || lane >= layout->n_lanes || (!group->open && lane != OL_LANE_COMPUTE))
    return FALSE;
  *height = group->open ? layout->bar : layout->summary_bar;
  *top = group->open ? ol_lanes_layout_y(layout, group, lane) : (group->top + group->bottom) / 2;
  *top -= *height / 2;
  return TRUE;
}

int ol_lanes_layout_lane_at(const OlLanesLayout *layout, const OlRankGroup *group, double y)
{
  if (!group->open)
    return OL_LANE_COMPUTE;
  int lane = y < group->body ? -1 : (int)((y - group->body) / layout->row);
  return lane < (int)layout->n_lanes ? lane : -1;
}
