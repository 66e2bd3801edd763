#include "app/charts/ranks-layout.h"

#include "engine/base/intl.h"

/* In ems. */
#define EDGE        1.0
#define CELL        2.3 /* width, beside other slices */
#define NAMED_CELL  3.5 /* below a name of its own: "stage 3" */
#define CELL_HEIGHT 1.8
#define CLOSE       0.16
#define APART       0.75
#define ROWS_APART  0.4
#define HEADS       1.5
#define MOST_ROWS   15.0 /* of all rows together: more of them are lower */
#define LINE        1.62
#define WORDS_APART 2.2
#define WORDS       27.0 /* narrower than this they stand below the cells */

#define MOST_COLUMNS 16 /* of ranks on a single axis */

static guint count_columns(const OlRanks *ranks)
{
  guint inner = ranks->lengths[OL_RANK_PIPELINE] * ranks->lengths[OL_RANK_TENSOR];
  return inner > 1 ? inner : MIN(ranks->n, MOST_COLUMNS);
}

static guint count_axes(const OlRanks *ranks)
{
  guint n = 0;
  for (int axis = 0; axis < OL_N_RANK_AXES; axis++)
    n += ranks->lengths[axis] > 1;
  return n;
}

int ol_ranks_layout_column_axis(const OlRanks *ranks)
{
  if (ranks->lengths[OL_RANK_PIPELINE] > 1)
    return OL_RANK_PIPELINE;
  if (ranks->lengths[OL_RANK_TENSOR] > 1)
    return OL_RANK_TENSOR;
  return ranks->is_known && ranks->n <= MOST_COLUMNS ? OL_RANK_DATA : -1;
}

static guint count_together(const OlRanks *ranks)
{
  return ranks->lengths[OL_RANK_PIPELINE] > 1 ? ranks->lengths[OL_RANK_TENSOR] : 1;
}

/* Width of the cells of a row, at most `room`; sets the layout's widths. */
static double fit_columns(OlRanksLayout *layout, OlCanvas *canvas, double room)
{
  guint groups = layout->columns / layout->together;
  double cell = layout->together > 1 ? CELL : NAMED_CELL;
  double ems = layout->columns * cell + groups * (layout->together - 1) * CLOSE;
  ems += (groups - 1) * APART;
  double unit = MIN(canvas->em, room / ems);
  layout->cell_width = unit * cell;
  layout->pitch = unit * (cell + (layout->together > 1 ? CLOSE : APART));
  layout->group_gap = layout->together > 1 ? unit * (APART - CLOSE) : 0;
  return unit * ems;
}

static double fit_rows(OlRanksLayout *layout, OlCanvas *canvas)
{
  double ems = layout->rows * (CELL_HEIGHT + ROWS_APART) - ROWS_APART;
  double unit = canvas->em * MIN(1, MOST_ROWS / ems);
  layout->cell_height = unit * CELL_HEIGHT;
  layout->row_pitch = unit * (CELL_HEIGHT + ROWS_APART);
  return unit * ems;
}

static double row_names_width(OlCanvas *canvas, const OlRanksLayout *layout)
{
  if (layout->rows == 1 || count_axes(layout->ranks) == 1 || layout->row_pitch < 1.1 * canvas->em)
    return 0;
  g_autofree char *widest = g_strdup_printf(_("data %u"), layout->rows - 1);
  return ol_text_width(canvas, OL_TEXT_SMALL, widest) + 0.8 * canvas->em;
}

/* Lays all out from the top; returns the height. */
static double lay_out(OlRanksLayout *layout, OlCanvas *canvas)
{
  double em = canvas->em, inner = canvas->width - 2 * EDGE * em;
  const OlRanks *ranks = ol_chart_view_get_ranks(canvas->view);
  *layout = (OlRanksLayout){.ranks = ranks,
                            .columns = count_columns(ranks),
                            .together = count_together(ranks),
                            .line = LINE * em};
  layout->rows = (ranks->n + layout->columns - 1) / layout->columns;
  double heads = ol_ranks_layout_column_axis(ranks) >= 0 ? HEADS * em : 0;
  double rows = fit_rows(layout, canvas);
  layout->names_width = row_names_width(canvas, layout);
  double row = fit_columns(layout, canvas, inner - layout->names_width) + layout->names_width;
  double words = layout->line * (1 + (ranks->is_known ? count_axes(ranks) : 0));
  gboolean beside = inner - row - WORDS_APART * em >= WORDS * em;
  double height = beside ? MAX(heads + rows, words) : heads + rows + 0.5 * em + words;
  layout->x = EDGE * em + layout->names_width;
  layout->y = EDGE * em + heads + (beside ? (height - heads - rows) / 2 : 0);
  layout->heads_y = heads > 0 ? layout->y - HEADS * em / 2 : 0;
  layout->words =
      beside ? (OlBox){EDGE * em + row + WORDS_APART * em, EDGE * em + (height - words) / 2,
                       inner - row - WORDS_APART * em, words}
             : (OlBox){EDGE * em, layout->y + rows + 0.5 * em, inner, words};
  return height + 2 * EDGE * em;
}

double ol_ranks_layout_height(OlCanvas *canvas)
{
  OlRanksLayout layout;
  return ol_chart_view_has_ranks(canvas->view) ? lay_out(&layout, canvas) : 0;
}

void ol_ranks_layout_init(OlRanksLayout *layout, OlCanvas *canvas)
{
  lay_out(layout, canvas);
}

OlBox ol_ranks_layout_cell(const OlRanksLayout *layout, guint rank)
{
  guint row = rank / layout->columns, column = rank % layout->columns;
  return (OlBox){layout->x + column * layout->pitch + column / layout->together * layout->group_gap,
                 layout->y + row * layout->row_pitch, layout->cell_width, layout->cell_height};
}

int ol_ranks_layout_at(const OlRanksLayout *layout, double x, double y)
{
  for (guint rank = 0; rank < layout->ranks->n; rank++) {
    OlBox cell = ol_ranks_layout_cell(layout, rank);
    if (x >= cell.x && x < cell.x + cell.width && y >= cell.y && y < cell.y + cell.height)
      return (int)rank;
  }
  return -1;
}

int ol_ranks_layout_step(const OlRanks *ranks, guint rank, int right, int down)
{
  int columns = (int)count_columns(ranks);
  int column = (int)rank % columns + right, row = (int)rank / columns + down;
  if (column < 0 || column >= columns || row < 0)
    return -1;
  int to = row * columns + column;
  return to < (int)ranks->n ? to : -1;
}
