/* Ranks: a cell each on the grid data × pipeline × tensor; the selected one's three groups are
 * marked, each in its own way, and named beside. */
#include "app/charts/chart-rooms.h"
#include "app/charts/moment.h"
#include "app/charts/ranks-layout.h"
#include "engine/base/intl.h"

/* Told apart without colour: a hatch and a kind of outline for each axis. */
static const OlHatch hatches[OL_N_RANK_AXES] = {
    [OL_RANK_DATA] = OL_HATCH_RISING,
    [OL_RANK_PIPELINE] = OL_HATCH_LEVEL,
    [OL_RANK_TENSOR] = OL_HATCH_CROSSED,
};

static void draw_member_look(OlCanvas *canvas, OlBox box, OlRankAxis axis)
{
  OlColour accent = ol_style_accent(canvas->style);
  double em = canvas->em, radius = 0.3 * em, line = 0.13 * em;
  ol_paint_fill(canvas, box, radius, ol_colour_with_alpha(accent, 0.1));
  cairo_save(canvas->cairo);
  ol_paint_round_path(canvas, box, radius);
  cairo_clip(canvas->cairo);
  ol_paint_hatch(canvas, box, hatches[axis],
                 ol_colour_with_alpha(accent, canvas->style->high_contrast ? 0.8 : 0.5));
  cairo_restore(canvas->cairo);
  if (axis == OL_RANK_PIPELINE) {
    ol_paint_dashed_outline(canvas, box, radius, line, accent);
    return;
  }
  ol_paint_outline(canvas, box, radius, line, accent);
  if (axis == OL_RANK_TENSOR) { /* double */
    double in = 2 * line;
    OlBox inner = {box.x + in, box.y + in, box.width - 2 * in, box.height - 2 * in};
    ol_paint_outline(canvas, inner, radius - in, 0.6 * line, accent);
  }
}

/* On a hatch a number stands on a patch of ground. */
static void draw_number(OlCanvas *canvas, OlBox cell, guint rank, OlColour ink, gboolean on_patch)
{
  g_autofree char *number = g_strdup_printf("%u", rank);
  double em = canvas->em, width = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, number);
  double x = cell.x + cell.width / 2, y = cell.y + cell.height / 2;
  if (width > cell.width - 0.3 * em || cell.height < 1.1 * em)
    return;
  if (on_patch)
    ol_paint_fill(canvas,
                  (OlBox){x - width / 2 - 0.22 * em, y - 0.52 * em, width + 0.44 * em, 1.04 * em},
                  0.25 * em, ol_style_background(canvas->style));
  ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, ink, x, y, OL_ALIGN_CENTRE, 0, number);
}

static void draw_cell(OlCanvas *canvas, const OlRanksLayout *layout, guint rank)
{
  const OlChartStyle *style = canvas->style;
  OlBox cell = ol_ranks_layout_cell(layout, rank);
  int shared = ol_ranks_shared_axis(layout->ranks, canvas->view->rank, rank);
  double radius = 0.3 * canvas->em;
  if (rank == canvas->view->rank) {
    OlColour accent = ol_style_accent(style);
    ol_paint_fill(canvas, cell, radius, accent);
    draw_number(canvas, cell, rank, ol_colour_on(style, accent), FALSE);
  } else if (shared >= 0) {
    draw_member_look(canvas, cell, (OlRankAxis)shared);
    draw_number(canvas, cell, rank, ol_style_text(style), TRUE);
  } else {
    OlColour ground = ol_colour_mix(ol_style_background(style), ol_style_line(style), 0.3);
    ol_paint_fill(canvas, cell, radius, ground);
    ol_paint_outline(canvas, cell, radius, 0.08 * canvas->em, ol_style_line(style));
    draw_number(canvas, cell, rank, ol_style_dim_text(style), FALSE);
  }
}

