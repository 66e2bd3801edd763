#include "app/charts/lane-ties.h"

#include "app/charts/moment.h"
#include "app/charts/next-node.h"
#include "app/charts/ties.h"
#include "engine/base/intl.h"

#include <math.h>

#define HEAD_EM 0.55 /* of an arrow */

typedef struct {
  double x, y;
} Point;

gboolean ol_lane_ties_place(const OlCanvas *canvas, const OlLanesLayout *layout, guint rank,
                            OlLane lane, double *middle, double *height)
{
  double top;
  const OlRankGroup *group = ol_rank_groups_find(&layout->groups, rank);
  if (ol_lanes_layout_bar(layout, rank, lane, &top, height)) {
    *middle = top + *height / 2;
    return TRUE;
  }
  *height = 0;
  *middle = group != NULL ? (group->top + group->bottom) / 2 : 0;
  return group != NULL;
}

static const OlGraphNode *node_of(const OlCanvas *canvas, const OlSpan *span)
{
  return ol_graph_node(canvas->view->trace->graph, span->node);
}

static gboolean get_end(const OlCanvas *canvas, const OlLanesLayout *layout, guint id,
                        gboolean begin, Point *point)
{
  const OlSpan *span = ol_trace_span(canvas->view->trace, id);
  const OlGraphNode *node = node_of(canvas, span);
  double height;
  point->x = ol_plot_x(&layout->plot, begin ? span->begin_ns : span->end_ns);
  return ol_lane_ties_place(canvas, layout, node->rank, node->lane, &point->y, &height);
}

static void clip_to_rows(OlCanvas *canvas, const OlLanesLayout *layout)
{
  double out = 0.4 * canvas->em;
  cairo_save(canvas->cairo);
  cairo_new_path(canvas->cairo);
  cairo_rectangle(canvas->cairo, layout->plot.left - out, layout->top,
                  layout->plot.right - layout->plot.left + 2 * out,
                  layout->rows_bottom - layout->top);
  cairo_clip(canvas->cairo);
}

static void stroke(OlCanvas *canvas, OlColour colour, double line)
{
  cairo_set_line_width(canvas->cairo, line + 0.2 * canvas->em);
  ol_paint_set(canvas, ol_colour_with_alpha(ol_style_background(canvas->style), 0.85));
  cairo_stroke_preserve(canvas->cairo);
  cairo_set_line_width(canvas->cairo, line);
  ol_paint_set(canvas, colour);
  cairo_stroke(canvas->cairo);
}

/* Leaves and arrives level, and bulges as much as it is high: two in the same lanes stay apart. */
static void draw_arrow(OlCanvas *canvas, Point from, Point to, gboolean onward)
{
  cairo_t *cr = canvas->cairo;
  double em = canvas->em, head = HEAD_EM * em;
  double bulge = MAX(fabs(to.x - from.x) / 2, MIN(fabs(to.y - from.y) / 3, 2.5 * em));
  const double dashes[] = {0.5 * em, 0.3 * em};
  if (fabs(to.y - from.y) < 1 && to.x - from.x < 1.2 * em)
    return; /* next to each other on one lane: seen as it is */
  OlColour colour = ol_style_accent(canvas->style);
  cairo_new_path(cr);
  cairo_move_to(cr, from.x, from.y);
  cairo_curve_to(cr, from.x + bulge, from.y, to.x - bulge - head, to.y, to.x - head * 0.6, to.y);
  if (onward)
    cairo_set_dash(cr, dashes, 2, 0);
  stroke(canvas, colour, 0.14 * em);
  cairo_set_dash(cr, NULL, 0, 0);
  cairo_new_path(cr);
  cairo_move_to(cr, to.x, to.y);
  cairo_line_to(cr, to.x - head, to.y - head * 0.5);
  cairo_line_to(cr, to.x - head, to.y + head * 0.5);
  cairo_close_path(cr);
  ol_paint_set(canvas, colour);
  cairo_fill(cr);
}

static void draw_arrows(OlCanvas *canvas, const OlLanesLayout *layout, const OlTies *ties)
{
  Point begin, end, other;
  if (!get_end(canvas, layout, (guint)ties->span, TRUE, &begin) ||
      !get_end(canvas, layout, (guint)ties->span, FALSE, &end))
    return;
  for (guint i = 0; i < ties->waiters->len; i++)
    if (get_end(canvas, layout, g_array_index(ties->waiters, guint, i), TRUE, &other))
      draw_arrow(canvas, end, other, TRUE);
  for (guint i = 0; i < ties->waits->len; i++)
    if (get_end(canvas, layout, g_array_index(ties->waits, guint, i), FALSE, &other))
      draw_arrow(canvas, other, begin, FALSE);
}

