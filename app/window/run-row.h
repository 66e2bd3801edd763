/* One run in the list: its state as an icon and in words, and the button that makes or stops it. */
#pragma once

#include "app/window/lesson-work.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_RUN_ROW (ol_run_row_get_type())
G_DECLARE_FINAL_TYPE(OlRunRow, ol_run_row, OL, RUN_ROW, GtkListBoxRow)

GtkWidget *ol_run_row_new(OlLessonWork *work, guint run);
/* `there`: times in units of what the scale model stands for. */
void ol_run_row_refresh(OlRunRow *row, gboolean there);
/* Its words alone, for every frame of a live run. */
void ol_run_row_refresh_state(OlRunRow *row, gboolean there);
void ol_run_row_grab(OlRunRow *row);

G_END_DECLS
