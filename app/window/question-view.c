#include "app/window/question-view.h"

#include "app/window/choice-group.h"
#include "app/window/fold.h"
#include "app/window/into-sight.h"
#include "app/window/reason-view.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"

struct _OlQuestionView {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *question, *note, *counts;
  OlChoiceGroup *choices;
  OlReasonView *chosen, *right; /* why not that, and why the right one is */
  GtkWidget *again, *rerun, *others, *other_reasons;
  guint *order; /* shown position → option */
};

G_DEFINE_FINAL_TYPE(OlQuestionView, ol_question_view, GTK_TYPE_BOX)

enum { SHOWN, N_SIGNALS };
static guint signals[N_SIGNALS];

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

  g_free(self->order);
  self->order = g_new0(guint, question->n_options + 1);
  ol_grading_option_order(ol_lesson_work_get_lesson(work), ol_lesson_work_get_learner(work),
                          self->order);
  gtk_label_set_text(self->question, question->text);
  ol_choice_group_set_options(self->choices, question->options, self->order, question->n_options);
  ol_fold_set_open(OL_FOLD(self->others), FALSE);
}

static gboolean bring_reason_into_sight(gpointer data)
{
  OlQuestionView *self = data;
  GtkWidget *right = GTK_WIDGET(self->right);
  GtkWidget *reason =
      gtk_widget_get_visible(GTK_WIDGET(self->chosen)) ? GTK_WIDGET(self->chosen) : right;
  if (gtk_widget_get_mapped(reason))
    ol_into_sight(reason);
  return G_SOURCE_REMOVE;
}

static void on_chosen(OlQuestionView *self, guint position)
{
  if (!ol_lesson_work_may_answer(get_work(self)))
    return;
  ol_lesson_work_answer(get_work(self), self->order[position]);
  g_idle_add_full(G_PRIORITY_LOW, bring_reason_into_sight, g_object_ref(self), g_object_unref);
}

static void on_rerun(OlQuestionView *self)
{
  int run = ol_lesson_work_get_rerun(get_work(self));

  if (run >= 0)
    ol_lesson_work_start(get_work(self), (guint)run);
}

static void on_shown(OlQuestionView *self)
{
  g_signal_emit(self, signals[SHOWN], 0);
}

static GtkWidget *make_reason(OlQuestionView *self)
{
  GtkWidget *reason = ol_reason_view_new(self->session);

  g_signal_connect_swapped(reason, "shown", G_CALLBACK(on_shown), self);
  return reason;
}

/* Why each of the others is wrong. FALSE when figures are missing. */
static gboolean show_others(OlQuestionView *self, const OlQuestion *question, guint but)
{
  GtkWidget *child;
  gboolean all = TRUE;

  while ((child = gtk_widget_get_first_child(self->other_reasons)))
    gtk_box_remove(GTK_BOX(self->other_reasons), child);
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[self->order[i]];
    GtkWidget *reason;
    g_autofree char *name = g_strdup_printf(_("Show me: %s"), option->text);
    if (option->right || self->order[i] == but)
      continue;
    reason = make_reason(self);
    all &= ol_reason_view_set(OL_REASON_VIEW(reason), option, option->text, name);
    gtk_box_append(GTK_BOX(self->other_reasons), reason);
  }
  return all;
}

static void show_verdicts(OlQuestionView *self, const OlQuestion *question, int answered,
                          gboolean told)
{
  int chosen = -1;

  for (guint i = 0; i < question->n_options; i++) {
    gboolean right = question->options[self->order[i]].right;
    gboolean is_chosen = answered == (int)self->order[i];
    ol_choice_group_set_verdict(self->choices, i,
                                right && told ? OL_VERDICT_RIGHT
                                : is_chosen   ? (right ? OL_VERDICT_RIGHT : OL_VERDICT_WRONG)
                                              : OL_VERDICT_NONE);
    if (is_chosen)
      chosen = (int)i;
  }
  ol_choice_group_set_chosen(self->choices, chosen);
}

static void show_note(OlQuestionView *self, gboolean complete)
{
  g_autofree char *note = ol_lesson_work_dup_note(get_work(self), complete,
                                                  ol_lab_session_get_view(self->session)->there);

  gtk_label_set_text(self->note, note ? note : "");
  gtk_widget_set_visible(GTK_WIDGET(self->note), note != NULL);
}

/* Right or wrong, at once, and why: of what was chosen and of what is right. */
static void show_reasons(OlQuestionView *self, const OlQuestion *question, guint chosen)
{
  const OlOption *right = ol_options_find_right(question->options, question->n_options);
  const OlOption *option = &question->options[chosen];
  g_autofree char *head =
      option->right ? g_strdup(_("Right.")) : g_strdup_printf(_("Right is: %s"), right->text);
  gboolean complete = ol_reason_view_set(self->right, right, head, _("Show me: the right answer"));

  if (!option->right)
    complete &= ol_reason_view_set(self->chosen, option, _("Not that one."),
                                   _("Show me: why not that one"));
  complete &= show_others(self, question, chosen);
  show_note(self, complete);
}

