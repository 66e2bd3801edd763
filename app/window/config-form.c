#include "app/window/config-form.h"

#include "app/sandbox/big-model.h"
#include "app/window/config-row.h"
#include "app/window/fold.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include <string.h>

struct _OlConfigForm {
  GtkBox parent_instance;
  OlFormKind kind;
  const char *data_folder;
  GtkWidget *groups[OL_N_FORM_GROUPS]; /* OlFold, or NULL */
  GPtrArray *rows;                     /* OlConfigRow */
  GtkDropDown *models;                 /* of OL_FORM_SCALE_UP */
  char **model_names;
  gboolean showing;
};

G_DEFINE_FINAL_TYPE(OlConfigForm, ol_config_form, GTK_TYPE_BOX)

enum { EDITED, MODEL_PICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* What most people turn to first. */
static gboolean is_open_at_first(OlFormGroup group, OlFormKind kind)
{
  return group == OL_FORM_MODEL || group == OL_FORM_PLACEMENT ||
         (kind == OL_FORM_SCALE_UP && group == OL_FORM_PARALLEL);
}

/* A fault stands at a key, or at a group of keys: then at the first of them. */
static const char *find_fault(OlConfigForm *self, GPtrArray *faults, OlConfigRow *row)
{
  guint n, key = ol_config_row_get_key(row);
  const char *path = ol_fields_get(&n)[key].path;

  for (guint i = 0; faults && i < faults->len; i++) {
    const OlConfigFault *fault = g_ptr_array_index(faults, i);
    gsize length = strlen(fault->path);
    gboolean is_first = key == 0 || strncmp(ol_fields_get(&n)[key - 1].path, fault->path, length);
    if (strcmp(fault->path, path) == 0 ||
        (strncmp(fault->path, path, length) == 0 && path[length] == '.' && is_first))
      return fault->reason;
  }
  return NULL;
}

static void show_model(OlConfigForm *self, const OlConfigDraft *draft)
{
  int found = ol_big_model_find(draft, self->model_names, self->data_folder);

  /* The last of the list: numbers of one's own. */
  gtk_drop_down_set_selected(self->models,
                             found >= 0 ? (guint)found : g_strv_length(self->model_names));
}

void ol_config_form_show(OlConfigForm *self, const OlConfigDraft *draft, GPtrArray *faults)
{
  self->showing = TRUE;
  if (self->models)
    show_model(self, draft);
  for (guint i = 0; i < self->rows->len; i++) {
    OlConfigRow *row = g_ptr_array_index(self->rows, i);
    const char *fault = find_fault(self, faults, row);
    ol_config_row_show(row, draft);
    ol_config_row_set_fault(row, fault);
    if (fault)
      ol_fold_set_open(OL_FOLD(gtk_widget_get_ancestor(GTK_WIDGET(row), OL_TYPE_FOLD)), TRUE);
  }
  self->showing = FALSE;
}

void ol_config_form_grab(OlConfigForm *self)
{
  gtk_widget_child_focus(GTK_WIDGET(self), GTK_DIR_TAB_FORWARD);
}

static void on_edited(OlConfigRow *row, const char *typed, OlConfigForm *self)
{
  if (!self->showing)
    g_signal_emit(self, signals[EDITED], 0, ol_config_row_get_key(row), typed);
}

static void on_model(OlConfigForm *self)
{
  guint picked = gtk_drop_down_get_selected(self->models);

  if (!self->showing && picked < g_strv_length(self->model_names))
    g_signal_emit(self, signals[MODEL_PICKED], 0, self->model_names[picked]);
}

/* Any model that the lab knows, above the numbers that it sets. */
static GtkWidget *make_models(OlConfigForm *self)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkLabel *title = ol_words_label_new(_("Model"), "config-title");
  GtkStringList *titles = gtk_string_list_new(NULL);

  self->model_names = ol_model_reference_list(self->data_folder);
  for (char **name = self->model_names; *name; name++) {
    g_autoptr(OlModelReference) model = ol_model_reference_load(self->data_folder, *name, NULL);
    gtk_string_list_append(titles, model ? model->title : *name);
  }
  gtk_string_list_append(titles, _("Numbers of my own"));
  self->models = GTK_DROP_DOWN(gtk_drop_down_new(G_LIST_MODEL(titles), NULL));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->models), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Model"), -1);
  g_signal_connect_swapped(self->models, "notify::selected", G_CALLBACK(on_model), self);
  gtk_widget_set_hexpand(GTK_WIDGET(title), TRUE);
  gtk_widget_add_css_class(line, "config-row");
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(title));
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(self->models));
  return line;
}

static GtkWidget *make_group(OlConfigForm *self, OlFormGroup group)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  guint n;
  const OlFieldWords *words = ol_field_words_get(&n);
  gboolean any = FALSE;

  gtk_widget_add_css_class(column, "config-group");
  if (group == OL_FORM_MODEL && self->kind == OL_FORM_SCALE_UP)
    gtk_box_append(GTK_BOX(column), make_models(self));
  for (guint i = 0; i < n; i++) {
    GtkWidget *row;
    if (words[i].group != group || (self->kind == OL_FORM_SCALE_UP && words[i].only_real))
      continue;
    row = ol_config_row_new(ol_config_key(words[i].path), self->kind, self->data_folder);
    g_signal_connect(row, "edited", G_CALLBACK(on_edited), self);
    g_ptr_array_add(self->rows, row);
    gtk_box_append(GTK_BOX(column), row);
    any = TRUE;
  }
  if (any)
    return ol_fold_new(ol_form_group_title(group), column);
  g_object_unref(g_object_ref_sink(column));
  return NULL;
}

static void finalize(GObject *object)
{
  OlConfigForm *self = OL_CONFIG_FORM(object);

  g_ptr_array_unref(self->rows);
  g_strfreev(self->model_names);
  G_OBJECT_CLASS(ol_config_form_parent_class)->finalize(object);
}

static void ol_config_form_class_init(OlConfigFormClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[EDITED] = g_signal_new("edited", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_STRING);
  signals[MODEL_PICKED] = g_signal_new("model-picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void ol_config_form_init(OlConfigForm *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "config-form");
  self->rows = g_ptr_array_new();
}

GtkWidget *ol_config_form_new(OlFormKind kind, const char *data_folder)
{
  OlConfigForm *self = g_object_new(OL_TYPE_CONFIG_FORM, NULL);

  self->kind = kind;
  self->data_folder = data_folder;
  for (int group = 0; group < OL_N_FORM_GROUPS; group++) {
    self->groups[group] = make_group(self, (OlFormGroup)group);
    if (!self->groups[group])
      continue;
    gtk_box_append(GTK_BOX(self), self->groups[group]);
    ol_fold_set_open(OL_FOLD(self->groups[group]), is_open_at_first((OlFormGroup)group, kind));
  }
  return GTK_WIDGET(self);
}
