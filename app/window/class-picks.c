#include "app/window/class-picks.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlClassPicks {
  GtkBox parent_instance;
  GPtrArray *checks; /* GtkCheckButton */
};

enum { CHANGED, REMOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(OlClassPicks, ol_class_picks, GTK_TYPE_BOX)

static void on_toggled(OlClassPicks *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
}

static void on_remove(OlClassPicks *self)
{
  g_signal_emit(self, signals[REMOVED], 0);
}

guint ol_class_picks_count(OlClassPicks *self)
{
  return self->checks->len;
}

gboolean ol_class_picks_is_checked(OlClassPicks *self, guint i)
{
  return gtk_check_button_get_active(g_ptr_array_index(self->checks, i));
}

gboolean ol_class_picks_has_checked(OlClassPicks *self)
{
  for (guint i = 0; i < self->checks->len; i++)
    if (ol_class_picks_is_checked(self, i))
      return TRUE;
  return FALSE;
}

void ol_class_picks_add(OlClassPicks *self, const char *text, gboolean checked)
{
  GtkWidget *check = gtk_check_button_new();

  gtk_check_button_set_child(GTK_CHECK_BUTTON(check), GTK_WIDGET(ol_words_label_new(text, NULL)));
  gtk_accessible_update_property(GTK_ACCESSIBLE(check), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(check), checked);
  g_signal_connect_swapped(check, "toggled", G_CALLBACK(on_toggled), self);
  gtk_box_append(GTK_BOX(self), check);
  g_ptr_array_add(self->checks, check);
}

/* From the end: so whoever looks for one that is checked finds it soon. */
void ol_class_picks_uncheck(OlClassPicks *self)
{
  for (guint i = self->checks->len; i > 0; i--)
    gtk_check_button_set_active(g_ptr_array_index(self->checks, i - 1), FALSE);
}

static void finalize(GObject *object)
{
  g_ptr_array_unref(OL_CLASS_PICKS(object)->checks);
  G_OBJECT_CLASS(ol_class_picks_parent_class)->finalize(object);
}

static void ol_class_picks_class_init(OlClassPicksClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REMOVED] =
      g_signal_new("removed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_class_picks_init(OlClassPicks *self)
{
  self->checks = g_ptr_array_new();
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "card");
  gtk_widget_add_css_class(GTK_WIDGET(self), "class-lessons");
}

static GtkWidget *make_remove(OlClassPicks *self, const char *title)
{
  GtkWidget *remove = gtk_button_new_with_label(_("Remove"));
  g_autofree char *whole = g_strdup_printf(_("Remove the quiz %s"), title);

  gtk_accessible_update_property(GTK_ACCESSIBLE(remove), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  gtk_widget_add_css_class(remove, "flat");
  gtk_widget_set_valign(remove, GTK_ALIGN_START);
  g_signal_connect_swapped(remove, "clicked", G_CALLBACK(on_remove), self);
  return remove;
}

GtkWidget *ol_class_picks_new(const char *title, gboolean removable, GtkWidget *extra)
{
  OlClassPicks *self = g_object_new(OL_TYPE_CLASS_PICKS, NULL);
  GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *words = GTK_WIDGET(ol_words_label_new(title, "heading"));

  gtk_widget_set_hexpand(words, TRUE);
  gtk_box_append(GTK_BOX(head), words);
  if (removable)
    gtk_box_append(GTK_BOX(head), make_remove(self, title));
  gtk_box_append(GTK_BOX(self), head);
  if (extra)
    gtk_box_append(GTK_BOX(self), extra);
  return GTK_WIDGET(self);
}
