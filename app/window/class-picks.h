/* A card of what a class may go through: a title, and a line each to be checked. Signals:
 * "changed", when a check was; "removed", when the learner takes a card away that came from a file.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASS_PICKS (ol_class_picks_get_type())
G_DECLARE_FINAL_TYPE(OlClassPicks, ol_class_picks, OL, CLASS_PICKS, GtkBox)

/* extra: a widget below the title, or NULL. */
GtkWidget *ol_class_picks_new(const char *title, gboolean removable, GtkWidget *extra);
void ol_class_picks_add(OlClassPicks *picks, const char *text, gboolean checked);
void ol_class_picks_uncheck(OlClassPicks *picks); /* all */

guint ol_class_picks_count(OlClassPicks *picks);
gboolean ol_class_picks_is_checked(OlClassPicks *picks, guint i);
gboolean ol_class_picks_has_checked(OlClassPicks *picks);

G_END_DECLS
