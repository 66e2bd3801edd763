/* The form: a row a key of the config, in groups that fold. It shows a draft and tells what the
 * learner changes in it. */
#pragma once

#include "app/sandbox/config-draft.h"
#include "app/sandbox/field-words.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CONFIG_FORM (ol_config_form_get_type())
G_DECLARE_FINAL_TYPE(OlConfigForm, ol_config_form, OL, CONFIG_FORM, GtkBox)

/* Signals: "edited" (guint key, char *typed); "model-picked" (char *name of data/models/), only of
 * OL_FORM_SCALE_UP. */
GtkWidget *ol_config_form_new(OlFormKind kind, const char *data_folder);
/* `faults`: of OlConfigFault, or NULL. What is at fault is unfolded. */
void ol_config_form_show(OlConfigForm *form, const OlConfigDraft *draft, GPtrArray *faults);
/* Puts the focus on the first control. */
void ol_config_form_grab(OlConfigForm *form);

G_END_DECLS