static void draw_maker(OlCanvas *canvas, const OlLanesLayout *layout, int id, OlAlign align,
                       const char *words)
{
  double em = canvas->em, middle, height;
  if (id < 0)
    return;
  const OlSpan *span = ol_trace_span(canvas->view->trace, (guint)id);
  const OlGraphNode *node = node_of(canvas, span);
  double x0 = MAX(ol_plot_x(&layout->plot, span->begin_ns), layout->plot.left);
  double x1 = MIN(ol_plot_x(&layout->plot, span->end_ns), layout->plot.right);
  if (x1 < x0 || !ol_lane_ties_place(canvas, layout, node->rank, node->lane, &middle, &height))
    return;
  double out = 0.18 * em;
  OlBox box = {x0 - out, middle - height / 2 - out, x1 - x0 + 2 * out, height + 2 * out};
  OlBox inside = {layout->plot.left, layout->top, layout->plot.right - layout->plot.left,
                  layout->bottom - layout->top};
  ol_paint_outline(canvas, box, 0.35 * em, 0.17 * em, ol_style_accent(canvas->style));
  ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ol_style_accent(canvas->style),
                        align == OL_ALIGN_RIGHT ? x1 - 0.4 * em : x0 + 0.4 * em,
                        middle + height / 2 + 0.65 * em, align, inside, words);
}

void ol_lane_ties_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlTies *ties = canvas->view->ties;
  if (ties == NULL)
    return;
  if (ties->span >= 0) {
    clip_to_rows(canvas, layout);
    draw_arrows(canvas, layout, ties);
    cairo_restore(canvas->cairo);
  }
  if (!ties->is_layer)
    return;
  gboolean passes =
      ol_graph_buffer(canvas->view->trace->graph, ties->layer.buffer)->kind == OL_BUFFER_TRANSIENT;
  /* One often follows the other: their words stand on either side of where they meet. */
  if (ties->made >= 0 && ties->made == ties->freed) {
    draw_maker(canvas, layout, ties->made, OL_ALIGN_LEFT, _("made and freed it"));
    return;
  }
  draw_maker(canvas, layout, ties->made, OL_ALIGN_RIGHT, passes ? _("made it") : _("filled it"));
  draw_maker(canvas, layout, ties->freed, OL_ALIGN_LEFT, passes ? _("freed it") : _("took it"));
}

/* A line along the lower edge of each span of the path, and from one to the next. */
void ol_lane_path_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const GArray *path = canvas->view->critical;
  cairo_t *cr = canvas->cairo;
  int step = G_MININT;
  if (path == NULL || path->len == 0)
    return;
  clip_to_rows(canvas, layout);
  cairo_new_path(cr);
  for (guint i = 0; i < path->len; i++) {
    const OlSpan *span = ol_trace_span(canvas->view->trace, g_array_index(path, guint, i));
    const OlGraphNode *node = node_of(canvas, span);
    double middle, height;
    if (!ol_lane_ties_place(canvas, layout, node->rank, node->lane, &middle, &height))
      continue;
    double y = middle + height / 2, x0 = ol_plot_x(&layout->plot, span->begin_ns);
    double x1 = MAX(ol_plot_x(&layout->plot, span->end_ns), x0 + 0.5);
    (span->step == step ? cairo_line_to : cairo_move_to)(cr, x0, y);
    cairo_line_to(cr, x1, y);
    step = span->step;
  }
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  stroke(canvas, ol_style_text(canvas->style), 0.24 * canvas->em);
  cairo_restore(cr);
}

/* The node about to run: a dashed box at the moment of holding, and arrows from its waits. */
void ol_lane_next_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlChartView *view = canvas->view;
  OlNextNode next;
  double em = canvas->em, middle, height;
  if (!view->is_stepping || !ol_next_node_find(view, &next))
    return;
  const OlGraphNode *node = ol_graph_node(view->trace->graph, next.node);
  if (!ol_lane_ties_place(canvas, layout, node->rank, node->lane, &middle, &height))
    return;
  double x = ol_plot_x(&layout->plot, ol_moment_known_ns(view)) + 0.3 * em;
  if (x < layout->plot.left || x > layout->plot.right)
    return;
  g_autofree char *label = ol_graph_dup_node_label(view->trace->graph, next.node);
  double width = MAX(ol_text_width(canvas, OL_TEXT_SMALL_STRONG, label) + 0.8 * em, 2.4 * em);
  OlBox box = {x, middle - MAX(height, em) / 2, width, MAX(height, em)};
  Point to = {x, middle}, from;
  clip_to_rows(canvas, layout);
  for (guint i = 0; i < node->waits.n && i < OL_MOST_TIES; i++) {
    int wait = ol_next_node_wait(view, &next, i);
    if (wait >= 0 && get_end(canvas, layout, (guint)wait, FALSE, &from))
      draw_arrow(canvas, from, to, FALSE);
  }
  cairo_restore(canvas->cairo);
  ol_paint_fill(canvas, box, 0.22 * em, ol_style_background(canvas->style));
  ol_paint_dashed_outline(canvas, box, 0.22 * em, 0.16 * em, ol_style_accent(canvas->style));
  ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, ol_style_text(canvas->style), x + width / 2, middle,
               OL_ALIGN_CENTRE, 0, label);
}
