#include "app/charts/rank-groups.h"

#include "engine/base/intl.h"

#define NOTE_HEADS 0.9 /* height of the note, in headers */
#define ARROW_EM   0.62

void ol_rank_groups_choose(OlRankGroups *groups, const OlChartView *view, OlChart chart)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  guint selected = view != NULL ? MIN(view->rank, ranks->n - 1) : 0;
  guint first = ranks->n > OL_MOST_GROUPS ? selected / OL_MOST_GROUPS * OL_MOST_GROUPS : 0;
  *groups = (OlRankGroups){.n = MIN(ranks->n - first, OL_MOST_GROUPS)};
  for (guint i = 0; i < groups->n; i++)
    groups->items[i] = (OlRankGroup){
        .rank = first + i,
        .open = ranks->n == 1 || ol_chart_view_is_open(view, chart, first + i),
    };
  groups->head = ranks->n > 1 ? 1 : 0;
  groups->note = ranks->n > OL_MOST_GROUPS ? 1 : 0;
}

double ol_rank_groups_place(OlRankGroups *groups, double top, double head, double body)
{
  groups->head = groups->head > 0 ? head : 0;
  groups->note = groups->note > 0 ? NOTE_HEADS * head : 0;
  for (guint i = 0; i < groups->n; i++) {
    OlRankGroup *group = &groups->items[i];
    group->top = top;
    group->body = top + groups->head;
    group->bottom = top = group->body + (group->open ? body : 0);
  }
  return top + groups->note;
}

double ol_rank_groups_height(const OlRankGroups *groups, double head, double body)
{
  OlRankGroups placed = *groups;
  return ol_rank_groups_place(&placed, 0, head, body);
}

const OlRankGroup *ol_rank_groups_find(const OlRankGroups *groups, guint rank)
{
  guint first = groups->items[0].rank;
  return rank >= first && rank - first < groups->n ? &groups->items[rank - first] : NULL;
}

const OlRankGroup *ol_rank_groups_at(const OlRankGroups *groups, double y)
{
  for (guint i = 0; i < groups->n; i++)
    if (y >= groups->items[i].top && y < groups->items[i].bottom)
      return &groups->items[i];
  return NULL;
}

OlBox ol_rank_groups_spot(const OlRankGroups *groups, const OlRankGroup *group, const OlPlot *plot)
{
  double edge = 0.25 * groups->head;
  return (OlBox){edge, group->top, plot->left - 1.5 * edge, groups->head};
}

OlBox ol_rank_groups_figure_box(const OlCanvas *canvas, const OlRankGroups *groups,
                                const OlRankGroup *group, const OlPlot *plot)
{
  double edge = canvas->width - 0.5 * canvas->em;
  if (groups->head <= 0)
    return (OlBox){0};
  return (OlBox){plot->right, group->top, MAX(edge - plot->right, 1), groups->head};
}

static void draw_arrow(OlCanvas *canvas, double x, double y, gboolean open, OlColour colour)
{
  cairo_t *cr = canvas->cairo;
  double half = ARROW_EM / 2 * canvas->em;
  cairo_new_path(cr);
  if (open) {
    cairo_move_to(cr, x - half, y - half / 2);
    cairo_line_to(cr, x + half, y - half / 2);
    cairo_line_to(cr, x, y + half * 0.7);
  } else {
    cairo_move_to(cr, x - half / 2, y - half);
    cairo_line_to(cr, x - half / 2, y + half);
    cairo_line_to(cr, x + half * 0.7, y);
  }
  cairo_close_path(cr);
  ol_paint_set(canvas, colour);
  cairo_fill(cr);
}

void ol_rank_groups_draw_head(OlCanvas *canvas, const OlRankGroups *groups,
                              const OlRankGroup *group, const OlPlot *plot, const char *figure)
{
  if (groups->head <= 0)
    return;
  const OlChartStyle *style = canvas->style;
  double em = canvas->em, y = group->top + groups->head / 2;
  gboolean selected = group->rank == canvas->view->rank;
  OlColour ink = selected ? ol_style_accent(style) : ol_style_text(style);
  OlTextRole role = selected ? OL_TEXT_STRONG : OL_TEXT_BODY;
  g_autofree char *name = ol_ranks_dup_name(ol_chart_view_get_ranks(canvas->view), group->rank);
  g_autofree char *brief = g_strdup_printf(_("Rank %u"), group->rank);
  double left = em + OL_GROUP_INDENT_EM * em, room = plot->left - left - 0.4 * em;
  ol_paint_line(canvas, 0.5 * em, group->top, canvas->width - 0.5 * em, group->top, 0.07 * em,
                ol_style_line(style), FALSE);
  if (selected)
    ol_paint_fill(canvas,
                  (OlBox){0.3 * em, group->top + 0.2 * em, 0.22 * em, groups->head - 0.4 * em},
                  0.1 * em, ink);
  draw_arrow(canvas, em + 0.3 * em, y, group->open, ol_style_dim_text(style));
  ol_text_draw(canvas, role, ink, left, y, OL_ALIGN_LEFT, room,
               ol_text_choose(canvas, role, room, name, brief));
  if (figure != NULL)
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_text(style), canvas->width - em, y, OL_ALIGN_RIGHT,
                 canvas->width - em - plot->right, figure);
}

void ol_rank_groups_draw_note(OlCanvas *canvas, const OlRankGroups *groups, const OlPlot *plot)
{
  if (groups->note <= 0)
    return;
  const OlRankGroup *first = &groups->items[0], *last = &groups->items[groups->n - 1];
  guint n = ol_chart_view_get_ranks(canvas->view)->n;
  double room = plot->right - canvas->em;
  g_autofree char *note =
      g_strdup_printf(_("Ranks %u to %u of %u: select another on the grid to see those around it"),
                      first->rank, last->rank, n);
  g_autofree char *brief = g_strdup_printf(_("Ranks %u to %u of %u"), first->rank, last->rank, n);
  gboolean narrow = ol_text_width(canvas, OL_TEXT_SMALL, note) > plot->right - plot->left;
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style),
               narrow ? canvas->em : plot->left, last->bottom + groups->note / 2, OL_ALIGN_LEFT,
               room, ol_text_choose(canvas, OL_TEXT_SMALL, room, note, brief));
}
