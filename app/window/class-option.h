/* An option of a question before a class: its letter and text, a vote for it while one is open, and
 * afterwards how many there were, the first time hatched and after discussion solid. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASS_OPTION (ol_class_option_get_type())
G_DECLARE_FINAL_TYPE(OlClassOption, ol_class_option, OL, CLASS_OPTION, GtkBox)

/* What is in sight of one round: nothing, or so many of all. */
typedef struct {
  gboolean is_shown;
  guint votes, of;
} OlClassRound;

/* Signals: "voted", and "taken-back" (one vote). */
GtkWidget *ol_class_option_new(guint position, const char *text);
void ol_class_option_set_open(OlClassOption *option, gboolean open);
/* first and second round; `widest`: the most votes that any option of the question has, as wide as
 * there is room. */
void ol_class_option_set_rounds(OlClassOption *option, const OlClassRound rounds[2], guint widest);
void ol_class_option_set_right(OlClassOption *option, gboolean right);
/* NULL: none. */
void ol_class_option_set_reason(OlClassOption *option, const char *reason);

G_END_DECLS
