#include "app/window/choice-group.h"

#define MOST_CHOICES 9 /* that have a key */

struct _OlChoiceGroup {
  GtkBox parent_instance;
  GPtrArray *buttons;    /* borrowed: they are children */
  GtkToggleButton *none; /* unseen member of the group: active while nothing is chosen */
  gboolean setting, open;
};

G_DEFINE_FINAL_TYPE(OlChoiceGroup, ol_choice_group, GTK_TYPE_BOX)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void on_toggled(OlChoiceGroup *self, GtkToggleButton *button)
{
  guint position;

  if (!self->setting && gtk_toggle_button_get_active(button) &&
      g_ptr_array_find(self->buttons, button, &position))
    g_signal_emit(self, signals[CHOSEN], 0, position);
}

void ol_choice_group_set_texts(OlChoiceGroup *self, const char *const *texts, guint n)
{
  for (guint i = 0; i < self->buttons->len; i++)
    gtk_box_remove(GTK_BOX(self), g_ptr_array_index(self->buttons, i));
  g_ptr_array_set_size(self->buttons, 0);
  for (guint i = 0; i < n; i++) {
    GtkWidget *button = ol_choice_button_new(i, texts[i]);
    gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), self->none);
    g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_toggled), self);
    gtk_box_append(GTK_BOX(self), button);
    g_ptr_array_add(self->buttons, button);
  }
}

void ol_choice_group_set_options(OlChoiceGroup *self, const OlOption *options, const guint *order,
                                 guint n)
{
  g_autofree const char **texts = g_new(const char *, n);

  for (guint i = 0; i < n; i++)
    texts[i] = options[order[i]].text;
  ol_choice_group_set_texts(self, texts, n);
}

void ol_choice_group_set_chosen(OlChoiceGroup *self, int position)
{
  gboolean known = position >= 0 && position < (int)self->buttons->len;
  GtkToggleButton *button = known ? g_ptr_array_index(self->buttons, (guint)position) : self->none;

  self->setting = TRUE;
  gtk_toggle_button_set_active(button, TRUE);
  self->setting = FALSE;
}

void ol_choice_group_set_verdict(OlChoiceGroup *self, guint position, OlVerdict verdict)
{
  if (position < self->buttons->len)
    ol_choice_button_set_verdict(g_ptr_array_index(self->buttons, position), verdict);
}

void ol_choice_group_set_open(OlChoiceGroup *self, gboolean open)
{
  self->open = open;
  for (guint i = 0; i < self->buttons->len; i++) {
    gtk_widget_set_can_target(g_ptr_array_index(self->buttons, i), open);
    gtk_widget_set_can_focus(g_ptr_array_index(self->buttons, i), open);
  }
}

void ol_choice_group_grab(OlChoiceGroup *self)
{
  if (self->open && self->buttons->len > 0)
    gtk_widget_grab_focus(g_ptr_array_index(self->buttons, 0));
}

static gboolean on_key(GtkWidget *widget, GVariant *position, gpointer data)
{
  OlChoiceGroup *self = OL_CHOICE_GROUP(widget);
  guint i = g_variant_get_uint32(position);

  if (!self->open || !gtk_widget_get_mapped(widget) || i >= self->buttons->len)
    return FALSE;
  gtk_widget_grab_focus(g_ptr_array_index(self->buttons, i));
  gtk_toggle_button_set_active(g_ptr_array_index(self->buttons, i), TRUE);
  return TRUE;
}

static void add_key(GtkShortcutController *keys, guint key, guint position)
{
  GtkShortcut *shortcut =
      gtk_shortcut_new(gtk_keyval_trigger_new(key, 0), gtk_callback_action_new(on_key, NULL, NULL));

  gtk_shortcut_set_arguments(shortcut, g_variant_new_uint32(position));
  gtk_shortcut_controller_add_shortcut(keys, shortcut);
}

static void finalize(GObject *object)
{
  OlChoiceGroup *self = OL_CHOICE_GROUP(object);

  g_ptr_array_unref(self->buttons);
  g_clear_object(&self->none);
  G_OBJECT_CLASS(ol_choice_group_parent_class)->finalize(object);
}

static void ol_choice_group_class_init(OlChoiceGroupClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[CHOSEN] = g_signal_new("chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void ol_choice_group_init(OlChoiceGroup *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new();

  self->open = TRUE;
  self->buttons = g_ptr_array_new();
  self->none = g_object_ref_sink(GTK_TOGGLE_BUTTON(gtk_toggle_button_new()));
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "choices");
  gtk_shortcut_controller_set_scope(GTK_SHORTCUT_CONTROLLER(keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  for (guint i = 0; i < MOST_CHOICES; i++) {
    add_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_1 + i, i);
    add_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_KP_1 + i, i);
    add_key(GTK_SHORTCUT_CONTROLLER(keys), GDK_KEY_a + i, i);
  }
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
}

GtkWidget *ol_choice_group_new(void)
{
  return g_object_new(OL_TYPE_CHOICE_GROUP, NULL);
}