static char *dup_counts(OlLessonWork *work, gboolean answered, gboolean right)
{
  if (!answered || ol_lesson_work_was_right_first(work))
    return NULL;
  if (right)
    return g_strdup(_("Your first answer was another one, and is the one that counts."));
  if (ol_lesson_work_may_answer(work))
    return g_strdup(_("You have run it again: what do you say now? Your first answer stays the one "
                      "that counts."));
  return g_strdup(_("This answer counts. To finish the lesson, run it once more, look, and answer "
                    "again."));
}

static void show_again(OlQuestionView *self, gboolean answered, gboolean right)
{
  OlLessonWork *work = get_work(self);
  int run = ol_lesson_work_get_rerun(work);
  gboolean closed = answered && !right && !ol_lesson_work_may_answer(work);
  g_autofree char *words = dup_counts(work, answered, right), *label = NULL;

  gtk_label_set_text(self->counts, words ? words : "");
  gtk_widget_set_visible(self->again, words != NULL);
  gtk_widget_set_visible(self->rerun, closed && run >= 0);
  gtk_widget_set_sensitive(self->rerun, ol_lesson_work_get_next(work) != OL_NEXT_WAIT);
  if (run < 0)
    return;
  label = g_strdup_printf(_("Run again, then answer: %s"),
                          ol_lesson_runs_get(ol_lesson_work_get_runs(work), (guint)run)->title);
  gtk_label_set_text(GTK_LABEL(gtk_button_get_child(GTK_BUTTON(self->rerun))), label);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->rerun), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                 -1);
}

static void refresh(OlQuestionView *self)
{
  OlLessonWork *work = get_work(self);
  const OlQuestion *question = get_question(self);
  guint option = 0;
  gboolean right = FALSE;
  gboolean answered = ol_lesson_work_get_answer(work, &option, &right);
  gboolean open = ol_lesson_work_may_answer(work);
  gboolean told = answered && !open;

  show_verdicts(self, question, answered ? (int)option : -1, told);
  ol_choice_group_set_open(self->choices, open);
  gtk_widget_set_visible(GTK_WIDGET(self->chosen), told && !right);
  gtk_widget_set_visible(GTK_WIDGET(self->right), told);
  gtk_widget_set_visible(self->others, told);
  show_again(self, answered, right);
  if (told)
    show_reasons(self, question, option);
  else
    show_note(self, TRUE);
}

void ol_question_view_grab(OlQuestionView *self)
{
  if (ol_lesson_work_may_answer(get_work(self)))
    ol_choice_group_grab(self->choices);
  else
    gtk_widget_grab_focus(self->rerun);
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
  signals[SHOWN] = g_signal_new("shown", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void ol_question_view_init(OlQuestionView *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
}

static void add_question(OlQuestionView *self)
{
  self->question = ol_words_label_new(NULL, "heading");
  self->choices = OL_CHOICE_GROUP(ol_choice_group_new());
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->choices), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Answers"), -1);
  g_signal_connect_swapped(self->choices, "chosen", G_CALLBACK(on_chosen), self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->question));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->choices));
}

static void add_again(OlQuestionView *self)
{
  GtkLabel *words = ol_words_label_new(NULL, NULL);

  self->again = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->counts = ol_words_label_new(NULL, "counts");
  self->rerun = gtk_button_new();
  gtk_label_set_xalign(words, 0.5);
  gtk_label_set_justify(words, GTK_JUSTIFY_CENTER);
  gtk_button_set_child(GTK_BUTTON(self->rerun), GTK_WIDGET(words));
  gtk_widget_add_css_class(self->again, "again");
  gtk_widget_add_css_class(self->rerun, "suggested-action");
  gtk_widget_add_css_class(self->rerun, "go-on");
  g_signal_connect_swapped(self->rerun, "clicked", G_CALLBACK(on_rerun), self);
  gtk_box_append(GTK_BOX(self->again), GTK_WIDGET(self->counts));
  gtk_box_append(GTK_BOX(self->again), self->rerun);
}

static void add_reasons(OlQuestionView *self)
{
  self->chosen = OL_REASON_VIEW(make_reason(self));
  self->right = OL_REASON_VIEW(make_reason(self));
  gtk_widget_add_css_class(GTK_WIDGET(self->chosen), "explanation");
  gtk_widget_add_css_class(GTK_WIDGET(self->chosen), "wrong");
  gtk_widget_add_css_class(GTK_WIDGET(self->right), "explanation");
  self->note = ol_words_label_new(NULL, "dim-label");
  self->other_reasons = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class(self->other_reasons, "other-reasons");
  self->others = ol_fold_new(_("Why not the others?"), self->other_reasons);
  add_again(self);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->chosen));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->right));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(self), self->again);
  gtk_box_append(GTK_BOX(self), self->others);
}

GtkWidget *ol_question_view_new(OlLabSession *session)
{
  OlQuestionView *self = g_object_new(OL_TYPE_QUESTION_VIEW, NULL);

  self->session = g_object_ref(session);
  add_question(self);
  add_reasons(self);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
