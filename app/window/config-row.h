/* One key of a config on the form: its name, a control that fits its kind, and below it the rule's
 * own words when the value cannot stand. */
#pragma once

#include "app/sandbox/config-draft.h"
#include "app/sandbox/field-words.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CONFIG_ROW (ol_config_row_get_type())
G_DECLARE_FINAL_TYPE(OlConfigRow, ol_config_row, OL, CONFIG_ROW, GtkBox)

/* `key` as in ol_fields_get(); `data_folder` lists what a name may be. Signal "edited": (char *
 * typed), by the learner. */
GtkWidget *ol_config_row_new(guint key, OlFormKind kind, const char *data_folder);
guint ol_config_row_get_key(OlConfigRow *row);
void ol_config_row_show(OlConfigRow *row, const OlConfigDraft *draft);
/* NULL: it can stand. */
void ol_config_row_set_fault(OlConfigRow *row, const char *reason);

G_END_DECLS
