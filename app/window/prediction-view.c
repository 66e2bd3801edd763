#include "app/window/prediction-view.h"

#include "app/window/choice-group.h"
#include "app/window/recipe-view.h"
#include "app/window/sure-row.h"
#include "app/window/wheel.h"
#include "engine/base/intl.h"
#include "lessons/prediction-place.h"
#include <math.h>

struct _OlPredictionView {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *ask, *unit, *from, *to;
  GtkBox *recipes; /* that the runs are read from: the question is about them */
  GtkWidget *number;
  GtkAdjustment *value;
  GtkScale *scale;
  GtkSpinButton *spin;
  OlChoiceGroup *choices;
  GtkWidget *lock, *hint;
  gboolean setting; /* the value is being set by us, not by the learner */
};

G_DEFINE_FINAL_TYPE(OlPredictionView, ol_prediction_view, GTK_TYPE_BOX)

static OlLessonWork *get_work(OlPredictionView *self)
{
  return ol_lab_session_get_work(self->session);
}

static void on_value_changed(OlPredictionView *self)
{
  const OlPrediction *prediction = ol_lesson_work_get_lesson(get_work(self))->prediction;
  double value = gtk_adjustment_get_value(self->value);
  double snapped = ol_prediction_snap(prediction, value);

  if (self->setting)
    return;
  /* A slider stops anywhere; a guess is a whole number of steps. */
  if (snapped != value)
    gtk_adjustment_set_value(self->value, snapped);
  else
    ol_lesson_work_propose(get_work(self), value);
}

static void on_chosen(OlPredictionView *self, guint position)
{
  ol_lesson_work_propose(get_work(self), position);
}

static void on_lock(OlPredictionView *self)
{
  ol_lesson_work_lock_prediction(get_work(self));
}

static guint digits_for(double step)
{
  return step >= 1 && step == floor(step) ? 0 : (guint)CLAMP(ceil(-log10(step)), 1, 6);
}

static void show_number(OlPredictionView *self, const OlPrediction *prediction)
{
  double step = ol_prediction_get_step(prediction);
  guint digits = digits_for(step);
  g_autofree char *from = g_strdup_printf("%g", prediction->from);
  g_autofree char *to = g_strdup_printf("%g %s", prediction->to, _(prediction->unit));
  double proposal = ol_lesson_work_get_proposal(get_work(self));

  /* It begins at the low end, and counts once it has been moved: a value that just stood there
   * would be nobody's guess. */
  self->setting = TRUE;
  gtk_adjustment_configure(self->value, isnan(proposal) ? prediction->from : proposal,
                           prediction->from, prediction->to, step, step * 10, 0);
  self->setting = FALSE;
  gtk_scale_set_digits(self->scale, (int)digits);
  gtk_spin_button_set_digits(self->spin, digits);
  gtk_label_set_text(self->from, from);
  gtk_label_set_text(self->to, to);
  gtk_label_set_text(self->unit, _(prediction->unit));
}

static void show_choices(OlPredictionView *self, const OlPrediction *prediction)
{
  double proposal = ol_lesson_work_get_proposal(get_work(self));

  ol_choice_group_set_texts(self->choices, (const char *const *)prediction->choices,
                            g_strv_length(prediction->choices));
  ol_choice_group_set_chosen(self->choices, isnan(proposal) ? -1 : (int)proposal);
}

static void show_recipes(OlPredictionView *self)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(get_work(self));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->recipes))))
    gtk_box_remove(self->recipes, child);
  for (guint i = 0; i < ol_lesson_runs_count(runs); i++) {
    const OlLessonRun *run = ol_lesson_runs_get(runs, i);
    if (run->recipe_text)
      gtk_box_append(self->recipes, ol_recipe_view_new(run->title, run));
  }
  gtk_widget_set_visible(GTK_WIDGET(self->recipes),
                         gtk_widget_get_first_child(GTK_WIDGET(self->recipes)) != NULL);
}

static void on_lesson_changed(OlPredictionView *self)
{
  const OlPrediction *prediction = ol_lesson_work_get_lesson(get_work(self))->prediction;
  gboolean is_number = prediction && prediction->kind == OL_PREDICTION_NUMBER;

  gtk_widget_set_visible(self->number, is_number);
  gtk_widget_set_visible(GTK_WIDGET(self->choices), prediction && !is_number);
  gtk_label_set_text(self->ask,
                     prediction ? prediction->ask : _("This lesson asks for no prediction."));
  show_recipes(self);
  if (is_number)
    show_number(self, prediction);
  else if (prediction)
    show_choices(self, prediction);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 gtk_label_get_text(self->ask), -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->spin), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 gtk_label_get_text(self->ask), -1);
}

