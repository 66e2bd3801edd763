#include "app/window/question-editor.h"

#include "app/window/option-editor.h"
#include "app/window/words-entry.h"
#include "engine/base/intl.h"

struct _OlQuestionEditor {
  GtkBox parent_instance;
  guint least, most;
  char *words;
  GArray *options; /* OlOption, owned */
  OlWordsEntry *text;
  GtkBox *rows;
  GPtrArray *editors; /* OlOptionEditor, borrowed: children of rows; no fewer than options */
  GtkWidget *add;
};

G_DEFINE_FINAL_TYPE(OlQuestionEditor, ol_question_editor, GTK_TYPE_BOX)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void clear_option(gpointer data)
{
  OlOption *option = data;

  g_free(option->text);
  g_free(option->why);
}

static OlOption *get_option(OlQuestionEditor *self, guint position)
{
  return &g_array_index(self->options, OlOption, position);
}

static void tell(OlQuestionEditor *self, const char *what, int position)
{
  g_autofree char *words = position < 0 ? g_strdup(what) : g_strdup_printf("%s-%d", what, position);

  g_signal_emit(self, signals[CHANGED], 0, words);
}

static guint find(OlQuestionEditor *self, OlOptionEditor *editor)
{
  guint position = 0;

  g_ptr_array_find(self->editors, editor, &position);
  return position;
}

static void on_text(OlQuestionEditor *self)
{
  g_free(self->words);
  self->words = ol_words_entry_dup_text(self->text);
  tell(self, "text", -1);
}

static void on_option_text(OlQuestionEditor *self, OlOptionEditor *editor)
{
  guint position = find(self, editor);

  g_free(get_option(self, position)->text);
  get_option(self, position)->text = ol_option_editor_dup_text(editor);
  tell(self, "option", (int)position);
}

static void on_option_why(OlQuestionEditor *self, OlOptionEditor *editor)
{
  guint position = find(self, editor);

  g_free(get_option(self, position)->why);
  get_option(self, position)->why = ol_option_editor_dup_why(editor);
  tell(self, "why", (int)position);
}

static void show_options(OlQuestionEditor *self);

static void on_marked(OlQuestionEditor *self, gboolean right, OlOptionEditor *editor)
{
  guint position = find(self, editor);

  for (guint i = 0; i < self->options->len; i++)
    get_option(self, i)->right = right && i == position;
  show_options(self);
  tell(self, "mark", -1);
}

static void on_moved(OlQuestionEditor *self, int by, OlOptionEditor *editor)
{
  guint from = find(self, editor);
  gint64 to = (gint64)from + by;
  OlOption option;

  if (to < 0 || to >= self->options->len)
    return;
  option = *get_option(self, from);
  *get_option(self, from) = *get_option(self, (guint)to);
  *get_option(self, (guint)to) = option;
  show_options(self);
  gtk_widget_grab_focus(g_ptr_array_index(self->editors, (guint)to));
  tell(self, "move", -1);
}

static void on_removed(OlQuestionEditor *self, OlOptionEditor *editor)
{
  guint position = find(self, editor);

  if (self->options->len <= self->least)
    return;
  g_array_remove_index(self->options, position);
  show_options(self);
  gtk_widget_grab_focus(g_ptr_array_index(self->editors, MIN(position, self->options->len - 1)));
  tell(self, "remove", -1);
}

static void on_add(OlQuestionEditor *self)
{
  OlOption option = {g_strdup(""), NULL, FALSE};

  if (self->options->len < self->most) {
    g_array_append_val(self->options, option);
    show_options(self);
    gtk_widget_grab_focus(g_ptr_array_index(self->editors, self->options->len - 1));
    tell(self, "add", -1);
  } else {
    g_free(option.text);
  }
}

static void make_editor(OlQuestionEditor *self)
{
  GtkWidget *editor = ol_option_editor_new();

  g_signal_connect_swapped(editor, "text-changed", G_CALLBACK(on_option_text), self);
  g_signal_connect_swapped(editor, "why-changed", G_CALLBACK(on_option_why), self);
  g_signal_connect_object(editor, "marked", G_CALLBACK(on_marked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(editor, "moved", G_CALLBACK(on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped(editor, "removed", G_CALLBACK(on_removed), self);
  g_ptr_array_add(self->editors, editor);
  gtk_box_append(self->rows, editor);
}

static void show_options(OlQuestionEditor *self)
{
  guint n = self->options->len;

  while (self->editors->len < n)
    make_editor(self);
  for (guint i = 0; i < self->editors->len; i++) {
    OlOptionEditor *editor = g_ptr_array_index(self->editors, i);
    gtk_widget_set_visible(GTK_WIDGET(editor), i < n);
    if (i >= n)
      continue;
    ol_option_editor_set(editor, i, get_option(self, i));
    ol_option_editor_allow(editor, i > 0, i + 1 < n, n > self->least);
  }
  gtk_widget_set_visible(self->add, n < self->most);
}

void ol_question_editor_set(OlQuestionEditor *self, const char *text, const OlOption *options,
                            guint n_options)
{
  g_autoptr(GArray) old = self->options;

  self->options = g_array_new(FALSE, TRUE, sizeof(OlOption));
  g_array_set_clear_func(self->options, clear_option);
  for (guint i = 0; i < n_options; i++) {
    OlOption option = {g_strdup(options[i].text), g_strdup(options[i].why), options[i].right};
    g_array_append_val(self->options, option);
  }
  g_free(self->words);
  self->words = g_strdup(text);
  ol_words_entry_set_text(self->text, text);
  show_options(self);
}

const char *ol_question_editor_get_text(OlQuestionEditor *self)
{
  return self->words ? self->words : "";
}

const OlOption *ol_question_editor_get_options(OlQuestionEditor *self, guint *n_options)
{
  *n_options = self->options->len;
  return self->options->len > 0 ? get_option(self, 0) : NULL;
}

void ol_question_editor_grab(OlQuestionEditor *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self->text));
}

static void finalize(GObject *object)
{
  OlQuestionEditor *self = OL_QUESTION_EDITOR(object);

  g_free(self->words);
  g_array_unref(self->options);
  g_ptr_array_unref(self->editors);
  G_OBJECT_CLASS(ol_question_editor_parent_class)->finalize(object);
}

static void ol_question_editor_class_init(OlQuestionEditorClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[CHANGED] = g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void ol_question_editor_init(OlQuestionEditor *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "question-editor");
  self->options = g_array_new(FALSE, TRUE, sizeof(OlOption));
  g_array_set_clear_func(self->options, clear_option);
  self->editors = g_ptr_array_new();
  self->text = OL_WORDS_ENTRY(ol_words_entry_new(_("Question"), _("Question")));
  gtk_widget_add_css_class(GTK_WIDGET(self->text), "heading");
  g_signal_connect_swapped(self->text, "changed", G_CALLBACK(on_text), self);
  self->rows = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->rows), "option-editors");
  self->add = gtk_button_new_with_label(_("Add an option"));
  gtk_widget_set_halign(self->add, GTK_ALIGN_START);
  g_signal_connect_swapped(self->add, "clicked", G_CALLBACK(on_add), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->text));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->rows));
  gtk_box_append(GTK_BOX(self), self->add);
}

GtkWidget *ol_question_editor_new(guint least, guint most)
{
  OlQuestionEditor *self = g_object_new(OL_TYPE_QUESTION_EDITOR, NULL);

  self->least = least;
  self->most = most;
  return GTK_WIDGET(self);
}
