/* Sliced matrices: what the selected rank holds of each matrix of a block, and where the ranks that
 * share them sum up. */
#include "app/charts/chart-rooms.h"
#include "app/charts/slices-layout.h"
#include "engine/base/intl.h"

static void draw_slices(OlCanvas *canvas, const OlSlicesLayout *layout, OlMatrix which,
                        OlColour edge)
{
  const OlSlicedMatrix *matrix = &layout->matrices[which].matrix;
  const OlChartStyle *style = canvas->style;
  double line = 0.08 * canvas->em;
  for (guint band = 0; band < matrix->bands; band++) {
    for (guint slice = 0; slice < matrix->slices; slice++)
      ol_paint_outline(canvas, ol_slices_layout_part(layout, which, band, slice), 0, line / 2,
                       ol_colour_with_alpha(edge, 0.7));
    OlBox held = ol_slices_layout_part(layout, which, band, matrix->slice);
    ol_paint_fill(canvas, held, 0, ol_style_payload(style, OL_PAYLOAD_WEIGHTS));
    ol_paint_outline(canvas, held, 0, line, ol_style_payload_outline(style, OL_PAYLOAD_WEIGHTS));
  }
}

static void draw_matrix(OlCanvas *canvas, const OlSlicesLayout *layout, OlMatrix which)
{
  const OlMatrixPlace *place = &layout->matrices[which];
  const OlChartStyle *style = canvas->style;
  double line = 0.12 * canvas->em;
  OlColour ground = ol_colour_mix(ol_style_background(style), ol_style_line(style), 0.35);
  OlColour edge = ol_colour_mix(ol_style_line(style), ol_style_text(style), 0.45);
  ol_paint_fill(canvas, place->box, 0, ground);
  draw_slices(canvas, layout, which, edge);
  for (guint band = 1; band < place->matrix.bands; band++) { /* between q, k and v */
    double y = place->box.y + band * place->box.height / place->matrix.bands;
    ol_paint_line(canvas, place->box.x, y, place->box.x + place->box.width, y, line, edge, FALSE);
  }
  ol_paint_outline(canvas, place->box, 0, line, edge);
}

static void draw_caption(OlCanvas *canvas, const OlSlicesLayout *layout, OlMatrix which)
{
  const OlMatrixPlace *place = &layout->matrices[which];
  const OlSlicedMatrix *matrix = &place->matrix;
  OlColour text = ol_style_text(canvas->style), dim = ol_style_dim_text(canvas->style);
  double x = place->box.x + place->box.width / 2, y = place->caption_y;
  g_autofree char *name = ol_sliced_matrix_dup_name(matrix);
  g_autofree char *held = ol_sliced_matrix_dup_held(matrix);
  ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, text, x, y, OL_ALIGN_CENTRE, place->caption_width,
               name);
  ol_text_draw(canvas, OL_TEXT_SMALL, text, x, y + layout->line, OL_ALIGN_CENTRE,
               place->caption_width, held);
  ol_text_draw(canvas, OL_TEXT_SMALL, dim, x, y + 2 * layout->line, OL_ALIGN_CENTRE,
               place->caption_width,
               matrix->by_rows ? _("cut by its outputs") : _("cut by its inputs"));
}

/* What the sum ends is said below it. */
static void draw_sum(OlCanvas *canvas, const OlSlicesLayout *layout, guint half)
{
  const OlChartStyle *style = canvas->style;
  double em = canvas->em, x = layout->sum_x[half], y = layout->sum_y[half];
  double r = layout->sum_radius;
  OlBox circle = {x - r, y - r, 2 * r, 2 * r};
  const OlMatrixPlace *before = &layout->matrices[2 * half + 1];
  OlColour accent = ol_style_accent(style);
  ol_paint_line(canvas, before->box.x + before->box.width + 0.4 * em, y, x - r, y, 0.1 * em,
                ol_style_dim_text(style), FALSE);
  ol_paint_fill(canvas, circle, r, ol_style_background(style));
  ol_paint_outline(canvas, circle, r, 0.14 * em, accent);
  ol_text_draw(canvas, OL_TEXT_STRONG, accent, x, y, OL_ALIGN_CENTRE, 0, "Σ");
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_text(style), x, y + r + 0.75 * em, OL_ALIGN_CENTRE,
               0, "all-reduce");
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(style), x, y + r + 0.75 * em + layout->line,
               OL_ALIGN_CENTRE, 0, half == 0 ? _("of attention") : _("of the MLP"));
}

