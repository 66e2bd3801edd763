/* What runs when: a row a lane, spans in the colour of what they move or make; below them how much
 * of the transfers lies under compute. */
#include "app/charts/axis.h"
#include "app/charts/bubbles.h"
#include "app/charts/chart-rooms.h"
#include "app/charts/cover.h"
#include "app/charts/lane-row.h"
#include "app/charts/lane-ties.h"
#include "app/charts/lanes-key.h"
#include "app/charts/level.h"
#include "app/charts/moment.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#include <math.h>

/* Labels may be wider than thought, far from 0 and close up: as many as fit. */
static OlAxis choose_axis(OlCanvas *canvas, double begin, double end, double width)
{
  double gap = 1.6 * canvas->em;
  guint most = (guint)CLAMP(width / (5.5 * canvas->em), 2, 14);
  for (;; most--) {
    OlAxis axis = ol_axis_choose(begin, end, most);
    if (most <= 2 || axis.n < 2)
      return axis;
    g_autofree char *label = ol_axis_dup_label(&axis, axis.n - 1);
    double pitch = axis.step / (end - begin) * width;
    if (ol_text_width(canvas, OL_TEXT_SMALL, label) + gap <= pitch)
      return axis;
  }
}

static char *dup_cursor_time(const OlChartView *view)
{
  return ol_chart_view_dup_seconds(view, (double)view->cursor_ns / OL_NS_PER_SECOND);
}

/* Ticks give way to the cursor's time. */
static void draw_ticks(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlPlot *plot = &layout->plot;
  double scale = ol_chart_view_time_scale(canvas->view) / OL_NS_PER_SECOND;
  double begin = (double)plot->begin_ns * scale, end = (double)plot->end_ns * scale;
  double width = plot->right - plot->left;
  OlAxis axis = choose_axis(canvas, begin, end, width);
  double cursor_x = -width, cursor_half = 0;
  if (canvas->view->cursor_ns >= 0) {
    g_autofree char *time = dup_cursor_time(canvas->view);
    cursor_x = ol_plot_x(plot, canvas->view->cursor_ns);
    cursor_half = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, time) / 2;
  }
  OlColour grid = ol_colour_with_alpha(ol_style_line(canvas->style), 0.55);
  for (guint i = 0; i < axis.n; i++) {
    double x = plot->left + (ol_axis_tick(&axis, i) - begin) / (end - begin) * width;
    g_autofree char *label = ol_axis_dup_label(&axis, i);
    double half = ol_text_width(canvas, OL_TEXT_SMALL, label) / 2;
    double centre = CLAMP(x, plot->left - 0.5 * canvas->em + half, MAX(plot->right - half, 0));
    if (fabs(centre - cursor_x) > half + cursor_half + 0.3 * canvas->em)
      ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), centre, layout->ticks_y,
                   OL_ALIGN_CENTRE, 0, label);
    ol_paint_line(canvas, x, layout->top, x, layout->bottom, 0.07 * canvas->em, grid, FALSE);
  }
}

static void draw_row_lines(OlCanvas *canvas, const OlLanesLayout *layout, const OlRankGroup *group)
{
  for (guint i = 1; group->open && i <= layout->n_lanes; i++) {
    double y = group->body + i * layout->row;
    ol_paint_line(canvas, layout->plot.left, y, layout->plot.right, y, 0.07 * canvas->em,
                  ol_style_line(canvas->style), FALSE);
  }
}

