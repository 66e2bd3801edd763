/* One option of a question, to be edited: whether it is the right one, its text, its reason, and
 * its place among the others. */
#pragma once

#include "lessons/course.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_OPTION_EDITOR (ol_option_editor_get_type())
G_DECLARE_FINAL_TYPE(OlOptionEditor, ol_option_editor, OL, OPTION_EDITOR, GtkBox)

/* Signals, by the learner: "text-changed", "why-changed", "marked" (gboolean: right or not),
 * "moved" (int: by how many), "removed". */
GtkWidget *ol_option_editor_new(void);
/* position: 0 is A. Emits nothing. */
void ol_option_editor_set(OlOptionEditor *editor, guint position, const OlOption *option);
/* Which ways there are: up, down, and away. */
void ol_option_editor_allow(OlOptionEditor *editor, gboolean up, gboolean down, gboolean away);
char *ol_option_editor_dup_text(OlOptionEditor *editor);
char *ol_option_editor_dup_why(OlOptionEditor *editor);

G_END_DECLS