/* What was dragged on the chart, or by another view. */
static void follow_proposal(OlPredictionView *self)
{
  double proposal = ol_lesson_work_get_proposal(get_work(self));

  if (isnan(proposal) || !gtk_widget_get_visible(self->number) ||
      gtk_adjustment_get_value(self->value) == proposal)
    return;
  self->setting = TRUE;
  gtk_adjustment_set_value(self->value, proposal);
  self->setting = FALSE;
}

static void refresh(OlPredictionView *self)
{
  OlLessonWork *work = get_work(self);
  gboolean locked = ol_lesson_work_is_finished(work, OL_MOVE_PREDICT);
  gboolean ready = !isnan(ol_lesson_work_get_proposal(work));

  follow_proposal(self);
  gtk_widget_set_sensitive(self->number, !locked);
  ol_choice_group_set_open(self->choices, !locked);
  gtk_widget_set_visible(self->lock, !locked);
  gtk_widget_set_visible(self->hint, !locked);
  gtk_widget_set_sensitive(self->lock, ready);
}

static GtkWidget *make_ends(OlPredictionView *self)
{
  GtkWidget *ends = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->from = GTK_LABEL(gtk_label_new(NULL));
  self->to = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_set_hexpand(GTK_WIDGET(self->to), TRUE);
  gtk_label_set_xalign(self->to, 1);
  gtk_widget_add_css_class(GTK_WIDGET(self->from), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->to), "caption");
  gtk_widget_add_css_class(ends, "dim-label");
  gtk_box_append(GTK_BOX(ends), GTK_WIDGET(self->from));
  gtk_box_append(GTK_BOX(ends), GTK_WIDGET(self->to));
  return ends;
}

static GtkWidget *make_number(OlPredictionView *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *entry = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->value = gtk_adjustment_new(0, 0, 1, 1, 1, 0);
  self->scale = GTK_SCALE(gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, self->value));
  gtk_scale_set_draw_value(self->scale, FALSE);
  self->spin = GTK_SPIN_BUTTON(gtk_spin_button_new(self->value, 1, 0));
  gtk_spin_button_set_numeric(self->spin, TRUE);
  ol_wheel_ignore(GTK_WIDGET(self->scale));
  ol_wheel_ignore(GTK_WIDGET(self->spin));
  self->unit = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_add_css_class(entry, "number-entry");
  gtk_widget_set_halign(entry, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(entry), GTK_WIDGET(self->spin));
  gtk_box_append(GTK_BOX(entry), GTK_WIDGET(self->unit));
  gtk_widget_add_css_class(column, "card");
  gtk_widget_add_css_class(column, "padded");
  gtk_box_append(GTK_BOX(column), entry);
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->scale));
  gtk_box_append(GTK_BOX(column), make_ends(self));
  g_signal_connect_swapped(self->value, "value-changed", G_CALLBACK(on_value_changed), self);
  return column;
}

static void dispose(GObject *object)
{
  OlPredictionView *self = OL_PREDICTION_VIEW(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_prediction_view_parent_class)->dispose(object);
}

static void ol_prediction_view_class_init(OlPredictionViewClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_prediction_view_init(OlPredictionView *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "move-view");
  self->ask = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(self->ask, TRUE);
  gtk_label_set_xalign(self->ask, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->ask), "heading");
  self->recipes = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->recipes), "recipes");
  self->number = make_number(self);
  self->choices = OL_CHOICE_GROUP(ol_choice_group_new());
  g_signal_connect_swapped(self->choices, "chosen", G_CALLBACK(on_chosen), self);
  self->lock = gtk_button_new_with_label(_("Lock in my prediction"));
  gtk_widget_add_css_class(self->lock, "suggested-action");
  gtk_widget_add_css_class(self->lock, "go-on");
  g_signal_connect_swapped(self->lock, "clicked", G_CALLBACK(on_lock), self);
  self->hint = gtk_label_new(_("A guess is fine: predictions are never marked. Yours stays beside "
                               "what you measure."));
  gtk_label_set_wrap(GTK_LABEL(self->hint), TRUE);
  gtk_label_set_xalign(GTK_LABEL(self->hint), 0);
  gtk_widget_add_css_class(self->hint, "dim-label");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->ask));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->recipes));
  gtk_box_append(GTK_BOX(self), self->number);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->choices));
  gtk_box_append(GTK_BOX(self), self->lock);
  gtk_box_append(GTK_BOX(self), self->hint);
}

static void add_sure_row(OlPredictionView *self)
{
  gtk_box_insert_child_after(GTK_BOX(self), ol_sure_row_new(self->session),
                             GTK_WIDGET(self->choices));
}

GtkWidget *ol_prediction_view_new(OlLabSession *session)
{
  OlPredictionView *self = g_object_new(OL_TYPE_PREDICTION_VIEW, NULL);

  self->session = g_object_ref(session);
  add_sure_row(self);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