static void draw_name(OlCanvas *canvas, const OlLanesLayout *layout, const OlRankGroup *group,
                      OlLane lane)
{
  const OlChartView *view = canvas->view;
  gboolean empty =
      ol_moment_is_empty(view) || ol_trace_index_lane_count(view->index, view->rank, lane) == 0;
  gboolean shown = view->shown_lane == (int)lane;
  OlColour colour = empty ? ol_style_dim_text(canvas->style) : ol_style_text(canvas->style);
  if (empty && !canvas->style->high_contrast)
    colour = ol_colour_mix(colour, ol_style_background(canvas->style), 0.25);
  if (shown)
    colour = ol_style_accent(canvas->style);
  double left = canvas->em * (1 + (layout->groups.head > 0 ? OL_GROUP_INDENT_EM : 0));
  ol_text_draw(canvas, shown ? OL_TEXT_STRONG : OL_TEXT_BODY, colour, left,
               ol_lanes_layout_y(layout, group, lane), OL_ALIGN_LEFT,
               layout->plot.left - left - 0.4 * canvas->em, ol_lane_name(lane));
}

/* The band of Show me. */
static void draw_shown_lane(OlCanvas *canvas, const OlLanesLayout *layout, const OlRankGroup *group)
{
  int lane = canvas->view->shown_lane;
  if (!group->open || lane < 0 || lane >= (int)layout->n_lanes)
    return;
  double inset = 0.2 * canvas->em;
  OlBox band = {0.4 * canvas->em,
                ol_lanes_layout_y(layout, group, (OlLane)lane) - layout->row / 2 + inset / 2,
                canvas->width - 0.8 * canvas->em, layout->row - inset};
  ol_paint_fill(canvas, band, 0.4 * canvas->em,
                ol_colour_with_alpha(ol_style_accent(canvas->style), 0.13));
  ol_paint_outline(canvas, band, 0.4 * canvas->em, 0.1 * canvas->em,
                   ol_style_accent(canvas->style));
}

/* Around a span, as far as it is in sight. FALSE when it is not. */
static gboolean find_mark(const OlCanvas *canvas, const OlLanesLayout *layout, int span, OlBox *box)
{
  const OlTrace *trace = canvas->view->trace;
  double top, height;
  if (trace == NULL || span < 0 || (guint)span >= trace->spans->len)
    return FALSE;
  const OlSpan *marked = ol_trace_span(trace, (guint)span);
  if (marked->node >= trace->graph->nodes->len)
    return FALSE;
  const OlGraphNode *node = ol_graph_node(trace->graph, marked->node);
  double x0 = MAX(ol_plot_x(&layout->plot, marked->begin_ns), layout->plot.left);
  double x1 = MIN(ol_plot_x(&layout->plot, marked->end_ns), layout->plot.right);
  if (x1 < x0 || !ol_lanes_layout_bar(layout, node->rank, node->lane, &top, &height))
    return FALSE;
  double out = 0.18 * canvas->em;
  *box = (OlBox){x0 - out, top - out, x1 - x0 + 2 * out, height + 2 * out};
  return TRUE;
}

gboolean ol_lanes_chart_mark(OlCanvas *canvas, int span, OlBox *box)
{
  OlLanesLayout layout;
  ol_lanes_layout_init(&layout, canvas);
  return find_mark(canvas, &layout, span, box);
}

static void draw_mark(OlCanvas *canvas, const OlLanesLayout *layout, int span, double line)
{
  OlBox box;
  if (find_mark(canvas, layout, span, &box))
    ol_paint_outline(canvas, box, 0.35 * canvas->em, line, ol_style_accent(canvas->style));
}

/* What is hidden stands at the bottom of the track, what is exposed hangs from its top. */
static void add_hidden_path(OlCanvas *canvas, const GArray *runs, OlBox track)
{
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < runs->len; i++) {
    const OlCoverRun *run = &g_array_index(runs, OlCoverRun, i);
    double height = track.height * run->hidden;
    if (height > 0)
      cairo_rectangle(canvas->cairo, run->x0, track.y + track.height - height, run->x1 - run->x0,
                      height);
  }
}

/* What is exposed is hatched: each rising line is cut here where it leaves the runs, which is far
 * quicker than clipping to a thousand of them. */
