/* Where the ranks' cells stand: a row for each place on the data axis, in it the stages from left
 * to right, each with its slices side by side. Ranks of a single axis stand in rows of sixteen. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

typedef struct {
  const OlRanks *ranks;
  guint columns, rows; /* rank = row · columns + column */
  guint together;      /* cells of a row that stand close: the slices of a stage */
  double x, y;         /* of the first cell */
  double cell_width, cell_height;
  double pitch, group_gap, row_pitch; /* from cell to cell, between stages, from row to row */
  double heads_y, names_width;        /* of the columns' and the rows' names; 0: there are none */
  OlBox words;                        /* the groups in words, beside the cells or below them */
  double line;                        /* height of a line of words */
} OlRanksLayout;

void ol_ranks_layout_init(OlRanksLayout *layout, OlCanvas *canvas);
double ol_ranks_layout_height(OlCanvas *canvas);

OlBox ol_ranks_layout_cell(const OlRanksLayout *layout, guint rank);
/* The rank whose cell is at the point, or -1. */
int ol_ranks_layout_at(const OlRanksLayout *layout, double x, double y);
/* The rank so many cells away, or -1 beyond the edge. */
int ol_ranks_layout_step(const OlRanks *ranks, guint rank, int right, int down);

/* The axis whose places the columns are named after, or -1: they have no names. */
int ol_ranks_layout_column_axis(const OlRanks *ranks);

G_END_DECLS
