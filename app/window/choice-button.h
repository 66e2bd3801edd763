/* One of several choices: a letter in a badge and a text that wraps. Grouped toggle buttons, since
 * GTK 4.8's check buttons export no action to assistive technology. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum { OL_VERDICT_NONE, OL_VERDICT_RIGHT, OL_VERDICT_WRONG } OlVerdict;

#define OL_TYPE_CHOICE_BUTTON (ol_choice_button_get_type())
G_DECLARE_FINAL_TYPE(OlChoiceButton, ol_choice_button, OL, CHOICE_BUTTON, GtkToggleButton)

/* position 0 is "A". */
GtkWidget *ol_choice_button_new(guint position, const char *text);
void ol_choice_button_set_verdict(OlChoiceButton *button, OlVerdict verdict);

G_END_DECLS