static void add_cover_hatch(OlCanvas *canvas, const GArray *runs, OlBox track)
{
  double pitch = ol_hatch_pitch(canvas), height = track.height, bottom = track.y + height;
  guint first = 0;
  cairo_new_path(canvas->cairo);
  for (double x = floor((track.x - height) / pitch) * pitch; x < track.x + track.width;
       x += pitch) {
    double drawn = -1;
    while (first < runs->len && g_array_index(runs, OlCoverRun, first).x1 <= x)
      first++;
    for (guint i = first; i < runs->len; i++) {
      const OlCoverRun *run = &g_array_index(runs, OlCoverRun, i);
      if (run->x0 >= x + height)
        break;
      double x0 = MAX(run->x0, x + height * (1 - run->exposed)), x1 = MIN(run->x1, x + height);
      if (x1 <= x0)
        continue;
      if (x0 != drawn)
        cairo_move_to(canvas->cairo, x0, bottom - (x0 - x));
      cairo_line_to(canvas->cairo, x1, bottom - (x1 - x));
      drawn = x1;
    }
  }
}

/* A line above what is exposed: what was asked for. */
static void mark_exposed(OlCanvas *canvas, const GArray *runs, OlBox track)
{
  double line = OL_MARK_EM * canvas->em;
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < runs->len; i++) {
    const OlCoverRun *run = &g_array_index(runs, OlCoverRun, i);
    if (run->exposed > 0)
      cairo_rectangle(canvas->cairo, run->x0, track.y - line, run->x1 - run->x0, line);
  }
  ol_paint_set(canvas, ol_style_accent(canvas->style));
  cairo_fill(canvas->cairo);
}

static double hidden_room(const OlCanvas *canvas, const OlLanesLayout *layout)
{
  return layout->plot.left - 1.4 * canvas->em;
}

/* Of several ranks the selected one, which is said where there is room for it. */
static char *dup_hidden(OlCanvas *canvas, const OlLanesLayout *layout, double share)
{
  const OlChartView *view = canvas->view;
  g_autofree char *brief =
      isfinite(share) ? g_strdup_printf(_("Hidden %.0f %%"), 100 * share) : g_strdup(_("Hidden"));
  g_autofree char *whole = g_strdup_printf(_("%s, rank %u"), brief, view->rank);
  if (!ol_chart_view_has_ranks(view))
    return g_steal_pointer(&brief);
  return g_strdup(ol_text_choose(canvas, OL_TEXT_BODY, hidden_room(canvas, layout), whole, brief));
}

static void draw_hidden(OlCanvas *canvas, const OlLanesLayout *layout, const OlColumns *columns)
{
  const OlChartView *view = canvas->view;
  double share = ol_trace_index_hidden(view->index, view->rank);
  OlBox track = {layout->plot.left, layout->hidden_y - layout->hidden_bar / 2,
                 layout->plot.right - layout->plot.left, layout->hidden_bar};
  g_autofree char *name = dup_hidden(canvas, layout, share);
  ol_text_draw(canvas, OL_TEXT_BODY,
               isfinite(share) ? ol_style_text(canvas->style) : ol_style_dim_text(canvas->style),
               canvas->em, layout->hidden_y, OL_ALIGN_LEFT, hidden_room(canvas, layout), name);
  ol_paint_fill(canvas, track, 0.2 * canvas->em,
                ol_colour_with_alpha(ol_style_line(canvas->style), 0.5));

  g_autoptr(GArray) runs = ol_cover_runs(view, &layout->plot, columns);
  add_hidden_path(canvas, runs, track);
  ol_paint_set(canvas, ol_style_hidden(canvas->style));
  cairo_fill(canvas->cairo);
  add_cover_hatch(canvas, runs, track);
  ol_lanes_key_stroke_exposed(canvas);
  ol_paint_outline(canvas, track, 0.2 * canvas->em, 0.07 * canvas->em,
                   ol_style_line(canvas->style));
  if (view->shown_mark == OL_MARK_EXPOSED)
    mark_exposed(canvas, runs, track);
}

