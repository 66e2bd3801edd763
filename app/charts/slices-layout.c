#include "app/charts/slices-layout.h"

#include "engine/base/intl.h"
#include <math.h>

/* In ems. */
#define EDGE        1.0
#define WIDTH       2.4  /* of the model's width: the scale */
#define COLUMN      9.6  /* of a matrix and its words */
#define WIDE_COLUMN 12.2 /* of qkv, whose words are longest */
#define SUM         5.4  /* of an all-reduce */
#define LINE        1.32
#define CAPTION     3 /* lines */
#define TITLE       1.9
#define GAP         0.5
#define RADIUS      0.85
#define NOTE        2   /* lines at least, where they are broken */
#define UNEVEN      1.2 /* times its width: what broken lines leave at their ends */

#define PAD 0.4 /* beside the words of a column */

/* Words are never cut: a large matrix's name and slice widen its column. */
static double column_ems(OlCanvas *canvas, OlMatrix which)
{
  OlSlicedMatrix matrix;
  ol_sliced_matrix_init(&matrix, canvas->view, which);
  g_autofree char *name = ol_sliced_matrix_dup_name(&matrix);
  g_autofree char *held = ol_sliced_matrix_dup_held(&matrix);
  double words = MAX(ol_text_width(canvas, OL_TEXT_SMALL_STRONG, name),
                     ol_text_width(canvas, OL_TEXT_SMALL, held));
  return MAX(which == OL_MATRIX_QKV ? WIDE_COLUMN : COLUMN, words / canvas->em + PAD);
}

/* Of all columns in a line, without what goes between them. */
static double over_width(OlCanvas *canvas)
{
  double ems = OL_N_SUMS * SUM + 2 * EDGE;
  for (int m = 0; m < OL_N_MATRICES; m++)
    ems += column_ems(canvas, (OlMatrix)m);
  return ems * canvas->em;
}

static gboolean is_one_line(OlCanvas *canvas)
{
  return canvas->width >= over_width(canvas);
}

/* Of the tallest matrix of a line of them, which is expand in the one that has it. */
static double area_ems(OlCanvas *canvas, guint half)
{
  return WIDTH * (is_one_line(canvas) || half == 1 ? 4 : 3);
}

static double half_ems(OlCanvas *canvas, guint half)
{
  return area_ems(canvas, half) + GAP + CAPTION * LINE;
}

const char *ol_slices_note(void)
{
  return _(
      "Matrices are [out][in], to one scale. Forward sums over these ranks after projection and "
      "after contract, backward before expand and before qkv.");
}

static guint count_note_lines(OlCanvas *canvas)
{
  double room = MAX(canvas->width - 2 * EDGE * canvas->em, canvas->em);
  double width = ol_text_width(canvas, OL_TEXT_SMALL, ol_slices_note());
  return width <= room ? 1 : (guint)MAX(ceil(UNEVEN * width / room), NOTE);
}

double ol_slices_layout_height(OlCanvas *canvas)
{
  if (!ol_slices_are_there(canvas->view))
    return 0;
  gboolean one = is_one_line(canvas);
  double halves = half_ems(canvas, 0) + (one ? 0 : 2 * GAP + half_ems(canvas, 1));
  return canvas->em * (2 * EDGE + TITLE + halves + GAP + LINE * count_note_lines(canvas));
}

/* Two matrices and the sum after them, from x on; returns where the next ones begin. */
static double place_half(OlSlicesLayout *layout, OlCanvas *canvas, guint half, double x, double top,
                         double slack)
{
  double em = canvas->em, middle = top + area_ems(canvas, half) * em / 2;
  double scale = WIDTH * em / ol_chart_view_get_ranks(canvas->view)->width;
  for (guint m = 2 * half; m < 2 * half + 2; m++) {
    OlMatrixPlace *place = &layout->matrices[m];
    double column = column_ems(canvas, (OlMatrix)m) * em;
    ol_sliced_matrix_init(&place->matrix, canvas->view, (OlMatrix)m);
    place->box.width = place->matrix.columns * scale;
    place->box.height = place->matrix.rows * scale;
    place->box.x = x + (column - place->box.width) / 2;
    place->box.y = middle - place->box.height / 2;
    place->caption_y = top + (area_ems(canvas, half) + GAP + LINE / 2) * em;
    place->caption_width = column - PAD * em;
    x += column + slack;
  }
  layout->sum_x[half] = x + SUM * em / 2;
  layout->sum_y[half] = middle;
  return x + SUM * em + slack;
}

void ol_slices_layout_init(OlSlicesLayout *layout, OlCanvas *canvas)
{
  double em = canvas->em, y = (EDGE + TITLE) * em, x = EDGE * em;
  gboolean one = is_one_line(canvas);
  *layout = (OlSlicesLayout){
      .sum_radius = RADIUS * em, .line = LINE * em, .title_y = (EDGE + LINE / 2) * em};
  /* What room there is beyond need goes between the columns, of which there are six in a line. */
  double slack = one ? MIN((canvas->width - over_width(canvas)) / 5, 2 * em) : 0;
  x = place_half(layout, canvas, 0, x, y, slack);
  if (!one) {
    y += (half_ems(canvas, 0) + 2 * GAP) * em;
    x = EDGE * em;
  }
  place_half(layout, canvas, 1, x, y, slack);
  y += (half_ems(canvas, 1) + GAP) * em;
  layout->note_lines = count_note_lines(canvas);
  layout->note =
      (OlBox){EDGE * em, y, canvas->width - 2 * EDGE * em, em * LINE * layout->note_lines};
}

OlBox ol_slices_layout_part(const OlSlicesLayout *layout, OlMatrix which, guint band, guint slice)
{
  const OlSlicedMatrix *matrix = &layout->matrices[which].matrix;
  OlBox part = layout->matrices[which].box;
  double *from = matrix->by_rows ? &part.y : &part.x;
  double *length = matrix->by_rows ? &part.height : &part.width;
  *length /= matrix->bands * matrix->slices;
  *from += *length * (band * matrix->slices + slice);
  return part;
}
