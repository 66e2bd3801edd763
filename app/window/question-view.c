#include "app/window/question-view.h"

#include "app/window/choice-group.h"
#include "app/window/fold.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"

struct _OlQuestionView {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *question, *verdict, *reason, *note;
  OlChoiceGroup *choices;
  GtkWidget *explanation, *reveal, *others, *other_reasons;
  guint *order;      /* shown position → option */
  gboolean revealed; /* the right option, at the learner's wish */
};

G_DEFINE_FINAL_TYPE(OlQuestionView, ol_question_view, GTK_TYPE_BOX)

static OlLessonWork *get_work(OlQuestionView *self)
{
  return ol_lab_session_get_work(self->session);
}

static const OlQuestion *get_question(OlQuestionView *self)
{
  return &ol_lesson_work_get_lesson(get_work(self))->question;
}

static void on_lesson_changed(OlQuestionView *self)
{
  OlLessonWork *work = get_work(self);
  const OlQuestion *question = get_question(self);
  g_autofree const char **texts = g_new0(const char *, question->n_options + 1);

  g_free(self->order);
  self->order = g_new0(guint, question->n_options + 1);
  self->revealed = FALSE;
  ol_grading_option_order(ol_lesson_work_get_lesson(work), ol_lesson_work_get_learner(work),
                          self->order);
  for (guint i = 0; i < question->n_options; i++)
    texts[i] = question->options[self->order[i]].text;
  gtk_label_set_text(self->question, question->text);
  ol_choice_group_set_texts(self->choices, texts, question->n_options);
  ol_fold_set_open(OL_FOLD(self->others), FALSE);
}

static void on_chosen(OlQuestionView *self, guint position)
{
  ol_lesson_work_answer(get_work(self), self->order[position]);
}

static void on_reveal(OlQuestionView *self)
{
  self->revealed = TRUE;
  g_signal_emit_by_name(self->session, "updated");
}

/* The option's reason with the learner's own figures; FALSE when some are missing. */
static gboolean set_reason(OlQuestionView *self, GtkLabel *label, const OlOption *option)
{
  gboolean complete;
  g_autofree char *text =
      ol_experiment_fill(ol_lesson_runs_get_experiment(ol_lesson_work_get_runs(get_work(self))),
                         option->why, &complete);

  gtk_label_set_text(label, text);
  return complete;
}

/* Why each of the others is wrong. FALSE when figures are missing. */
static gboolean show_others(OlQuestionView *self, const OlQuestion *question)
{
  GtkWidget *child;
  gboolean all = TRUE;

  while ((child = gtk_widget_get_first_child(self->other_reasons)))
    gtk_box_remove(GTK_BOX(self->other_reasons), child);
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[self->order[i]];
    GtkLabel *text, *reason;
    if (option->right)
      continue;
    text = ol_words_label_new(NULL, "other-option");
    gtk_label_set_text(text, option->text);
    reason = ol_words_label_new(NULL, "dim-label");
    all &= set_reason(self, reason, option);
    gtk_box_append(GTK_BOX(self->other_reasons), GTK_WIDGET(text));
    gtk_box_append(GTK_BOX(self->other_reasons), GTK_WIDGET(reason));
  }
  return all;
}

static void show_verdicts(OlQuestionView *self, const OlQuestion *question, int answered,
                          gboolean show_right)
{
  for (guint i = 0; i < question->n_options; i++) {
    gboolean right = question->options[self->order[i]].right;
    OlVerdict verdict = OL_VERDICT_NONE;
    if (right && show_right)
      verdict = OL_VERDICT_RIGHT;
    else if (answered == (int)self->order[i])
      verdict = right ? OL_VERDICT_RIGHT : OL_VERDICT_WRONG;
    ol_choice_group_set_verdict(self->choices, i, verdict);
  }
}

static const OlOption *find_right(const OlQuestion *question)
{
  guint i = 0;

  while (i + 1 < question->n_options && !question->options[i].right)
    i++;
  return &question->options[i];
}

static void show_note(OlQuestionView *self, gboolean complete)
{
  g_autofree char *note = ol_lesson_work_dup_note(get_work(self), complete,
                                                  ol_lab_session_get_view(self->session)->there);

  gtk_label_set_text(self->note, note ? note : "");
  gtk_widget_set_visible(GTK_WIDGET(self->note), note != NULL);
}

static void refresh(OlQuestionView *self)
{
  OlLessonWork *work = get_work(self);
  const OlQuestion *question = get_question(self);
  guint option = 0;
  gboolean right = FALSE, complete = TRUE;
  gboolean answered = ol_lesson_work_get_answer(work, &option, &right);
  gboolean settled = right || (answered && self->revealed);
  int position = -1;

  for (guint i = 0; answered && i < question->n_options; i++)
    if (self->order[i] == option)
      position = (int)i;
  ol_choice_group_set_chosen(self->choices, position);
  show_verdicts(self, question, answered ? (int)option : -1, settled);
  ol_choice_group_set_open(self->choices, !right);
  gtk_widget_set_visible(self->explanation, answered);
  gtk_widget_set_visible(self->reveal, answered && !settled);
  gtk_widget_set_visible(self->others, settled);
  if (!answered)
    return;
  if (settled)
    gtk_widget_remove_css_class(self->explanation, "wrong");
  else
    gtk_widget_add_css_class(self->explanation, "wrong");
  gtk_label_set_text(self->verdict, right ? _("Right.")
                                    : settled
                                        ? _("The right answer. Choose it to finish the lesson.")
                                        : _("Not that one. Try again."));
  complete =
      set_reason(self, self->reason, settled ? find_right(question) : &question->options[option]);
  if (settled)
    complete &= show_others(self, question);
  show_note(self, complete);
}

void ol_question_view_grab(OlQuestionView *self)
{
  ol_choice_group_grab(self->choices);
}

static void dispose(GObject *object)
{
  OlQuestionView *self = OL_QUESTION_VIEW(object);

  g_clear_object(&self->session);
  g_clear_pointer(&self->order, g_free);
  G_OBJECT_CLASS(ol_question_view_parent_class)->dispose(object);
}

static void ol_question_view_class_init(OlQuestionViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static GtkWidget *make_explanation(OlQuestionView *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(box, "explanation");
  self->verdict = ol_words_label_new(NULL, "heading");
  self->reason = ol_words_label_new(NULL, NULL);
  self->note = ol_words_label_new(NULL, "dim-label");
  self->reveal = gtk_button_new_with_label(_("Show the right answer"));
  gtk_widget_set_halign(self->reveal, GTK_ALIGN_START);
  g_signal_connect_swapped(self->reveal, "clicked", G_CALLBACK(on_reveal), self);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->verdict));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->reason));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(box), self->reveal);
  return box;
}

static void ol_question_view_init(OlQuestionView *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
  self->question = ol_words_label_new(NULL, "heading");
  self->choices = OL_CHOICE_GROUP(ol_choice_group_new());
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->choices), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Answers"), -1);
  g_signal_connect_swapped(self->choices, "chosen", G_CALLBACK(on_chosen), self);
  self->explanation = make_explanation(self);
  self->other_reasons = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class(self->other_reasons, "other-reasons");
  self->others = ol_fold_new(_("Why not the others?"), self->other_reasons);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->question));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->choices));
  gtk_box_append(GTK_BOX(self), self->explanation);
  gtk_box_append(GTK_BOX(self), self->others);
}

GtkWidget *ol_question_view_new(OlLabSession *session)
{
  OlQuestionView *self = g_object_new(OL_TYPE_QUESTION_VIEW, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
