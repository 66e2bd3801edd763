#include "app/window/run-row.h"

#include "app/window/recipe-view.h"
#include "app/window/run-words.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlRunRow {
  GtkListBoxRow parent_instance;
  OlLessonWork *work;
  guint run;
  GtkImage *icon;
  GtkSpinner *spinner;
  GtkLabel *title, *state;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE(OlRunRow, ol_run_row, GTK_TYPE_LIST_BOX_ROW)

static const char *choose_icon(OlRunRow *self)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);
  OlRunState state = ol_lesson_runs_get_state(runs, self->run);

  if (state == OL_RUN_LOST)
    return "dialog-error-symbolic";
  if (state == OL_RUN_ENDED) {
    switch (ol_lesson_runs_get_trace(runs, self->run)->outcome) {
    case OL_OUTCOME_DONE:
      if (ol_lesson_runs_is_touched(runs, self->run))
        break; /* only looked at: an earlier one may have been made */
      return ol_lesson_runs_is_late(runs, self->run) ? "dialog-warning-symbolic"
                                                     : "object-select-symbolic";
    case OL_OUTCOME_FAILED:
      return "dialog-error-symbolic";
    default:
      return "dialog-warning-symbolic";
    }
  }
  if (ol_lesson_runs_is_queued(runs, self->run))
    return NULL;
  return ol_lesson_work_has_run(self->work, self->run) ? "object-select-symbolic" : NULL;
}

static void set_css_class(gpointer widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

static char *dup_state(OlRunRow *self, gboolean there)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);

  if (ol_lesson_runs_get_state(runs, self->run) == OL_RUN_NOT_YET &&
      !ol_lesson_runs_is_queued(runs, self->run) && ol_lesson_work_has_run(self->work, self->run))
    return g_strdup(_("Made before"));
  return ol_run_words_dup_state(runs, self->run, there);
}

static void refresh_icon(OlRunRow *self, gboolean is_busy)
{
  const char *icon = choose_icon(self);

  gtk_image_set_from_icon_name(self->icon, icon ? icon : "media-playback-start-symbolic");
  set_css_class(self->icon, "success", g_strcmp0(icon, "object-select-symbolic") == 0);
  set_css_class(self->icon, "warning", g_strcmp0(icon, "dialog-warning-symbolic") == 0);
  set_css_class(self->icon, "error", g_strcmp0(icon, "dialog-error-symbolic") == 0);
  set_css_class(self->icon, "dim-label", !icon);
  gtk_widget_set_visible(GTK_WIDGET(self->icon), !is_busy);
  gtk_widget_set_visible(GTK_WIDGET(self->spinner), is_busy);
  gtk_spinner_set_spinning(self->spinner, is_busy);
}

static void refresh_button(OlRunRow *self, gboolean is_busy)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);
  gboolean made = ol_lesson_work_has_run(self->work, self->run);
  gboolean never = ol_lesson_runs_get_state(runs, self->run) == OL_RUN_NOT_YET;
  gboolean is_next = ol_lesson_work_get_next(self->work) == OL_NEXT_RUN &&
                     ol_lesson_work_get_next_run(self->work) == (int)self->run;
  const char *verb = is_busy ? _("Stop") : made || !never ? _("Run again") : _("Run");
  g_autofree char *name = g_strdup_printf("%s: %s", verb, gtk_label_get_text(self->title));

  gtk_button_set_label(GTK_BUTTON(self->button), verb);
  gtk_widget_set_sensitive(self->button, is_busy || ol_lesson_runs_is_free(runs));
  set_css_class(self->button, "suggested-action", is_next);
  set_css_class(self, "next", is_next);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
}

void ol_run_row_refresh_state(OlRunRow *self, gboolean there)
{
  g_autofree char *state = dup_state(self, there);
  g_autofree char *name = g_strdup_printf("%s, %s", gtk_label_get_text(self->title), state);

  if (g_strcmp0(gtk_label_get_text(self->state), state) == 0)
    return;
  gtk_label_set_text(self->state, state);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void ol_run_row_refresh(OlRunRow *self, gboolean there)
{
  gboolean is_busy = ol_lesson_runs_get_busy(ol_lesson_work_get_runs(self->work)) == (int)self->run;

  refresh_icon(self, is_busy);
  refresh_button(self, is_busy);
  ol_run_row_refresh_state(self, there);
}

void ol_run_row_grab(OlRunRow *self)
{
  gtk_widget_grab_focus(self->button);
}

static void on_clicked(OlRunRow *self)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self->work);

  if (ol_lesson_runs_get_busy(runs) == (int)self->run)
    ol_lesson_runs_stop(runs);
  else
    ol_lesson_work_start(self->work, self->run);
}

static void dispose(GObject *object)
{
  OlRunRow *self = OL_RUN_ROW(object);

  g_clear_object(&self->work);
  G_OBJECT_CLASS(ol_run_row_parent_class)->dispose(object);
}

static void ol_run_row_class_init(OlRunRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_run_row_init(OlRunRow *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(GTK_WIDGET(self), "run-row");
  self->icon = GTK_IMAGE(
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  self->spinner = GTK_SPINNER(gtk_spinner_new());
  self->title = ol_words_label_new(NULL, NULL);
  self->state = ol_words_label_new(NULL, "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->state), "dim-label");
  gtk_widget_set_hexpand(words, TRUE);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->title));
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->state));
  self->button = gtk_button_new();
  gtk_widget_set_valign(self->button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped(self->button, "clicked", G_CALLBACK(on_clicked), self);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->icon));
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->spinner));
  gtk_box_append(GTK_BOX(row), words);
  gtk_box_append(GTK_BOX(row), self->button);
  gtk_box_append(GTK_BOX(column), row);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self), column);
}

GtkWidget *ol_run_row_new(OlLessonWork *work, guint run)
{
  OlRunRow *self = g_object_new(OL_TYPE_RUN_ROW, NULL);
  const OlLessonRun *lesson_run = ol_lesson_runs_get(ol_lesson_work_get_runs(work), run);

  self->work = g_object_ref(work);
  self->run = run;
  gtk_label_set_text(self->title, lesson_run->title);
  if (lesson_run->recipe_text)
    gtk_box_append(GTK_BOX(gtk_list_box_row_get_child(GTK_LIST_BOX_ROW(self))),
                   ol_recipe_view_new(_("The recipe"), lesson_run));
  ol_run_row_refresh(self, FALSE);
  return GTK_WIDGET(self);
}
