/* One figure of the run on the bench, and of the pinned one: a row of the pane of figures. */
#pragma once

#include "app/charts/figures.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Columns right of the name. */
typedef enum {
  OL_FIGURE_COLUMN_SHOWN,
  OL_FIGURE_COLUMN_PINNED,
  OL_FIGURE_COLUMN_CHANGE,
  OL_FIGURE_COLUMN_VERDICT,
  OL_N_FIGURE_COLUMNS
} OlFigureColumn;

#define OL_TYPE_FIGURE_ROW (ol_figure_row_get_type())
G_DECLARE_FINAL_TYPE(OlFigureRow, ol_figure_row, OL, FIGURE_ROW, GtkListBoxRow)

/* Names are as wide as the widest, so that all rows fold or none; widths: [OL_N_FIGURE_COLUMNS],
 * which all rows share. */
GtkWidget *ol_figure_row_new(GtkSizeGroup *names, GtkSizeGroup **widths);
/* `figure` is copied from; `compared`: with the pinned one's columns. */
void ol_figure_row_set(OlFigureRow *row, const OlFigure *figure, gboolean compared);
const char *ol_figure_row_get_path(OlFigureRow *row);
OlFigureGroup ol_figure_row_get_group(OlFigureRow *row);

G_END_DECLS