static void draw_cursor_time(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlChartView *view = canvas->view;
  double x = ol_plot_x(&layout->plot, view->cursor_ns);
  if (view->cursor_ns < 0 || x < layout->plot.left - 1 || x > layout->plot.right + 1)
    return;
  g_autofree char *label = dup_cursor_time(view);
  OlBox inside = {layout->plot.left, 0, canvas->width - layout->plot.left - 0.2 * canvas->em,
                  layout->top};
  ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ol_style_accent(canvas->style), x,
                        layout->ticks_y, OL_ALIGN_CENTRE, inside, label);
}

/* What the column of figures is about: how much of the steps a rank waits, or else how much of the
 * time in sight it computes. */
static char *dup_figure(const OlChartView *view)
{
  double share = ol_trace_index_bubble(view->index, view->rank);
  if (!ol_lanes_layout_has_bubbles(view))
    share = (double)ol_trace_index_busy(view->index, view->rank, OL_LANE_COMPUTE, view->begin_ns,
                                        view->end_ns) /
            (double)MAX(view->end_ns - view->begin_ns, 1);
  return isfinite(share) ? ol_moment_dup_percent(MAX(share, 0)) : NULL;
}

static void draw_group(OlCanvas *canvas, const OlLanesLayout *layout, const OlRankGroup *group,
                       OlColumns *columns)
{
  const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, group->rank);
  OlCanvas part = *canvas;
  double top, height;
  g_autofree char *figure = layout->groups.head > 0 ? dup_figure(&of_rank) : NULL;
  draw_row_lines(canvas, layout, group);
  draw_shown_lane(canvas, layout, group);
  ol_rank_groups_draw_head(canvas, &layout->groups, group, &layout->plot, figure);
  part.view = &of_rank;
  for (guint i = 0; group->open && i < layout->n_lanes; i++)
    draw_name(&part, layout, group, (OlLane)i);
  if (ol_lanes_layout_bar(layout, group->rank, OL_LANE_COMPUTE, &top, &height))
    ol_bubbles_draw(&part, &layout->plot, top, height);
  for (guint i = 0; i < layout->n_lanes; i++)
    ol_lane_row_draw(&part, layout, (OlLane)i, group->rank == canvas->view->rank ? columns : NULL);
}

static void draw_empty(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlRankGroup *group = &layout->groups.items[0];
  OlBox plot = {layout->plot.left, layout->top, layout->plot.right - layout->plot.left,
                group->bottom - layout->top};
  draw_shown_lane(canvas, layout, group);
  for (guint i = 0; i < layout->n_lanes; i++)
    draw_name(canvas, layout, group, (OlLane)i);
  ol_canvas_draw_invitation(canvas, plot, _("Nothing has run yet"),
                            _("A run shows what computes and what moves, and when."));
}

static void draw_figures_title(OlCanvas *canvas, const OlLanesLayout *layout)
{
  if (layout->groups.head > 0)
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style),
                 canvas->width - canvas->em, layout->ticks_y, OL_ALIGN_RIGHT, 0,
                 ol_lanes_layout_has_bubbles(canvas->view) ? "bubble" : "busy");
}

void ol_lanes_chart_draw(OlCanvas *canvas)
{
  OlLanesLayout layout;
  ol_lanes_layout_init(&layout, canvas);
  if (ol_moment_is_empty(canvas->view)) {
    draw_empty(canvas, &layout);
    return;
  }
  OlColumns columns;
  ol_columns_init(&columns, &layout.plot);
  ol_plot_draw_steps(&layout.plot, canvas, layout.top, layout.rows_bottom);
  draw_ticks(canvas, &layout);
  draw_figures_title(canvas, &layout);
  for (guint i = 0; i < layout.groups.n; i++)
    draw_group(canvas, &layout, &layout.groups.items[i], &columns);
  ol_rank_groups_draw_note(canvas, &layout.groups, &layout.plot);
  draw_hidden(canvas, &layout, &columns);
  ol_columns_clear(&columns);
  ol_lanes_key_draw(canvas, &layout);
  ol_lane_path_draw(canvas, &layout);
  ol_lane_ties_draw(canvas, &layout);
  ol_lane_next_draw(canvas, &layout);
  draw_mark(canvas, &layout, canvas->view->hovered_span, 0.1 * canvas->em);
  draw_mark(canvas, &layout, canvas->view->selected_span, 0.17 * canvas->em);
  ol_plot_draw_cursor(&layout.plot, canvas, layout.top, layout.bottom);
  draw_cursor_time(canvas, &layout);
}

