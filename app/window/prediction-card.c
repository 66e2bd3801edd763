#include "app/window/prediction-card.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/sureness.h"
#include <math.h>

struct _OlPredictionCard {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *said, *waiting;
};

G_DEFINE_FINAL_TYPE(OlPredictionCard, ol_prediction_card, GTK_TYPE_BOX)

static char *dup_said(const OlPrediction *prediction, double value)
{
  if (prediction->kind == OL_PREDICTION_NUMBER)
    return g_strdup_printf(_("You predicted %.4g %s"), value,
                           ol_grading_unit_words(prediction->unit, value));
  return g_strdup_printf(_("You predicted: %s"), prediction->choices[(int)value]);
}

/* " There it is 1.21 s." A prediction is made in this machine's units, and is held against those.
 */
static char *dup_there(OlLabSession *session, const OlPrediction *prediction, double truth)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(ol_lab_session_get_work(session));
  int run = ol_lesson_runs_find(runs, prediction->run);
  OlChartView view = {.trace = run >= 0 ? ol_lesson_runs_get_trace(runs, (guint)run) : NULL,
                      .there = TRUE};
  OlMeasure measure = ol_metrics_measure(prediction->metric);
  g_autofree char *words = NULL;

  if (!ol_lab_session_get_view(session)->there || !view.trace)
    return g_strdup("");
  if (measure == OL_MEASURE_SECONDS)
    words = ol_chart_view_dup_seconds(&view, truth);
  else if (measure == OL_MEASURE_BYTES)
    words = ol_chart_view_dup_bytes(&view, truth);
  return words ? g_strdup_printf(_(" There it is %s."), words) : g_strdup("");
}

static const char *find_caveat(OlLessonWork *work, const OlPrediction *prediction)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(work);
  int run = prediction->run ? ol_lesson_runs_find(runs, prediction->run) : -1;

  if (run < 0 || ol_metrics_measure(prediction->metric) != OL_MEASURE_SECONDS ||
      !ol_lesson_runs_is_late(runs, (guint)run))
    return "";
  return _(" That run was late: its times do not count.");
}

/* "You said 1 s, it took 0.71 s: 1.4 times too much." Grading says it as part of a sentence. */
static char *dup_measured(OlLabSession *session, const OlPrediction *prediction, double value,
                          double truth)
{
  g_autofree char *words = ol_grading_dup_prediction_words(prediction, value, truth);
  g_autofree char *first = g_utf8_strup(words, 1);

  if (prediction->kind == OL_PREDICTION_CHOICE)
    return g_strconcat(first, g_utf8_next_char(words), ".", NULL);
  g_autofree char *there = dup_there(session, prediction, truth);
  return g_strconcat(first, g_utf8_next_char(words), ".", there,
                     find_caveat(ol_lab_session_get_work(session), prediction), NULL);
}

static gboolean is_shown(OlLessonWork *work, const OlPrediction *prediction, double value)
{
  if (!prediction || isnan(value))
    return FALSE;
  /* A choice that the course no longer has says nothing. */
  return prediction->kind == OL_PREDICTION_NUMBER ||
         (value >= 0 && value < g_strv_length(prediction->choices));
}

/* That it waits for its run: for the first time, or since the program was started again. */
static const char *find_waiting(OlLessonWork *work)
{
  const char *name = ol_lesson_work_get_lesson(work)->prediction->run;
  int run = name ? ol_lesson_runs_find(ol_lesson_work_get_runs(work), name) : -1;

  if (run >= 0 && ol_lesson_work_has_run(work, (guint)run))
    return _("Locked in. Make its run again to see it measured.");
  return _("Locked in. Not measured yet.");
}

/* How sure the learner was, and that it waits. */
static void show_below(OlPredictionCard *self, gboolean known)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  double sure = ol_lesson_work_get_sure(work);
  const char *words = isnan(sure) ? NULL : ol_sureness_get_words(ol_sureness_of(sure));
  const char *waits = known ? NULL : find_waiting(work);
  g_autofree char *said = words ? g_strdup_printf(_("How sure you were: %s."), words) : NULL;
  g_autofree char *text = g_strjoin(said && waits ? "\n" : "", said ? said : "", waits, NULL);

  gtk_label_set_text(self->waiting, text);
  gtk_widget_set_visible(GTK_WIDGET(self->waiting), *text != '\0');
}

/* First what was said and that it waits; then what came of it, which says both. */
static void refresh(OlPredictionCard *self)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  const OlPrediction *prediction = ol_lesson_work_get_lesson(work)->prediction;
  double value = ol_lesson_work_get_prediction(work), truth;
  gboolean shown = is_shown(work, prediction, value);
  gboolean known = shown && ol_lesson_work_get_truth(work, &truth);
  g_autofree char *said = NULL;

  gtk_widget_set_visible(GTK_WIDGET(self), shown);
  if (!shown)
    return;
  said =
      known ? dup_measured(self->session, prediction, value, truth) : dup_said(prediction, value);
  gtk_label_set_text(self->said, said);
  show_below(self, known);
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
  self->said = ol_words_label_new(NULL, "said");
  self->waiting = ol_words_label_new(NULL, "dim-label");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->said));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->waiting));
}

GtkWidget *ol_prediction_card_new(OlLabSession *session)
{
  OlPredictionCard *self = g_object_new(OL_TYPE_PREDICTION_CARD, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
