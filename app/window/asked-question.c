#include "app/window/asked-question.h"

#include "app/window/choice-group.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlAskedQuestion {
  GtkBox parent_instance;
  const OlQuizQuestion *asked;
  guint *order; /* shown position → option */
  GtkLabel *question, *verdict, *reason, *right_one, *right_reason, *feedback, *aside, *note;
  GtkWidget *explanation, *buttons, *next, *lesson;
  OlChoiceGroup *choices;
};

G_DEFINE_FINAL_TYPE(OlAskedQuestion, ol_asked_question, GTK_TYPE_BOX)

enum { ANSWERED, NEXT, N_SIGNALS };
static guint signals[N_SIGNALS];

static void set_words(GtkLabel *label, const char *words)
{
  gtk_label_set_text(label, words ? words : "");
  gtk_widget_set_visible(GTK_WIDGET(label), words != NULL);
}

static void show_right_one(OlAskedQuestion *self, const OlOption *chosen)
{
  const OlOption *right = ol_options_find_right(self->asked->options, self->asked->n_options);
  g_autofree char *words =
      chosen->right ? NULL : g_strdup_printf(_("The right answer: %s"), right->text);

  set_words(self->right_one, words);
  set_words(self->right_reason, chosen->right ? NULL : right->why);
}

static void show_verdicts(OlAskedQuestion *self, guint position)
{
  for (guint i = 0; i < self->asked->n_options; i++)
    if (self->asked->options[self->order[i]].right)
      ol_choice_group_set_verdict(self->choices, i, OL_VERDICT_RIGHT);
    else if (i == position)
      ol_choice_group_set_verdict(self->choices, i, OL_VERDICT_WRONG);
  ol_choice_group_set_open(self->choices, FALSE);
}

static void explain(OlAskedQuestion *self, const OlOption *chosen)
{
  if (chosen->right)
    gtk_widget_remove_css_class(self->explanation, "wrong");
  else
    gtk_widget_add_css_class(self->explanation, "wrong");
  gtk_label_set_text(self->verdict, chosen->right ? _("Right.") : _("Not that one."));
  set_words(self->reason, chosen->why);
  show_right_one(self, chosen);
  set_words(self->feedback, self->asked->feedback);
  gtk_widget_set_visible(self->explanation, TRUE);
  gtk_widget_set_visible(self->buttons, TRUE);
  gtk_widget_grab_focus(self->next);
}

static void on_chosen(OlAskedQuestion *self, guint position)
{
  guint option = self->order[position];

  show_verdicts(self, position);
  explain(self, &self->asked->options[option]);
  g_signal_emit(self, signals[ANSWERED], 0, option);
}

void ol_asked_question_ask(OlAskedQuestion *self, const OlQuizQuestion *question,
                           const guint *order, gboolean last)
{
  self->asked = question;
  g_free(self->order);
  self->order = g_new(guint, question->n_options);
  for (guint i = 0; i < question->n_options; i++)
    self->order[i] = order ? order[i] : i;
  ol_choice_group_set_options(self->choices, question->options, self->order, question->n_options);
  ol_choice_group_set_open(self->choices, TRUE);
  gtk_label_set_text(self->question, question->text);
  gtk_button_set_label(GTK_BUTTON(self->next), last ? _("Finish") : _("Next question"));
  gtk_widget_set_visible(self->lesson, question->lesson != NULL);
  gtk_widget_set_visible(self->explanation, FALSE);
  gtk_widget_set_visible(self->buttons, FALSE);
  set_words(self->aside, NULL);
  set_words(self->note, NULL);
}

void ol_asked_question_say(OlAskedQuestion *self, const char *aside, gboolean complete)
{
  set_words(self->aside, aside);
  set_words(self->note, complete ? NULL
                                 : _("A figure shown as … can only be told by a run: open the "
                                     "lesson to make it."));
}

void ol_asked_question_grab(OlAskedQuestion *self)
{
  ol_choice_group_grab(self->choices);
}

static void on_next(OlAskedQuestion *self)
{
  g_signal_emit(self, signals[NEXT], 0);
}

static void on_open_lesson(OlAskedQuestion *self)
{
  gtk_widget_activate_action(GTK_WIDGET(self), "win.open-lesson", "s", self->asked->lesson);
}

static void finalize(GObject *object)
{
  OlAskedQuestion *self = OL_ASKED_QUESTION(object);

  g_free(self->order);
  G_OBJECT_CLASS(ol_asked_question_parent_class)->finalize(object);
}

static void ol_asked_question_class_init(OlAskedQuestionClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[ANSWERED] = g_signal_new("answered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[NEXT] =
      g_signal_new("next", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *make_explanation(OlAskedQuestion *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(box, "explanation");
  self->verdict = ol_words_label_new(NULL, "heading");
  self->reason = ol_words_label_new(NULL, NULL);
  self->right_one = ol_words_label_new(NULL, "heading");
  self->right_reason = ol_words_label_new(NULL, NULL);
  self->feedback = ol_words_label_new(NULL, NULL);
  self->note = ol_words_label_new(NULL, "dim-label");
  self->aside = ol_words_label_new(NULL, "dim-label");
  GtkLabel *labels[] = {self->verdict,  self->reason, self->right_one, self->right_reason,
                        self->feedback, self->note,   self->aside};
  for (guint i = 0; i < G_N_ELEMENTS(labels); i++)
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(labels[i]));
  return box;
}

static GtkWidget *make_buttons(OlAskedQuestion *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->lesson = gtk_button_new_with_label(_("Open the lesson"));
  self->next = gtk_button_new_with_label(_("Next question"));
  gtk_widget_add_css_class(self->next, "suggested-action");
  gtk_widget_add_css_class(box, "page-buttons");
  g_signal_connect_swapped(self->next, "clicked", G_CALLBACK(on_next), self);
  g_signal_connect_swapped(self->lesson, "clicked", G_CALLBACK(on_open_lesson), self);
  gtk_box_append(GTK_BOX(box), self->next);
  gtk_box_append(GTK_BOX(box), self->lesson);
  return box;
}

static void ol_asked_question_init(OlAskedQuestion *self)
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

GtkWidget *ol_asked_question_new(void)
{
  return g_object_new(OL_TYPE_ASKED_QUESTION, NULL);
}
