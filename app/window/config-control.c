#include "app/window/config-control.h"

#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include <string.h>

#define NUMBER_CHARS 7
#define TEXT_CHARS   14

struct _OlConfigControl {
  GtkBox parent_instance;
  const OlField *field;
  const OlFieldWords *words;
  GtkSwitch *flag;    /* one of these four, */
  GPtrArray *choices; /* GtkToggleButton, one a nick */
  GtkDropDown *names;
  GtkEditable *entry;
  GPtrArray *ids; /* char * or NULL for null: what stands in `names` */
};

G_DEFINE_FINAL_TYPE(OlConfigControl, ol_config_control, GTK_TYPE_BOX)

enum { EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void edited(OlConfigControl *self, const char *typed)
{
  g_signal_emit(self, signals[EDITED], 0, typed ? typed : "");
}

static void name_widget(OlConfigControl *self, gpointer widget, const char *name)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* A switch */

static void on_switched(OlConfigControl *self)
{
  edited(self, gtk_switch_get_active(self->flag) ? "true" : "false");
}

static void make_flag(OlConfigControl *self)
{
  self->flag = GTK_SWITCH(gtk_switch_new());
  gtk_widget_set_valign(GTK_WIDGET(self->flag), GTK_ALIGN_CENTER);
  name_widget(self, self->flag, _(self->words->title));
  g_signal_connect_swapped(self->flag, "notify::active", G_CALLBACK(on_switched), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->flag));
}

/* Buttons in a row */

static const char *nick_at(OlConfigControl *self, guint i)
{
  return i == 0 && self->field->nullable ? "" : self->field->nicks[i];
}

static void on_chosen(OlConfigControl *self, GtkToggleButton *button)
{
  guint i;

  if (gtk_toggle_button_get_active(button) && g_ptr_array_find(self->choices, button, &i))
    edited(self, nick_at(self, i));
}

static void make_choices(OlConfigControl *self)
{
  self->choices = g_ptr_array_new();
  gtk_widget_add_css_class(GTK_WIDGET(self), "linked");
  for (guint i = 0; i < self->field->n_nicks; i++) {
    g_autofree char *word = ol_field_words_dup_value(self->field, self->field->nicks[i]);
    g_autofree char *name = g_strdup_printf("%s: %s", _(self->words->title), word);
    GtkWidget *button = gtk_toggle_button_new_with_label(word);
    gtk_widget_add_css_class(button, "config-choice");
    if (i > 0)
      gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), g_ptr_array_index(self->choices, 0));
    name_widget(self, button, name);
    g_ptr_array_add(self->choices, button);
    g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_chosen), self);
    gtk_box_append(GTK_BOX(self), button);
  }
}

/* A list of names */

static char *dup_title(OlConfigControl *self, const char *id, const char *data_folder)
{
  if (strcmp(self->field->path, "hardware.profile") == 0) {
    g_autoptr(OlHardware) hardware = ol_hardware_load(data_folder, id, NULL);
    return g_strdup(hardware ? hardware->title : id);
  }
  g_autoptr(OlModelReference) model = ol_model_reference_load(data_folder, id, NULL);
  return g_strdup(model ? model->title : id);
}

static void add_name(OlConfigControl *self, const char *id, const char *title)
{
  g_ptr_array_add(self->ids, g_strdup(id));
  gtk_string_list_append(GTK_STRING_LIST(gtk_drop_down_get_model(self->names)), title);
}

static void on_picked(OlConfigControl *self)
{
  guint i = gtk_drop_down_get_selected(self->names);

  if (i < self->ids->len)
    edited(self, g_ptr_array_index(self->ids, i));
}

static void make_names(OlConfigControl *self, const char *data_folder)
{
  gboolean machines = strcmp(self->field->path, "hardware.profile") == 0;
  g_auto(GStrv) ids =
      machines ? ol_hardware_list(data_folder) : ol_model_reference_list(data_folder);

  self->ids = g_ptr_array_new_with_free_func(g_free);
  self->names = GTK_DROP_DOWN(gtk_drop_down_new_from_strings((const char *const[]){NULL}));
  if (self->field->nullable)
    add_name(self, NULL, self->words->null_word ? _(self->words->null_word) : NULL);
  for (char **id = ids; id && *id; id++) {
    g_autofree char *title = dup_title(self, *id, data_folder);
    add_name(self, *id, title);
  }
  name_widget(self, self->names, _(self->words->title));
  g_signal_connect_swapped(self->names, "notify::selected", G_CALLBACK(on_picked), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->names));
}

