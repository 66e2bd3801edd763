/* What the window does about a learner's progress as a whole: lessons begun anew, that taken back,
 * files, and what is not saved. */
#include "app/window/lab-window-private.h"

#include "app/window/ask.h"
#include "app/window/run-actions.h"
#include "engine/base/intl.h"

gboolean ol_lab_window_is_busy(OlLabWindow *self)
{
  return ol_run_actions_find_busy(self->works) != NULL;
}

/* Everything that shows progress begins where the learner now is. */
static void show_all_anew(OlLabWindow *self)
{
  int page = ol_lab_window_get_page(self);

  g_signal_emit_by_name(self->session, "lesson-changed");
  g_signal_emit_by_name(self->session, "updated");
  if (page >= 0)
    ol_lab_pages_show(self->pages, page);
  ol_lab_window_refresh(self);
}

/* The runs of a lesson that begins anew have to be made again. */
static void forget_work(OlLabWindow *self, const char *lesson)
{
  for (guint i = 0; i < self->works->len; i++) {
    OlLessonWork *work = g_ptr_array_index(self->works, i);
    if (ol_lesson_work_is_lesson(work) &&
        (!lesson || g_str_equal(ol_lesson_work_get_lesson(work)->id, lesson)))
      ol_lesson_work_begin_anew(work);
  }
}

/* `lesson` NULL: all of them. */
static void reset(OlLabWindow *self, const char *lesson)
{
  const char *const lessons[] = {lesson, NULL};
  guint n;

  if (ol_lab_window_is_busy(self)) {
    ol_lab_window_tell(self, _("A run is under way: stop it first."));
    return;
  }
  n = ol_progress_reset(self->progress, lesson ? lessons : NULL, NULL, NULL);
  if (n == 0) {
    ol_lab_window_tell(self, lesson ? _("Nothing was done in this lesson yet")
                                    : _("Nothing was done in any lesson yet"));
    return;
  }
  g_autofree char *words =
      g_strdup_printf(ol_ngettext("%u lesson begins anew", "%u lessons begin anew", n), n);
  forget_work(self, lesson);
  show_all_anew(self);
  ol_lab_window_tell_with(self, words, _("Undo"), "win.undo-reset");
}

/* "s": the lesson's id; "": the one that is open. */
static void act_reset_lesson(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  const char *lesson = g_variant_get_string(parameter, NULL);
  OlLessonWork *work = ol_lab_window_get_work(self);

  if (*lesson != '\0')
    reset(self, lesson);
  else if (ol_lab_window_get_page(self) < 0 && ol_lesson_work_is_lesson(work))
    reset(self, ol_lesson_work_get_lesson(work)->id);
  else
    ol_lab_window_tell(self, _("Open the lesson first that is to begin anew."));
}

static void on_reset_all(gpointer window)
{
  reset(window, NULL);
}

static void act_reset_all(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  g_autofree char *body =
      g_strdup_printf(_("Everything that %s has predicted, run and answered is put aside. Undo "
                        "brings it back, until a lesson begins anew the next time."),
                      ol_progress_get_learner(self->progress));

  ol_ask(GTK_WINDOW(self), _("Begin all lessons anew?"), body, _("Cancel"), _("Begin anew"),
         ADW_RESPONSE_DESTRUCTIVE, on_reset_all, self);
}

static void act_undo_reset(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  guint n = ol_progress_undo_reset(self->progress, NULL, NULL);

  if (n == 0) {
    ol_lab_window_tell(self, _("No lesson was begun anew: there is nothing to bring back"));
    return;
  }
  g_autofree char *words =
      g_strdup_printf(ol_ngettext("%u lesson is as it was", "%u lessons are as they were", n), n);
  show_all_anew(self);
  ol_lab_window_tell(self, words);
}

static void act_file(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlProgressFiles *files = OL_LAB_WINDOW(widget)->progress_files;

  if (g_str_equal(name, "win.progress-export"))
    ol_progress_files_export(files);
  else if (g_str_equal(name, "win.progress-import"))
    ol_progress_files_import(files);
  else
    ol_progress_files_save_results(files);
}

void ol_lab_window_install_learning(GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action(widget_class, "win.reset-lesson", "s", act_reset_lesson);
  gtk_widget_class_install_action(widget_class, "win.reset-all", NULL, act_reset_all);
  gtk_widget_class_install_action(widget_class, "win.undo-reset", NULL, act_undo_reset);
  gtk_widget_class_install_action(widget_class, "win.progress-export", NULL, act_file);
  gtk_widget_class_install_action(widget_class, "win.progress-import", NULL, act_file);
  gtk_widget_class_install_action(widget_class, "win.results-save", NULL, act_file);
}

static void on_recovered(OlLabWindow *self)
{
  g_autofree char *words = g_strdup_printf(_("Saved: all that %s has done is on the disk again"),
                                           ol_progress_get_learner(self->progress));

  ol_lab_window_tell(self, words);
}

void ol_lab_window_watch_learning(OlLabWindow *self)
{
  self->progress_files = ol_progress_files_new(GTK_WINDOW(self), self->progress, self->courses);
  g_signal_connect_object(self->progress_files, "told", G_CALLBACK(ol_lab_window_tell), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->progress_files, "imported", G_CALLBACK(show_all_anew), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->keeper, "recovered", G_CALLBACK(on_recovered), self,
                          G_CONNECT_SWAPPED);
}