/* The span of the lane at x, or the nearest within reach: narrow ones are hard to point at. */
static int find_span(const OlChartView *view, const OlPlot *plot, OlLane lane, double x,
                     double reach)
{
  double nearest = reach;
  guint first, n, at, later;
  int found = -1;
  ol_trace_index_find(view->index, view->rank, lane, ol_plot_time(plot, x - reach),
                      ol_plot_time(plot, x + reach) + 1, &first, &n);
  ol_trace_index_find(view->index, view->rank, lane, ol_plot_time(plot, x), G_MAXINT64, &at,
                      &later);
  const guint most = 64; /* looked at: of a crowd, those about x */
  guint begin = MAX(first, at - MIN(at, most / 2));
  for (guint i = begin; i < first + n && i < begin + most; i++) {
    guint id = ol_trace_index_lane_span(view->index, view->rank, lane, i);
    const OlSpan *span = ol_trace_span(view->trace, id);
    double before = ol_plot_x(plot, span->begin_ns) - x, after = x - ol_plot_x(plot, span->end_ns);
    double distance = MAX(MAX(before, after), 0);
    if (distance < nearest || (distance == 0 && found < 0)) {
      nearest = distance;
      found = (int)id;
    }
  }
  return found;
}

void ol_lanes_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  OlLanesLayout layout;
  ol_lanes_layout_init(&layout, canvas);
  if (x >= layout.plot.left && x <= layout.plot.right)
    hit->time_ns = ol_plot_time(&layout.plot, x);
  const OlRankGroup *group = ol_rank_groups_at(&layout.groups, y);
  if (group == NULL)
    return;
  hit->rank = (int)group->rank;
  hit->lane = ol_lanes_layout_lane_at(&layout, group, y);
  if (hit->lane < 0 || hit->time_ns < 0 || ol_moment_is_empty(canvas->view))
    return;
  OlChartView of_rank = ol_chart_view_of_rank(canvas->view, group->rank);
  hit->span = find_span(&of_rank, &layout.plot, (OlLane)hit->lane, x, 0.25 * canvas->em);
  if (hit->span >= 0)
    hit->payload = (int)ol_level_span_payload(canvas->view->trace, (guint)hit->span);
}

void ol_lanes_chart_numbers(OlCanvas *canvas, GArray *numbers)
{
  const OlChartView *view = canvas->view;
  OlLanesLayout layout;
  OlBox box;
  ol_lanes_layout_init(&layout, canvas);
  for (guint i = 0; i < layout.groups.n && layout.groups.head > 0; i++)
    ol_numbers_add(
        numbers, ol_number(OL_NUMBER_IDLE, layout.groups.items[i].rank),
        ol_rank_groups_figure_box(canvas, &layout.groups, &layout.groups.items[i], &layout.plot));
  double share = ol_trace_index_hidden(view->index, view->rank);
  g_autofree char *hidden = dup_hidden(canvas, &layout, share);
  box = ol_text_box(canvas, OL_TEXT_BODY, canvas->em, layout.hidden_y, OL_ALIGN_LEFT,
                    hidden_room(canvas, &layout), hidden);
  if (isfinite(share))
    ol_numbers_add(numbers, ol_number(OL_NUMBER_HIDDEN, view->rank), box);
  if (ol_lanes_key_find_idle(canvas, &layout, &box))
    ol_numbers_add(numbers, ol_number(OL_NUMBER_IDLE, view->rank), box);
}
