#include "app/window/quiz-page.h"

#include "app/window/ask.h"
#include "app/window/asked-question.h"
#include "app/window/doing-rows.h"
#include "app/window/page-frame.h"
#include "app/window/quiz-editor.h"
#include "app/window/quiz-open.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/quiz-round.h"

/* What the page shows. */
typedef enum { CHOICE, QUESTION, SCORE, FILE_OPEN, N_PARTS } Part;

struct _OlQuizPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  OlQuiz *of_course;  /* that is asked, or NULL */
  OlQuizRound *round; /* of it or of the file, or NULL */
  Part part;
  char *waiting; /* a file, while it is asked whether another may be left */
  GtkLabel *lead;
  GtkWidget *parts[N_PARTS];
  GtkBox *choices, *missed;
  OlAskedQuestion *question;
  OlQuizEditor *editor;
  GtkWidget *again, *back;
};

G_DEFINE_FINAL_TYPE(OlQuizPage, ol_quiz_page, GTK_TYPE_BOX)

static void show(OlQuizPage *self, Part part, const char *lead)
{
  self->part = part;
  gtk_label_set_text(self->lead, lead);
  for (int i = 0; i < N_PARTS; i++)
    gtk_widget_set_visible(self->parts[i], i == (int)part);
}

static void end_round(OlQuizPage *self)
{
  g_clear_pointer(&self->round, ol_quiz_round_free);
  g_clear_pointer(&self->of_course, ol_quiz_free);
}

/* Asking */

static void show_score(OlQuizPage *self)
{
  const OlQuizRound *round = self->round;
  g_autofree char *lead =
      g_strdup_printf(_("%s: %u of %u right."), round->quiz->title, round->right, round->answered);

  ol_doing_rows_clear(self->missed);
  for (guint i = 0; i < round->missed->len; i++) {
    const OlQuizQuestion *question = ol_quiz_round_get_missed(round, i);
    const OlOption *right = ol_options_find_right(question->options, question->n_options);
    GtkWidget *end = gtk_label_new(NULL);
    if (question->lesson) {
      g_autofree char *whole = g_strdup_printf(_("Open the lesson %s"), question->name);
      g_object_ref_sink(end);
      g_object_unref(end);
      end = ol_doing_button_new(_("Open"), whole, NULL);
      gtk_actionable_set_action_name(GTK_ACTIONABLE(end), "win.open-lesson");
      gtk_actionable_set_action_target(GTK_ACTIONABLE(end), "s", question->lesson);
    }
    ol_doing_rows_add(self->missed, question->text, right->text, end);
  }
  gtk_widget_set_visible(gtk_widget_get_parent(GTK_WIDGET(self->missed)), round->missed->len > 0);
  show(self, SCORE, lead);
  gtk_widget_grab_focus(self->back);
}

static void ask(OlQuizPage *self)
{
  const OlQuizQuestion *question = ol_quiz_round_get_question(self->round);

  if (!question) {
    show_score(self);
    return;
  }
  g_autofree char *lead =
      g_strdup_printf(_("Question %u of %u, from %s"), self->round->position + 1,
                      self->round->asked->len, self->round->quiz->title);
  ol_asked_question_ask(self->question, question, NULL, ol_quiz_round_is_last(self->round));
  show(self, QUESTION, lead);
  ol_asked_question_grab(self->question);
}

static void begin(OlQuizPage *self, const OlQuiz *quiz)
{
  OlQuizRound *before = self->round;

  self->round = ol_quiz_round_new(quiz);
  ol_quiz_round_free(before);
  ask(self);
}

static gboolean is_complete(const OlQuizQuestion *question)
{
  for (guint i = 0; i < question->n_options; i++)
    if (question->options[i].why && strstr(question->options[i].why, "…"))
      return FALSE;
  return TRUE;
}

static void on_answered(OlQuizPage *self, guint option)
{
  const OlQuizQuestion *question = ol_quiz_round_get_question(self->round);

  ol_quiz_round_answer(self->round, option);
  ol_asked_question_say(self->question, NULL, !question->lesson || is_complete(question));
}

static void on_next(OlQuizPage *self)
{
  ol_quiz_round_go_on(self->round);
  ask(self);
}

static void on_again(OlQuizPage *self)
{
  begin(self, self->round->quiz);
}

/* Choosing */

static void show_choice(OlQuizPage *self)
{
  end_round(self);
  show(self, CHOICE,
       _("Questions in a row, as on paper, with the answer at once. Nothing of it is kept: what "
         "counts is what you answer in a lesson."));
  gtk_widget_grab_focus(gtk_widget_get_first_child(GTK_WIDGET(self->choices)));
}

static void show_file(OlQuizPage *self)
{
  end_round(self);
  show(self, FILE_OPEN, _("A quiz file: its questions, to be asked, edited and saved."));
  ol_quiz_editor_show(self->editor);
}

static void on_back(OlQuizPage *self)
{
  if (self->of_course)
    show_choice(self);
  else
    show_file(self);
}

/* Options in the order in which the lessons show them to this learner. */
static void on_course(GtkWidget *button, gpointer data)
{
  OlQuizPage *self = data;
  const OlCourse *course = g_object_get_data(G_OBJECT(button), "course");
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();

  end_round(self);
  self->of_course = ol_quiz_new_from_course(course, notes);
  ol_quiz_shuffle(self->of_course, self->needs.courses,
                  ol_progress_get_learner(self->needs.progress));
  begin(self, self->of_course);
}

static void open_now(OlQuizPage *self, const char *path)
{
  end_round(self);
  if (self->part != FILE_OPEN)
    show_choice(self);
  if (ol_quiz_editor_open(self->editor, path))
    show_file(self);
}

