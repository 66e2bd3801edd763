#include "app/window/config-row.h"

#include "app/sandbox/slider-stops.h"
#include "app/window/config-control.h"
#include "app/window/wheel.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include <math.h>

struct _OlConfigRow {
  GtkBox parent_instance;
  guint key;
  const OlField *field;
  const OlFieldWords *words;
  GtkLabel *title, *fault;
  OlConfigControl *control;
  GArray *stops; /* of the slider */
  GtkWidget *slider;
  gboolean showing; /* values are being set by us, not by the learner */
};

G_DEFINE_FINAL_TYPE(OlConfigRow, ol_config_row, GTK_TYPE_BOX)

enum { EDITED, N_SIGNALS };
static guint signals[N_SIGNALS];

guint ol_config_row_get_key(OlConfigRow *self)
{
  return self->key;
}

static void on_control_edited(OlConfigRow *self, const char *typed)
{
  if (!self->showing)
    g_signal_emit(self, signals[EDITED], 0, typed);
}

static void on_slid(OlConfigRow *self)
{
  guint stop = (guint)lround(gtk_range_get_value(GTK_RANGE(self->slider)));
  g_autofree char *typed = NULL;

  if (self->showing)
    return;
  typed = ol_field_dup_spelling(self->field, g_array_index(self->stops, double, stop));
  g_signal_emit(self, signals[EDITED], 0, typed);
}

void ol_config_row_show(OlConfigRow *self, const OlConfigDraft *draft)
{
  g_autofree char *typed = ol_config_draft_dup_typed(draft, self->key);
  double number = ol_config_draft_get_number(draft, self->key);

  self->showing = TRUE;
  ol_config_control_show(self->control, typed);
  /* A slider that is held keeps to the hand: its stops are the values already. */
  if (self->slider && !isnan(number))
    gtk_range_set_value(GTK_RANGE(self->slider), ol_slider_stops_find(self->stops, number));
  self->showing = FALSE;
  if (ol_config_draft_is_default(draft, self->key))
    gtk_widget_remove_css_class(GTK_WIDGET(self->title), "changed");
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->title), "changed");
}

void ol_config_row_set_fault(OlConfigRow *self, const char *reason)
{
  gtk_widget_set_visible(GTK_WIDGET(self->fault), reason != NULL);
  gtk_label_set_text(self->fault, reason ? reason : "");
  if (reason)
    gtk_widget_add_css_class(GTK_WIDGET(self), "faulty");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self), "faulty");
  ol_config_control_set_invalid(self->control, reason);
}

static void make_slider(OlConfigRow *self, OlFormKind kind)
{
  self->stops = ol_slider_stops_new(self->field, self->words, kind);
  if (self->stops->len < 2)
    return;
  self->slider = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, self->stops->len - 1, 1);
  gtk_range_set_round_digits(GTK_RANGE(self->slider), 0);
  gtk_range_set_increments(GTK_RANGE(self->slider), 1, 4);
  ol_wheel_ignore(self->slider);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(self->words->title), -1);
  g_signal_connect_swapped(self->slider, "value-changed", G_CALLBACK(on_slid), self);
  gtk_box_append(GTK_BOX(self), self->slider);
}

static void finalize(GObject *object)
{
  OlConfigRow *self = OL_CONFIG_ROW(object);

  g_clear_pointer(&self->stops, g_array_unref);
  G_OBJECT_CLASS(ol_config_row_parent_class)->finalize(object);
}

static void ol_config_row_class_init(OlConfigRowClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[EDITED] = g_signal_new("edited", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void ol_config_row_init(OlConfigRow *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "config-row");
}

GtkWidget *ol_config_row_new(guint key, OlFormKind kind, const char *data_folder)
{
  OlConfigRow *self = g_object_new(OL_TYPE_CONFIG_ROW, NULL);
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  guint n;

  self->key = key;
  self->field = &ol_fields_get(&n)[key];
  self->words = ol_field_words_find(self->field->path);
  self->title = ol_words_label_new(_(self->words->title), "config-title");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title), self->field->path);
  gtk_widget_set_hexpand(GTK_WIDGET(self->title), TRUE);
  self->control = OL_CONFIG_CONTROL(ol_config_control_new(self->field, self->words, data_folder));
  g_signal_connect_swapped(self->control, "edited", G_CALLBACK(on_control_edited), self);
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(self->title));
  gtk_box_append(GTK_BOX(line), GTK_WIDGET(self->control));
  gtk_box_append(GTK_BOX(self), line);
  make_slider(self, kind);
  self->fault = ol_words_label_new(NULL, "config-fault");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->fault));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(self->words->title), -1);
  ol_config_row_set_fault(self, NULL);
  return GTK_WIDGET(self);
}