static void show_name(OlConfigControl *self, const char *typed)
{
  guint i = 0;

  while (i < self->ids->len && g_strcmp0(g_ptr_array_index(self->ids, i), *typed ? typed : NULL))
    i++;
  if (i == self->ids->len) /* of a file from elsewhere: the forecast says that it is unknown */
    add_name(self, typed, typed);
  gtk_drop_down_set_selected(self->names, i);
}

/* An entry */

static void on_typed(OlConfigControl *self)
{
  edited(self, gtk_editable_get_text(self->entry));
}

static void make_entry(OlConfigControl *self)
{
  gboolean is_text = ol_field_is_text(self->field);
  GtkWidget *entry = gtk_entry_new();

  self->entry = GTK_EDITABLE(entry);
  gtk_editable_set_width_chars(self->entry, is_text ? TEXT_CHARS : NUMBER_CHARS);
  gtk_editable_set_max_width_chars(self->entry, is_text ? TEXT_CHARS : NUMBER_CHARS);
  gtk_editable_set_alignment(self->entry, is_text ? 0 : 1);
  gtk_editable_set_enable_undo(self->entry, FALSE); /* the form has its own, over all keys */
  if (self->words->null_word)
    gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _(self->words->null_word));
  name_widget(self, entry, _(self->words->title));
  g_signal_connect_swapped(entry, "changed", G_CALLBACK(on_typed), self);
  gtk_box_append(GTK_BOX(self), entry);
  if (self->words->unit) {
    GtkWidget *unit = gtk_label_new(_(self->words->unit));
    gtk_widget_add_css_class(unit, "config-unit");
    gtk_box_append(GTK_BOX(self), unit);
  }
}

static void show_choice(OlConfigControl *self, const char *typed)
{
  for (guint i = 0; i < self->choices->len; i++)
    if (strcmp(nick_at(self, i), typed) == 0)
      gtk_toggle_button_set_active(g_ptr_array_index(self->choices, i), TRUE);
}

/* A space at the end may be the beginning of a word: what is being typed is left alone. */
static void show_text(OlConfigControl *self, const char *typed)
{
  g_autofree char *present = g_strstrip(g_strdup(gtk_editable_get_text(self->entry)));

  if (strcmp(present, typed) != 0)
    gtk_editable_set_text(self->entry, typed);
}

void ol_config_control_show(OlConfigControl *self, const char *typed)
{
  if (self->flag)
    gtk_switch_set_active(self->flag, strcmp(typed, "true") == 0);
  else if (self->choices)
    show_choice(self, typed);
  else if (self->names)
    show_name(self, typed);
  else
    show_text(self, typed);
}

void ol_config_control_set_invalid(OlConfigControl *self, const char *reason)
{
  if (!self->entry)
    return;
  if (reason)
    gtk_widget_add_css_class(GTK_WIDGET(self->entry), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->entry), "error");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 reason ? reason : "", -1);
}

static void finalize(GObject *object)
{
  OlConfigControl *self = OL_CONFIG_CONTROL(object);

  g_clear_pointer(&self->choices, g_ptr_array_unref);
  g_clear_pointer(&self->ids, g_ptr_array_unref);
  G_OBJECT_CLASS(ol_config_control_parent_class)->finalize(object);
}

static void ol_config_control_class_init(OlConfigControlClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[EDITED] = g_signal_new("edited", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void ol_config_control_init(OlConfigControl *self)
{
  gtk_widget_set_valign(GTK_WIDGET(self), GTK_ALIGN_CENTER);
}

GtkWidget *ol_config_control_new(const OlField *field, const OlFieldWords *words,
                                 const char *data_folder)
{
  OlConfigControl *self = g_object_new(OL_TYPE_CONFIG_CONTROL, NULL);

  self->field = field;
  self->words = words;
  if (field->kind == OL_FIELD_FLAG)
    make_flag(self);
  else if (field->kind == OL_FIELD_CHOICE)
    make_choices(self);
  else if (field->kind == OL_FIELD_NAME)
    make_names(self, data_folder);
  else
    make_entry(self);
  return GTK_WIDGET(self);
}
