#include "app/window/review-question.h"

#include "app/window/choice-group.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/quiz.h"

struct _OlReviewQuestion {
  GtkBox parent_instance;
  OlProgress *progress;
  OlReviewCard card;
  OlQuiz *quiz; /* of this one question */
  guint *order; /* shown position → option */
  gboolean complete;
  GtkLabel *question, *verdict, *reason, *right_one, *right_reason, *when, *note;
  GtkWidget *explanation, *buttons, *next;
  OlChoiceGroup *choices;
};

G_DEFINE_FINAL_TYPE(OlReviewQuestion, ol_review_question, GTK_TYPE_BOX)

enum { ANSWERED, NEXT, N_SIGNALS };
static guint signals[N_SIGNALS];

static const OlQuizQuestion *get_question(OlReviewQuestion *self)
{
  return g_ptr_array_index(self->quiz->questions, 0);
}

static void set_words(GtkLabel *label, const char *words)
{
  gtk_label_set_text(label, words ? words : "");
  gtk_widget_set_visible(GTK_WIDGET(label), words != NULL);
}

static void show_right_one(OlReviewQuestion *self, const OlOption *chosen)
{
  const OlQuizQuestion *question = get_question(self);
  const OlOption *right = ol_options_find_right(question->options, question->n_options);
  g_autofree char *words =
      chosen->right ? NULL : g_strdup_printf(_("The right answer: %s"), right->text);

  set_words(self->right_one, words);
  set_words(self->right_reason, chosen->right ? NULL : right->why);
}

static void show_when(OlReviewQuestion *self)
{
  gint64 now = g_get_real_time() / G_USEC_PER_SEC;
  g_autofree char *when = NULL, *words = NULL;

  ol_review_look(self->card.course, self->card.lesson, self->progress, now, &self->card);
  when = ol_review_dup_when(self->card.due, now);
  words = g_strdup_printf(_("This question comes back %s."), when);
  gtk_label_set_text(self->when, words);
}

static void show_verdicts(OlReviewQuestion *self, guint position)
{
  const OlQuizQuestion *question = get_question(self);

  for (guint i = 0; i < question->n_options; i++)
    if (question->options[self->order[i]].right)
      ol_choice_group_set_verdict(self->choices, i, OL_VERDICT_RIGHT);
    else if (i == position)
      ol_choice_group_set_verdict(self->choices, i, OL_VERDICT_WRONG);
  ol_choice_group_set_open(self->choices, FALSE);
}

static void explain(OlReviewQuestion *self, const OlOption *chosen)
{
  if (chosen->right)
    gtk_widget_remove_css_class(self->explanation, "wrong");
  else
    gtk_widget_add_css_class(self->explanation, "wrong");
  gtk_label_set_text(self->verdict, chosen->right ? _("Right.") : _("Not that one."));
  set_words(self->reason, chosen->why);
  show_right_one(self, chosen);
  show_when(self);
  set_words(self->note, self->complete ? NULL
                                       : _("A figure shown as … can only be told by a run: open "
                                           "the lesson to make it."));
  gtk_widget_set_visible(self->explanation, TRUE);
  gtk_widget_set_visible(self->buttons, TRUE);
  gtk_widget_grab_focus(self->next);
}

static void on_chosen(OlReviewQuestion *self, guint position)
{
  guint option = self->order[position];
  const OlOption *chosen = &get_question(self)->options[option];

  ol_progress_review(self->progress, self->card.lesson->id, option, chosen->right, NULL);
  show_verdicts(self, position);
  explain(self, chosen);
  g_signal_emit(self, signals[ANSWERED], 0, chosen->right);
}

void ol_review_question_ask(OlReviewQuestion *self, const OlReviewCard *card, gboolean last)
{
  const OlQuizQuestion *question;

  self->card = *card;
  g_clear_pointer(&self->quiz, ol_quiz_free);
  self->quiz = ol_quiz_new_from_lesson(card->lesson, &self->complete);
  question = get_question(self);
  g_free(self->order);
  self->order = g_new(guint, question->n_options);
  ol_grading_review_order(card->lesson, ol_progress_get_learner(self->progress), card->reviews,
                          self->order);
  ol_choice_group_set_options(self->choices, question->options, self->order, question->n_options);
  ol_choice_group_set_open(self->choices, TRUE);
  gtk_label_set_text(self->question, question->text);
  gtk_button_set_label(GTK_BUTTON(self->next), last ? _("Finish") : _("Next question"));
  gtk_widget_set_visible(self->explanation, FALSE);
  gtk_widget_set_visible(self->buttons, FALSE);
}

void ol_review_question_grab(OlReviewQuestion *self)
{
  ol_choice_group_grab(self->choices);
}

static void on_next(OlReviewQuestion *self)
{
  g_signal_emit(self, signals[NEXT], 0);
}

static void on_open_lesson(OlReviewQuestion *self)
{
  gtk_widget_activate_action(GTK_WIDGET(self), "win.open-lesson", "s", self->card.lesson->id);
}

static void finalize(GObject *object)
{
  OlReviewQuestion *self = OL_REVIEW_QUESTION(object);

  g_clear_pointer(&self->quiz, ol_quiz_free);
  g_free(self->order);
  G_OBJECT_CLASS(ol_review_question_parent_class)->finalize(object);
}

static void ol_review_question_class_init(OlReviewQuestionClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[ANSWERED] = g_signal_new("answered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[NEXT] =
      g_signal_new("next", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *make_explanation(OlReviewQuestion *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(box, "explanation");
  self->verdict = ol_words_label_new(NULL, "heading");
  self->reason = ol_words_label_new(NULL, NULL);
  self->right_one = ol_words_label_new(NULL, "heading");
  self->right_reason = ol_words_label_new(NULL, NULL);
  self->note = ol_words_label_new(NULL, "dim-label");
  self->when = ol_words_label_new(NULL, "dim-label");
  GtkLabel *labels[] = {self->verdict,      self->reason, self->right_one,
                        self->right_reason, self->note,   self->when};
  for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(labels[i]));
  return box;
}

static GtkWidget *make_buttons(OlReviewQuestion *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *lesson = gtk_button_new_with_label(_("Open the lesson"));

  self->next = gtk_button_new_with_label(_("Next question"));
  gtk_widget_add_css_class(self->next, "suggested-action");
  gtk_widget_add_css_class(box, "page-buttons");
  g_signal_connect_swapped(self->next, "clicked", G_CALLBACK(on_next), self);
  g_signal_connect_swapped(lesson, "clicked", G_CALLBACK(on_open_lesson), self);
  gtk_box_append(GTK_BOX(box), self->next);
  gtk_box_append(GTK_BOX(box), lesson);
  return box;
}

static void ol_review_question_init(OlReviewQuestion *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
  self->question = ol_words_label_new(NULL, "heading");
  self->choices = OL_CHOICE_GROUP(ol_choice_group_new());
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->choices), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Answers"), -1);
  g_signal_connect_swapped(self->choices, "chosen", G_CALLBACK(on_chosen), self);
  self->explanation = make_explanation(self);
  self->buttons = make_buttons(self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->question));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->choices));
  gtk_box_append(GTK_BOX(self), self->explanation);
  gtk_box_append(GTK_BOX(self), self->buttons);
}

GtkWidget *ol_review_question_new(OlProgress *progress)
{
  OlReviewQuestion *self = g_object_new(OL_TYPE_REVIEW_QUESTION, NULL);

  self->progress = progress;
  return GTK_WIDGET(self);
}
