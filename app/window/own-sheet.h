/* One lesson of the user's own, to be edited: its title and goal, what is predicted, what is to be
 * seen, the question; and which runs and evidence it stands on. What is typed is in the draft at
 * once; each field that is typed in is one step of undo. */
#pragma once

#include "lessons/own-lessons.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_OWN_SHEET (ol_own_sheet_get_type())
G_DECLARE_FINAL_TYPE(OlOwnSheet, ol_own_sheet, OL, OWN_SHEET, GtkBox)

/* Signals "changed": the draft is another; "done": the learner leaves the sheet. */
GtkWidget *ol_own_sheet_new(void);
/* The draft is borrowed until "done". */
void ol_own_sheet_show(OlOwnSheet *sheet, OlCourseDraft *draft, guint lesson);
/* What the draft has now, after an undo. */
void ol_own_sheet_refresh(OlOwnSheet *sheet);
void ol_own_sheet_grab(OlOwnSheet *sheet);

G_END_DECLS