/* "stage 0" above the cells of each stage, or what else the columns are. */
static void draw_column_names(OlCanvas *canvas, const OlRanksLayout *layout)
{
  int axis = ol_ranks_layout_column_axis(layout->ranks);
  if (layout->heads_y <= 0)
    return;
  for (guint column = 0; column < layout->columns; column += layout->together) {
    OlBox first = ol_ranks_layout_cell(layout, column);
    OlBox last = ol_ranks_layout_cell(layout, column + layout->together - 1);
    double width = last.x + last.width - first.x;
    g_autofree char *name =
        g_strdup_printf("%s %u", ol_rank_axis_place((OlRankAxis)axis),
                        ol_ranks_place(layout->ranks, column, (OlRankAxis)axis));
    if (ol_text_width(canvas, OL_TEXT_SMALL, name) <= width)
      ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), first.x + width / 2,
                   layout->heads_y, OL_ALIGN_CENTRE, 0, name);
  }
}

static void draw_row_names(OlCanvas *canvas, const OlRanksLayout *layout)
{
  for (guint row = 0; row < layout->rows && layout->names_width > 0; row++) {
    OlBox cell = ol_ranks_layout_cell(layout, row * layout->columns);
    g_autofree char *name = g_strdup_printf(_("data %u"), row);
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style),
                 layout->x - 0.7 * canvas->em, cell.y + cell.height / 2, OL_ALIGN_RIGHT, 0, name);
  }
}

static void draw_words(OlCanvas *canvas, const OlRanksLayout *layout)
{
  double em = canvas->em, y = layout->words.y + layout->line / 2, swatch = 1.5 * em;
  double left = layout->words.x, text = left + swatch + 0.6 * em;
  double room = layout->words.x + layout->words.width - text;
  const OlRanks *ranks = layout->ranks;
  OlBox key = {left, y - 0.42 * em, swatch, 0.84 * em};
  g_autofree char *name = ol_ranks_dup_name(ranks, canvas->view->rank);
  ol_paint_fill(canvas, key, 0.25 * em, ol_style_accent(canvas->style));
  ol_text_draw(canvas, OL_TEXT_STRONG, ol_style_text(canvas->style), text, y, OL_ALIGN_LEFT, room,
               name);
  for (int axis = 0; axis < OL_N_RANK_AXES && ranks->is_known; axis++) {
    if (ranks->lengths[axis] == 1)
      continue;
    y += layout->line;
    key.y = y - 0.42 * em;
    g_autofree char *members = ol_ranks_dup_group(ranks, canvas->view->rank, (OlRankAxis)axis);
    const char *group = ol_rank_axis_group((OlRankAxis)axis);
    g_autofree char *line =
        g_strdup_printf("%s: %s · %s", group, members, ol_rank_axis_work((OlRankAxis)axis));
    g_autofree char *brief = g_strdup_printf("%s: %s", group, members);
    draw_member_look(canvas, key, (OlRankAxis)axis);
    ol_text_draw(canvas, OL_TEXT_BODY, ol_style_text(canvas->style), text, y, OL_ALIGN_LEFT, room,
                 ol_text_choose(canvas, OL_TEXT_BODY, room, line, brief));
  }
}

double ol_ranks_chart_height(OlCanvas *canvas)
{
  return ol_ranks_layout_height(canvas);
}

void ol_ranks_chart_draw(OlCanvas *canvas)
{
  OlRanksLayout layout;
  if (!ol_chart_view_has_ranks(canvas->view))
    return;
  ol_ranks_layout_init(&layout, canvas);
  draw_column_names(canvas, &layout);
  draw_row_names(canvas, &layout);
  for (guint rank = 0; rank < layout.ranks->n; rank++)
    draw_cell(canvas, &layout, rank);
  draw_words(canvas, &layout);
}

void ol_ranks_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  OlRanksLayout layout;
  if (!ol_chart_view_has_ranks(canvas->view))
    return;
  ol_ranks_layout_init(&layout, canvas);
  hit->rank = ol_ranks_layout_at(&layout, x, y);
}
