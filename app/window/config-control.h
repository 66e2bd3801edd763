/* The control of one key: a switch, a few buttons in a row, a list or an entry, as its kind asks.
 */
#pragma once

#include "app/sandbox/field-words.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CONFIG_CONTROL (ol_config_control_get_type())
G_DECLARE_FINAL_TYPE(OlConfigControl, ol_config_control, OL, CONFIG_CONTROL, GtkBox)

/* Signal "edited": (char *typed), whenever another value is in it. */
GtkWidget *ol_config_control_new(const OlField *field, const OlFieldWords *words,
                                 const char *data_folder);
void ol_config_control_show(OlConfigControl *control, const char *typed);
/* For assistive technology: why it cannot stand, or NULL. */
void ol_config_control_set_invalid(OlConfigControl *control, const char *reason);

G_END_DECLS
