#include "app/window/quiz-editor.h"

#include "app/window/ask.h"
#include "app/window/doing-rows.h"
#include "app/window/quiz-notes.h"
#include "app/window/quiz-open.h"
#include "app/window/quiz-saves.h"
#include "app/window/quiz-sheet.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define ROWS_AT_ONCE 100u /* each has a dozen widgets */

struct _OlQuizEditor {
  GtkBox parent_instance;
  OlQuiz *quiz;
  char *path;
  gboolean changed;
  guint shown; /* rows */
  GtkLabel *title, *about;
  GtkWidget *list; /* or … */
  OlQuizSheet *sheet;
  OlQuizSaves *saves;
  GtkWidget *notes_fold, *marks_row, *marks, *ask, *more;
  GtkBox *rows;
};

G_DEFINE_FINAL_TYPE(OlQuizEditor, ol_quiz_editor, GTK_TYPE_BOX)

enum { ASK, LEFT, N_SIGNALS };
static guint signals[N_SIGNALS];

static OlQuizQuestion *get_question(OlQuizEditor *self, guint i)
{
  return g_ptr_array_index(self->quiz->questions, i);
}

/* The list */

static void show_about(OlQuizEditor *self)
{
  guint n = self->quiz->questions->len, unmarked = ol_quiz_count_unmarked(self->quiz);
  g_autofree char *name = g_filename_display_basename(self->path);
  g_autofree char *count = g_strdup_printf(ol_ngettext("%u question", "%u questions", n), n);
  g_autofree char *rest = g_strdup_printf(
      ol_ngettext("%u without a marked answer", "%u without a marked answer", unmarked), unmarked);
  g_autofree char *words = unmarked > 0 ? g_strdup_printf("%s · %s · %s", name, count, rest)
                                        : g_strdup_printf("%s · %s", name, count);

  gtk_label_set_text(self->title, self->quiz->title);
  gtk_label_set_text(self->about, words);
  gtk_widget_set_visible(self->marks_row, unmarked > 0);
  gtk_widget_set_sensitive(self->ask, unmarked < n);
}

static void on_edit(GtkWidget *button, gpointer data);

static void add_row(OlQuizEditor *self, guint i)
{
  const OlQuizQuestion *question = get_question(self, i);
  const OlOption *right = ol_quiz_question_count_right(question) > 0
                              ? ol_options_find_right(question->options, question->n_options)
                              : NULL;
  g_autofree char *title = g_strdup_printf("%u. %s", i + 1, question->text);
  g_autofree char *whole = g_strdup_printf(_("Edit question %u"), i + 1);
  GtkWidget *button = ol_doing_button_new(_("Edit"), whole, NULL);

  g_object_set_data(G_OBJECT(button), "question", GUINT_TO_POINTER(i));
  g_signal_connect(button, "clicked", G_CALLBACK(on_edit), self);
  ol_doing_rows_add(self->rows, title, right ? right->text : _("No answer is marked yet."), button);
}

static void show_rows(OlQuizEditor *self)
{
  guint n = self->quiz->questions->len;

  ol_doing_rows_clear(self->rows);
  for (guint i = 0; i < MIN(self->shown, n); i++)
    add_row(self, i);
  gtk_widget_set_visible(self->more, n > self->shown);
}

static void show_list(OlQuizEditor *self)
{
  show_about(self);
  show_rows(self);
  gtk_widget_set_visible(self->list, TRUE);
  gtk_widget_set_visible(GTK_WIDGET(self->sheet), FALSE);
}

static void on_more(OlQuizEditor *self)
{
  self->shown += ROWS_AT_ONCE;
  show_rows(self);
}

static void on_marks(OlQuizEditor *self)
{
  g_autoptr(GError) error = NULL;

  if (ol_quiz_mark_all(self->quiz, gtk_editable_get_text(GTK_EDITABLE(self->marks)), &error)) {
    self->changed = TRUE;
    gtk_editable_set_text(GTK_EDITABLE(self->marks), "");
    show_list(self);
    gtk_widget_grab_focus(self->ask);
  } else {
    ol_ask_nothing(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))),
                   _("The answers do not fit the questions"), error->message);
  }
}

/* One question */

static void show_one(OlQuizEditor *self, guint i)
{
  gtk_widget_set_visible(self->list, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->sheet), TRUE);
  ol_quiz_sheet_show(self->sheet, self->quiz, i);
}

static void on_edit(GtkWidget *button, gpointer data)
{
  show_one(data, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "question")));
}

static void on_changed(OlQuizEditor *self)
{
  self->changed = TRUE;
}

static void on_done(OlQuizEditor *self, guint question)
{
  self->shown = MAX(self->shown, question + 1);
  ol_quiz_editor_show(self);
}

static void on_add(OlQuizEditor *self)
{
  const OlOption options[] = {{_("First option"), NULL, TRUE}, {_("Second option"), NULL, FALSE}};
  g_autoptr(GError) error = NULL;

  if (ol_quiz_add(self->quiz, _("A new question?"), options, G_N_ELEMENTS(options), &error)) {
    self->changed = TRUE;
    show_one(self, self->quiz->questions->len - 1);
  } else {
    ol_ask_nothing(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), _("No question was added"),
                   error->message);
  }
}

/* All of it is in a file. */
static void on_saved(OlQuizEditor *self)
{
  self->changed = FALSE;
}

