#include "app/window/option-editor.h"

#include "app/window/words-entry.h"
#include "engine/base/intl.h"

struct _OlOptionEditor {
  GtkBox parent_instance;
  GtkToggleButton *mark;
  GtkLabel *badge;
  OlWordsEntry *text, *why;
  GtkWidget *up, *down, *away;
  gboolean setting;
};

G_DEFINE_FINAL_TYPE(OlOptionEditor, ol_option_editor, GTK_TYPE_BOX)

enum { TEXT_CHANGED, WHY_CHANGED, MARKED, MOVED, REMOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* A letter, which is a tick while the option is the right one. */
static void show_mark(OlOptionEditor *self, const char *letter, gboolean right)
{
  g_autofree char *name = g_strdup_printf(
      right ? _("%s is the right option") : _("Mark %s as the right option"), letter);

  gtk_label_set_text(self->badge, right ? "✓" : letter);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->mark), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->mark), name);
}

static void name_button(GtkWidget *button, const char *words, const char *letter)
{
  g_autofree char *name = g_strdup_printf(words, letter);

  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text(button, name);
}

void ol_option_editor_set(OlOptionEditor *self, guint position, const OlOption *option)
{
  const char letter[] = {(char)('A' + position), '\0'};
  g_autofree char *text = g_strdup_printf(_("Option %s"), letter);
  g_autofree char *why = g_strdup_printf(_("Reason of option %s"), letter);

  self->setting = TRUE;
  gtk_toggle_button_set_active(self->mark, option->right);
  self->setting = FALSE;
  show_mark(self, letter, option->right);
  ol_words_entry_set_label(self->text, text);
  ol_words_entry_set_label(self->why, why);
  ol_words_entry_set_text(self->text, option->text);
  ol_words_entry_set_text(self->why, option->why);
  name_button(self->up, _("Move option %s up"), letter);
  name_button(self->down, _("Move option %s down"), letter);
  name_button(self->away, _("Remove option %s"), letter);
}

void ol_option_editor_allow(OlOptionEditor *self, gboolean up, gboolean down, gboolean away)
{
  gtk_widget_set_sensitive(self->up, up);
  gtk_widget_set_sensitive(self->down, down);
  gtk_widget_set_visible(self->away, away);
}

char *ol_option_editor_dup_text(OlOptionEditor *self)
{
  return ol_words_entry_dup_text(self->text);
}

char *ol_option_editor_dup_why(OlOptionEditor *self)
{
  return ol_words_entry_dup_text(self->why);
}

static void on_text(OlOptionEditor *self)
{
  g_signal_emit(self, signals[TEXT_CHANGED], 0);
}

static void on_why(OlOptionEditor *self)
{
  g_signal_emit(self, signals[WHY_CHANGED], 0);
}

static void on_mark(OlOptionEditor *self)
{
  if (!self->setting)
    g_signal_emit(self, signals[MARKED], 0, gtk_toggle_button_get_active(self->mark));
}

static void on_up(OlOptionEditor *self)
{
  g_signal_emit(self, signals[MOVED], 0, -1);
}

static void on_down(OlOptionEditor *self)
{
  g_signal_emit(self, signals[MOVED], 0, 1);
}

static void on_away(OlOptionEditor *self)
{
  g_signal_emit(self, signals[REMOVED], 0);
}

static void ol_option_editor_class_init(OlOptionEditorClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);
  static const struct {
    guint signal;
    const char *name;
    GType of;
  } all[] = {{TEXT_CHANGED, "text-changed", 0},
             {WHY_CHANGED, "why-changed", 0},
             {MARKED, "marked", G_TYPE_BOOLEAN},
             {MOVED, "moved", G_TYPE_INT},
             {REMOVED, "removed", 0}};

  for (guint i = 0; i < G_N_ELEMENTS(all); i++)
    signals[all[i].signal] = g_signal_new(all[i].name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, all[i].of != 0, all[i].of);
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *add_button(OlOptionEditor *self, GtkWidget *row, const char *icon,
                             void (*clicked)(OlOptionEditor *self))
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);

  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_START);
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(clicked), self);
  gtk_box_append(GTK_BOX(row), button);
  return button;
}

static void make_mark(OlOptionEditor *self, GtkWidget *row)
{
  self->badge = GTK_LABEL(gtk_label_new(NULL));
  self->mark = GTK_TOGGLE_BUTTON(gtk_toggle_button_new());
  gtk_button_set_child(GTK_BUTTON(self->mark), GTK_WIDGET(self->badge));
  gtk_widget_add_css_class(GTK_WIDGET(self->mark), "option-mark");
  gtk_widget_set_valign(GTK_WIDGET(self->mark), GTK_ALIGN_START);
  g_signal_connect_swapped(self->mark, "toggled", G_CALLBACK(on_mark), self);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->mark));
}

static void ol_option_editor_init(OlOptionEditor *self)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "option-editor");
  make_mark(self, row);
  self->text = OL_WORDS_ENTRY(ol_words_entry_new("", _("Option")));
  self->why = OL_WORDS_ENTRY(ol_words_entry_new("", _("Why it is right, or why not")));
  gtk_widget_add_css_class(GTK_WIDGET(self->why), "option-reason");
  gtk_widget_set_hexpand(GTK_WIDGET(self->text), TRUE);
  g_signal_connect_swapped(self->text, "changed", G_CALLBACK(on_text), self);
  g_signal_connect_swapped(self->why, "changed", G_CALLBACK(on_why), self);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->text));
  self->up = add_button(self, row, "go-up-symbolic", on_up);
  self->down = add_button(self, row, "go-down-symbolic", on_down);
  self->away = add_button(self, row, "user-trash-symbolic", on_away);
  gtk_box_append(GTK_BOX(self), row);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->why));
}

GtkWidget *ol_option_editor_new(void)
{
  return g_object_new(OL_TYPE_OPTION_EDITOR, NULL);
}
