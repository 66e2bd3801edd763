#include "app/window/prediction-card.h"

#include "lessons/grading.h"
#include <math.h>

struct _OlPredictionCard {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *said, *measured;
};

G_DEFINE_FINAL_TYPE(OlPredictionCard, ol_prediction_card, GTK_TYPE_BOX)

/* What it turned out to be; FALSE while that is not known. */
static gboolean find_truth(OlLessonWork *work, const OlPrediction *prediction, double *truth)
{
  const OlExperiment *experiment = ol_lesson_runs_get_experiment(ol_lesson_work_get_runs(work));

  if (prediction->kind == OL_PREDICTION_NUMBER)
    return ol_experiment_get_number(experiment, prediction->run, prediction->metric, truth);
  *truth = prediction->right_choice;
  return prediction->right_choice >= 0 && ol_lesson_work_is_finished(work, OL_MOVE_RUN);
}

static char *dup_said(const OlPrediction *prediction, double value)
{
  if (prediction->kind == OL_PREDICTION_NUMBER)
    return g_strdup_printf("You predicted %.4g %s", value, prediction->unit);
  return g_strdup_printf("You predicted: %s", prediction->choices[(int)value]);
}

/* Grading says it as part of a sentence: here it begins one. */
static char *dup_capital(const char *words)
{
  g_autofree char *first = g_utf8_strup(words, 1);

  return g_strconcat(first, g_utf8_next_char(words), ".", NULL);
}

static gboolean is_shown(OlLessonWork *work, const OlPrediction *prediction, double value)
{
  if (!prediction || isnan(value))
    return FALSE;
  /* A choice that the course no longer has says nothing. */
  return prediction->kind == OL_PREDICTION_NUMBER ||
         (value >= 0 && value < g_strv_length(prediction->choices));
}

static void refresh(OlPredictionCard *self)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  const OlPrediction *prediction = ol_lesson_work_get_lesson(work)->prediction;
  double value = ol_lesson_work_get_prediction(work), truth;
  g_autofree char *said = NULL, *words = NULL, *sentence = NULL;

  gtk_widget_set_visible(GTK_WIDGET(self), is_shown(work, prediction, value));
  if (!is_shown(work, prediction, value))
    return;
  said = dup_said(prediction, value);
  gtk_label_set_text(self->said, said);
  if (find_truth(work, prediction, &truth)) {
    words = ol_grading_dup_prediction_words(prediction, value, truth);
    sentence = dup_capital(words);
  }
  gtk_label_set_text(self->measured, sentence ? sentence : "Locked in. Not measured yet.");
}

static GtkLabel *make_label(const char *css_class)
{
  GtkLabel *label = GTK_LABEL(gtk_label_new(NULL));

  gtk_label_set_wrap(label, TRUE);
  gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(label, 0);
  gtk_widget_add_css_class(GTK_WIDGET(label), css_class);
  return label;
}

static void dispose(GObject *object)
{
  OlPredictionCard *self = OL_PREDICTION_CARD(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_prediction_card_parent_class)->dispose(object);
}

static void ol_prediction_card_class_init(OlPredictionCardClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_prediction_card_init(OlPredictionCard *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "card");
  gtk_widget_add_css_class(GTK_WIDGET(self), "padded");
  self->said = make_label("heading");
  self->measured = make_label("dim-label");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->said));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->measured));
}

GtkWidget *ol_prediction_card_new(OlLabSession *session)
{
  OlPredictionCard *self = g_object_new(OL_TYPE_PREDICTION_CARD, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