static void on_ask(OlQuizEditor *self)
{
  g_signal_emit(self, signals[ASK], 0);
}

static void on_left_for_good(gpointer owner)
{
  OL_QUIZ_EDITOR(owner)->changed = FALSE;
  g_signal_emit(owner, signals[LEFT], 0);
}

static void on_leave(OlQuizEditor *self)
{
  if (self->changed)
    ol_ask(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), _("Leave the quiz without saving?"),
           _("What was changed since it was saved last is lost."), _("Stay"), _("Leave it"),
           ADW_RESPONSE_DESTRUCTIVE, on_left_for_good, self);
  else
    g_signal_emit(self, signals[LEFT], 0);
}

/* From outside */

gboolean ol_quiz_editor_open(OlQuizEditor *self, const char *path)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  OlQuiz *quiz = ol_quiz_open_read(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), path, notes);

  if (!quiz)
    return FALSE;
  g_clear_pointer(&self->quiz, ol_quiz_free);
  self->quiz = quiz;
  g_free(self->path);
  self->path = g_strdup(path);
  ol_quiz_saves_set(self->saves, quiz, path);
  self->changed = FALSE;
  self->shown = ROWS_AT_ONCE;
  ol_quiz_notes_fold_show(self->notes_fold, notes);
  return TRUE;
}

OlQuiz *ol_quiz_editor_get_quiz(OlQuizEditor *self)
{
  return self->quiz;
}

gboolean ol_quiz_editor_is_changed(OlQuizEditor *self)
{
  return self->changed;
}

void ol_quiz_editor_forget(OlQuizEditor *self)
{
  self->changed = FALSE;
}

void ol_quiz_editor_show(OlQuizEditor *self)
{
  show_list(self);
  gtk_widget_grab_focus(gtk_widget_get_sensitive(self->ask) ? self->ask : self->marks);
}

static void finalize(GObject *object)
{
  OlQuizEditor *self = OL_QUIZ_EDITOR(object);

  g_clear_pointer(&self->quiz, ol_quiz_free);
  g_free(self->path);
  G_OBJECT_CLASS(ol_quiz_editor_parent_class)->finalize(object);
}

static void ol_quiz_editor_class_init(OlQuizEditorClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[ASK] = g_signal_new("ask", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LEFT] =
      g_signal_new("left", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *add_button(OlQuizEditor *self, GtkWidget *box, const char *words,
                             void (*clicked)(OlQuizEditor *self))
{
  GtkWidget *button = gtk_button_new_with_label(words);

  g_signal_connect_swapped(button, "clicked", G_CALLBACK(clicked), self);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static GtkWidget *make_marks(OlQuizEditor *self)
{
  GtkWidget *rows = ol_doing_rows_new(), *end = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->marks = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(self->marks), 12);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->marks), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Answers, a letter for each question"), -1);
  g_signal_connect_swapped(self->marks, "activate", G_CALLBACK(on_marks), self);
  gtk_box_append(GTK_BOX(end), self->marks);
  add_button(self, end, _("Mark"), on_marks);
  ol_doing_rows_add(GTK_BOX(rows), _("Mark the answers of all questions"),
                    _("A letter for each question in order, such as DBC-A; - leaves one as it is."),
                    end);
  return rows;
}

static GtkWidget *make_list(OlQuizEditor *self)
{
  GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->title = ol_words_label_new(NULL, "heading");
  self->about = ol_words_label_new(NULL, "dim-label");
  self->notes_fold = ol_quiz_notes_fold_new();
  self->marks_row = make_marks(self);
  self->rows = GTK_BOX(ol_doing_rows_new());
  gtk_widget_add_css_class(buttons, "page-buttons");
  self->ask = add_button(self, buttons, _("Ask the questions"), on_ask);
  gtk_widget_add_css_class(self->ask, "suggested-action");
  add_button(self, buttons, _("Add a question"), on_add);
  add_button(self, buttons, _("Close the file"), on_leave);
  self->saves = OL_QUIZ_SAVES(ol_quiz_saves_new());
  g_signal_connect_swapped(self->saves, "saved", G_CALLBACK(on_saved), self);
  self->more = gtk_button_new_with_label(_("Show more questions"));
  gtk_widget_set_halign(self->more, GTK_ALIGN_START);
  g_signal_connect_swapped(self->more, "clicked", G_CALLBACK(on_more), self);
  GtkWidget *parts[] = {
      GTK_WIDGET(self->title), GTK_WIDGET(self->about), self->notes_fold, buttons,
      self->marks_row,         GTK_WIDGET(self->rows),  self->more,       GTK_WIDGET(self->saves)};
  for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
    gtk_box_append(GTK_BOX(list), parts[i]);
  gtk_widget_add_css_class(list, "quiz-list");
  return list;
}

static void ol_quiz_editor_init(OlQuizEditor *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  self->list = make_list(self);
  self->sheet = OL_QUIZ_SHEET(ol_quiz_sheet_new());
  g_signal_connect_swapped(self->sheet, "changed", G_CALLBACK(on_changed), self);
  g_signal_connect_swapped(self->sheet, "done", G_CALLBACK(on_done), self);
  gtk_box_append(GTK_BOX(self), self->list);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->sheet));
}

GtkWidget *ol_quiz_editor_new(void)
{
  return g_object_new(OL_TYPE_QUIZ_EDITOR, NULL);
}
