#include "app/charts/memory-ghost.h"

#include "app/charts/refused.h"

#define WIDTH_EM 2.6
#define LEAST_EM 0.6 /* its height */
#define WORDS_EM 0.6 /* between it and its words */

/* It would have stood there from then on; a run that ends in this moment has it at the right edge.
 * FALSE when it is out of sight. */
static gboolean get_ghost(const OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row,
                          OlBox *ghost)
{
  double x = ol_plot_x(plot, row->refusal.time_ns), width = WIDTH_EM * canvas->em;
  if (row->refusal.bytes == 0 || row->scale <= 0 || x < plot->left - 1 || x > plot->right + 1)
    return FALSE;
  double bottom = ol_memory_row_y(row, row->refusal.above);
  double top = ol_memory_row_y(row, row->refusal.above + (gint64)row->refusal.bytes);
  double height = MAX(bottom - top, LEAST_EM * canvas->em);
  *ghost = (OlBox){MIN(x, plot->right - width), bottom - height, width, height};
  return TRUE;
}

/* Beside it, where there is more room, above the line of the capacity. */
static void draw_words(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlBox ghost)
{
  OlBox inside = {plot->left, row->top - canvas->em, plot->right - plot->left,
                  row->bottom - row->top + canvas->em};
  gboolean before = ghost.x - plot->left > plot->right - (ghost.x + ghost.width);
  double line = row->capacity > 0 ? ol_memory_row_y(row, row->capacity) : ghost.y;
  double room = before ? ghost.x - plot->left : plot->right - (ghost.x + ghost.width);
  double gap = WORDS_EM * canvas->em;
  g_autofree char *whole = ol_refused_dup_words(canvas->view, &row->refusal);
  g_autofree char *brief = ol_refused_dup_brief(canvas->view, &row->refusal);
  gboolean fits = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, whole) <= room - 2 * gap;
  ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ol_style_capacity(canvas->style),
                        before ? ghost.x - gap : ghost.x + ghost.width + gap, (row->top + line) / 2,
                        before ? OL_ALIGN_RIGHT : OL_ALIGN_LEFT, inside, fits ? whole : brief);
}

static void draw_ghost(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlBox ghost)
{
  /* What is far too large for the row has no upper end in it. */
  cairo_save(canvas->cairo);
  cairo_rectangle(canvas->cairo, plot->left, row->top, plot->right - plot->left,
                  row->bottom - row->top);
  cairo_clip(canvas->cairo);
  ol_refused_draw(canvas, ghost, row->refusal.payload);
  cairo_restore(canvas->cairo);
}

void ol_memory_ghost_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row)
{
  OlBox ghost;
  if (!get_ghost(canvas, plot, row, &ghost))
    return;
  draw_ghost(canvas, plot, row, ghost);
  draw_words(canvas, plot, row, ghost);
}

void ol_memory_ghost_draw_folded(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row)
{
  OlBox line = {plot->left, row->top, plot->right - plot->left, row->bottom - row->top}, ghost;
  double gap = WORDS_EM * canvas->em;
  if (!get_ghost(canvas, plot, row, &ghost))
    return;
  g_autofree char *sentence = ol_refused_dup_sentence(canvas->view, &row->refusal);
  g_autofree char *brief = ol_refused_dup_brief(canvas->view, &row->refusal);
  gboolean before = ghost.x - plot->left > plot->right - (ghost.x + ghost.width);
  double room = before ? ghost.x - plot->left : plot->right - (ghost.x + ghost.width);
  gboolean fits = ol_text_width(canvas, OL_TEXT_SMALL_STRONG, sentence) <= room - 2 * gap;
  if (row->refusal.tier == OL_TIER_GPU)
    draw_ghost(canvas, plot, row, ghost);
  ol_text_draw_on_patch(canvas, OL_TEXT_SMALL_STRONG, ol_style_capacity(canvas->style),
                        before ? ghost.x - gap : ghost.x + ghost.width + gap,
                        (row->top + row->bottom) / 2, before ? OL_ALIGN_RIGHT : OL_ALIGN_LEFT, line,
                        fits ? sentence : brief);
}
