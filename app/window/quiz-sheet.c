#include "app/window/quiz-sheet.h"

#include "app/window/question-editor.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlQuizSheet {
  GtkBox parent_instance;
  OlQuiz *quiz;
  guint position;
  GtkLabel *number, *fault;
  OlQuestionEditor *question;
  GtkWidget *done, *before, *after, *remove;
};

G_DEFINE_FINAL_TYPE(OlQuizSheet, ol_quiz_sheet, GTK_TYPE_BOX)

enum { CHANGED, DONE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* What is typed becomes the question's, or it is said why it cannot. */
static gboolean take(OlQuizSheet *self)
{
  guint n;
  const OlOption *options = ol_question_editor_get_options(self->question, &n);
  g_autoptr(GError) error = NULL;
  gboolean taken =
      ol_quiz_question_set(g_ptr_array_index(self->quiz->questions, self->position),
                           ol_question_editor_get_text(self->question), options, n, &error);
  g_autofree char *words =
      error ? g_strdup_printf(_("Not taken over yet: %s."), error->message) : NULL;

  gtk_label_set_text(self->fault, words ? words : "");
  gtk_widget_set_visible(GTK_WIDGET(self->fault), error != NULL);
  return taken;
}

void ol_quiz_sheet_show(OlQuizSheet *self, OlQuiz *quiz, guint i)
{
  const OlQuizQuestion *question = g_ptr_array_index(quiz->questions, i);
  guint n = quiz->questions->len;
  g_autofree char *number = g_strdup_printf(_("Question %u of %u"), i + 1, n);

  self->quiz = quiz;
  self->position = i;
  gtk_label_set_text(self->number, number);
  ol_question_editor_set(self->question, question->text, question->options, question->n_options);
  gtk_widget_set_sensitive(self->before, i > 0);
  gtk_widget_set_sensitive(self->after, i + 1 < n);
  gtk_widget_set_sensitive(self->remove, n > 1);
  gtk_widget_set_visible(GTK_WIDGET(self->fault), FALSE);
  ol_question_editor_grab(self->question);
}

static void on_changed(OlQuizSheet *self, const char *what)
{
  if (take(self))
    g_signal_emit(self, signals[CHANGED], 0);
}

/* Leaves the question if it can be taken, else stays and says why. */
static void go(OlQuizSheet *self, int by)
{
  gint64 to = (gint64)self->position + by;

  if (take(self) && to >= 0 && to < self->quiz->questions->len)
    ol_quiz_sheet_show(self, self->quiz, (guint)to);
}

static void on_before(OlQuizSheet *self)
{
  go(self, -1);
}

static void on_after(OlQuizSheet *self)
{
  go(self, 1);
}

static void on_done(OlQuizSheet *self)
{
  if (take(self))
    g_signal_emit(self, signals[DONE], 0, self->position);
}

static void on_remove(OlQuizSheet *self)
{
  g_ptr_array_remove_index(self->quiz->questions, self->position);
  g_signal_emit(self, signals[CHANGED], 0);
  g_signal_emit(self, signals[DONE], 0, self->position);
}

static void ol_quiz_sheet_class_init(OlQuizSheetClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DONE] = g_signal_new("done", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_UINT);
}

static GtkWidget *add_button(OlQuizSheet *self, GtkWidget *box, const char *words,
                             void (*clicked)(OlQuizSheet *self))
{
  GtkWidget *button = gtk_button_new_with_label(words);

  g_signal_connect_swapped(button, "clicked", G_CALLBACK(clicked), self);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static void ol_quiz_sheet_init(OlQuizSheet *self)
{
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "quiz-list");
  gtk_widget_add_css_class(buttons, "page-buttons");
  self->number = ol_words_label_new(NULL, "dim-label");
  self->question = OL_QUESTION_EDITOR(ol_question_editor_new(2, OL_QUIZ_MOST_OPTIONS));
  self->fault = ol_words_label_new(NULL, "error");
  g_signal_connect_swapped(self->question, "changed", G_CALLBACK(on_changed), self);
  self->done = add_button(self, buttons, _("Done"), on_done);
  gtk_widget_add_css_class(self->done, "suggested-action");
  self->before = add_button(self, buttons, _("Previous"), on_before);
  self->after = add_button(self, buttons, _("Next"), on_after);
  self->remove = add_button(self, buttons, _("Remove the question"), on_remove);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->number));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->question));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->fault));
  gtk_box_append(GTK_BOX(self), buttons);
}

GtkWidget *ol_quiz_sheet_new(void)
{
  return g_object_new(OL_TYPE_QUIZ_SHEET, NULL);
}