/* From what feeds a product to it: the slices of the one are inputs of the other. */
static void draw_flow(OlCanvas *canvas, const OlSlicesLayout *layout, guint half)
{
  const OlBox *from = &layout->matrices[2 * half].box, *to = &layout->matrices[2 * half + 1].box;
  double y = layout->sum_y[half], gap = 0.4 * canvas->em;
  ol_paint_line(canvas, from->x + from->width + gap, y, to->x - gap, y, 0.1 * canvas->em,
                ol_style_dim_text(canvas->style), FALSE);
}

static void draw_words(OlCanvas *canvas, const OlSlicesLayout *layout)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(canvas->view);
  const OlSlicedMatrix *qkv = &layout->matrices[OL_MATRIX_QKV].matrix;
  guint rank = canvas->view->rank;
  g_autofree char *group = ol_ranks_dup_group(ranks, rank, OL_RANK_TENSOR);
  g_autofree char *title =
      g_strdup_printf(_("Rank %u holds 1/%u of each matrix of a block; %s together hold all of it"),
                      rank, qkv->slices, group);
  g_autofree char *brief =
      g_strdup_printf(_("Rank %u holds 1/%u of each matrix"), rank, qkv->slices);
  ol_text_draw(canvas, OL_TEXT_STRONG, ol_style_text(canvas->style), layout->note.x,
               layout->title_y, OL_ALIGN_LEFT, layout->note.width,
               ol_text_choose(canvas, OL_TEXT_STRONG, layout->note.width, title, brief));
  ol_text_draw_paragraph(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), layout->note,
                         OL_ALIGN_LEFT, (int)layout->note_lines, ol_slices_note());
}

double ol_slices_chart_height(OlCanvas *canvas)
{
  return ol_slices_layout_height(canvas);
}

void ol_slices_chart_draw(OlCanvas *canvas)
{
  OlSlicesLayout layout;
  if (!ol_slices_are_there(canvas->view))
    return;
  ol_slices_layout_init(&layout, canvas);
  draw_words(canvas, &layout);
  for (int m = 0; m < OL_N_MATRICES; m++) {
    draw_matrix(canvas, &layout, (OlMatrix)m);
    draw_caption(canvas, &layout, (OlMatrix)m);
  }
  for (guint half = 0; half < OL_N_SUMS; half++) {
    draw_flow(canvas, &layout, half);
    draw_sum(canvas, &layout, half);
  }
}

/* It is all about weights. */
void ol_slices_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  OlSlicesLayout layout;
  if (!ol_slices_are_there(canvas->view))
    return;
  ol_slices_layout_init(&layout, canvas);
  for (int m = 0; m < OL_N_MATRICES; m++)
    for (guint slice = 0; slice < layout.matrices[m].matrix.slices; slice++)
      for (guint band = 0; band < layout.matrices[m].matrix.bands; band++) {
        OlBox part = ol_slices_layout_part(&layout, (OlMatrix)m, band, slice);
        if (x < part.x || x >= part.x + part.width || y < part.y || y >= part.y + part.height)
          continue;
        hit->payload = OL_PAYLOAD_WEIGHTS;
        hit->rank = (int)ol_ranks_member(ol_chart_view_get_ranks(canvas->view), canvas->view->rank,
                                         OL_RANK_TENSOR, slice);
      }
}