static void on_may_open(gpointer owner)
{
  OlQuizPage *self = owner;
  g_autofree char *path = g_steal_pointer(&self->waiting);

  if (path)
    open_now(self, path);
}

void ol_quiz_page_open_file(OlQuizPage *self, const char *path)
{
  if (!ol_quiz_editor_is_changed(self->editor)) {
    open_now(self, path);
    return;
  }
  g_free(self->waiting);
  self->waiting = g_strdup(path);
  ol_ask(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), _("Open another quiz?"),
         _("What was changed in the one that is open, and not saved since, is lost."), _("Stay"),
         _("Open the other"), ADW_RESPONSE_DESTRUCTIVE, on_may_open, self);
}

gboolean ol_quiz_page_is_changed(GtkWidget *page)
{
  return ol_quiz_editor_is_changed(OL_QUIZ_PAGE(page)->editor);
}

void ol_quiz_page_forget(GtkWidget *page)
{
  ol_quiz_editor_forget(OL_QUIZ_PAGE(page)->editor);
}

static void on_file(const char *path, gpointer owner)
{
  ol_quiz_page_open_file(owner, path);
}

static void on_open(OlQuizPage *self)
{
  ol_quiz_open_ask(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), on_file, self);
}

static void on_ask(OlQuizPage *self)
{
  begin(self, ol_quiz_editor_get_quiz(self->editor));
}

void ol_quiz_page_open(GtkWidget *page)
{
  OlQuizPage *self = OL_QUIZ_PAGE(page);

  if (self->part == CHOICE)
    show_choice(self);
  else
    gtk_widget_grab_focus(self->parts[self->part]);
}

static void finalize(GObject *object)
{
  end_round(OL_QUIZ_PAGE(object));
  g_free(OL_QUIZ_PAGE(object)->waiting);
  G_OBJECT_CLASS(ol_quiz_page_parent_class)->finalize(object);
}

static void ol_quiz_page_class_init(OlQuizPageClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static GtkWidget *make_choice(OlQuizPage *self)
{
  GtkWidget *rows = ol_doing_rows_new(), *open;

  for (guint i = 0; i < self->needs.courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(self->needs.courses, i);
    g_autofree char *count = g_strdup_printf(
        ol_ngettext("%u question", "%u questions", course->n_lessons), course->n_lessons);
    g_autofree char *whole = g_strdup_printf(_("Ask the questions of %s"), course->title);
    GtkWidget *button = ol_doing_button_new(_("Start"), whole, NULL);
    g_object_set_data(G_OBJECT(button), "course", (gpointer)course);
    g_signal_connect(button, "clicked", G_CALLBACK(on_course), self);
    ol_doing_rows_add(GTK_BOX(rows), course->title, count, button);
  }
  open = ol_doing_button_new(_("Open…"), _("Open a quiz file"), NULL);
  g_signal_connect_swapped(open, "clicked", G_CALLBACK(on_open), self);
  ol_doing_rows_add(GTK_BOX(rows), _("A quiz file"),
                    _("Moodle's GIFT and Aiken, or plain text: to be asked, edited and saved in "
                      "another format."),
                    open);
  self->choices = GTK_BOX(rows);
  return rows;
}

static GtkWidget *make_score(OlQuizPage *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *missed = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->missed = GTK_BOX(ol_doing_rows_new());
  self->again = gtk_button_new_with_label(_("Once more"));
  self->back = gtk_button_new_with_label(_("Back to the list"));
  gtk_widget_add_css_class(self->back, "suggested-action");
  gtk_widget_add_css_class(buttons, "page-buttons");
  gtk_widget_add_css_class(box, "quiz-list");
  gtk_widget_add_css_class(missed, "quiz-list");
  g_signal_connect_swapped(self->again, "clicked", G_CALLBACK(on_again), self);
  g_signal_connect_swapped(self->back, "clicked", G_CALLBACK(on_back), self);
  gtk_box_append(GTK_BOX(missed), GTK_WIDGET(ol_words_label_new(_("To look at again"), "heading")));
  gtk_box_append(GTK_BOX(missed), GTK_WIDGET(self->missed));
  gtk_box_append(GTK_BOX(buttons), self->back);
  gtk_box_append(GTK_BOX(buttons), self->again);
  gtk_box_append(GTK_BOX(box), missed);
  gtk_box_append(GTK_BOX(box), buttons);
  return box;
}

static void ol_quiz_page_init(OlQuizPage *self)
{
  self->lead = ol_words_label_new(NULL, "dim-label");
  self->question = OL_ASKED_QUESTION(ol_asked_question_new());
  self->editor = OL_QUIZ_EDITOR(ol_quiz_editor_new());
  g_signal_connect_swapped(self->question, "answered", G_CALLBACK(on_answered), self);
  g_signal_connect_swapped(self->question, "next", G_CALLBACK(on_next), self);
  g_signal_connect_swapped(self->editor, "ask", G_CALLBACK(on_ask), self);
  g_signal_connect_swapped(self->editor, "left", G_CALLBACK(show_choice), self);
}

GtkWidget *ol_quiz_page_new(const OlLabPageNeeds *needs)
{
  OlQuizPage *self = g_object_new(OL_TYPE_QUIZ_PAGE, NULL);
  GtkBox *column = ol_page_frame_fill(GTK_WIDGET(self), _("Quick quiz"));

  self->needs = *needs;
  self->parts[CHOICE] = make_choice(self);
  self->parts[QUESTION] = GTK_WIDGET(self->question);
  self->parts[SCORE] = make_score(self);
  self->parts[FILE_OPEN] = GTK_WIDGET(self->editor);
  gtk_box_append(column, GTK_WIDGET(self->lead));
  for (int i = 0; i < N_PARTS; i++)
    gtk_box_append(column, self->parts[i]);
  return GTK_WIDGET(self);
}
