/* What keys, menus and buttons of the window share. */
#include "app/sandbox/config-file.h"
#include "app/window/ask.h"
#include "app/window/bench.h"
#include "app/window/help-window.h"
#include "app/window/lab-window-private.h"
#include "app/window/quiz-page.h"
#include "app/window/run-actions.h"
#include "engine/base/intl.h"
#include "lessons/quiz.h"

static void begin(OlLabWindow *self, gboolean held)
{
  ol_lab_window_leave_list(self);
  if (ol_sandbox_place_run(self->place, held))
    return;
  if (!ol_run_actions_begin(self->session, held)) {
    ol_lab_window_show_column(self, FALSE);
    ol_lesson_page_open(self->page, OL_MOVE_PREDICT);
  }
}

static void act_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
  begin(OL_LAB_WINDOW(widget), FALSE);
}

/* While a run is under way: its next node. Else a run begins, held. */
static void act_one_op(GtkWidget *widget, const char *name, GVariant *parameter)
{
  if (!ol_run_actions_next(OL_LAB_WINDOW(widget)->works))
    begin(OL_LAB_WINDOW(widget), TRUE);
}

static void act_hold(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_run_actions_hold(OL_LAB_WINDOW(widget)->works);
}

static void act_stop(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);

  if (!ol_run_actions_stop(self->works))
    ol_sandbox_place_cancel(self->place);
}

static void open_and_grab(OlLabWindow *self, guint position)
{
  ol_lab_window_open_place(self, position);
  if (ol_lab_window_get_page(self) < 0 && !ol_sandbox_place_grab(self->place))
    ol_lesson_page_grab(self->page);
}

/* "i": by how many. */
static void act_go_lesson(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  gint64 to = (gint64)self->current + g_variant_get_int32(parameter);

  if (to < 0 || to >= self->works->len + ol_lab_pages_count()) {
    gtk_widget_error_bell(widget);
    return;
  }
  open_and_grab(self, (guint)to);
}

/* "s": the lesson's id. */
static void act_open_lesson(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  const char *id = g_variant_get_string(parameter, NULL);

  for (guint i = 0; i < self->works->len; i++)
    if (g_strcmp0(ol_lesson_work_get_lesson(g_ptr_array_index(self->works, i))->id, id) == 0) {
      open_and_grab(self, i);
      return;
    }
  gtk_widget_error_bell(widget);
}

/* "s": the page's id. */
static void act_open_page(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  int page = ol_lab_pages_find(g_variant_get_string(parameter, NULL));

  if (page >= 0)
    ol_lab_window_open_place(self, self->works->len + (guint)page);
  else
    gtk_widget_error_bell(widget);
}

/* "s": the words. */
static void act_tell(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_lab_window_tell(OL_LAB_WINDOW(widget), g_variant_get_string(parameter, NULL));
}

static void act_progress_changed(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);

  g_signal_emit_by_name(self->session, "updated");
  ol_lab_window_refresh(self);
}

/* "i": the move. */
static void act_go_move(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);

  if (ol_lab_window_get_page(self) >= 0 || !ol_lesson_work_is_lesson(ol_lab_window_get_work(self)))
    return;
  ol_lab_window_show_column(self, FALSE);
  ol_lesson_page_open(self->page, (OlMove)g_variant_get_int32(parameter));
}

static void act_lessons(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);

  adw_flap_set_reveal_flap(self->flap, !adw_flap_get_reveal_flap(self->flap));
}

/* "s": "lesson" or "bench". */
static void act_column(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlLabWindow *self = OL_LAB_WINDOW(widget);
  gboolean bench = g_str_equal(g_variant_get_string(parameter, NULL), "bench");

  ol_lab_window_show_column(self, bench);
  if (bench)
    ol_bench_show_charts(OL_BENCH(self->bench));
}

static void act_config(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_sandbox_place_act(OL_LAB_WINDOW(widget)->place, name);
}

/* "s": its path. What is dropped on the window comes here. */
static void act_open_file(GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr(GFile) file = g_file_new_for_path(g_variant_get_string(parameter, NULL));

  ol_lab_window_open(OL_LAB_WINDOW(widget), file);
}

const char *ol_lab_window_get_help_page(OlLabWindow *self)
{
  const char *page = ol_help_find_page(gtk_window_get_focus(GTK_WINDOW(self)));

  if (page)
    return page;
  if (ol_lab_window_get_page(self) >= 0)
    return ol_lab_pages_get_kind((guint)ol_lab_window_get_page(self))->id;
  return ol_help_find_page(gtk_stack_get_visible_child(self->column));
}

/* Units are a choice with a state, which a class action cannot have. */
static void on_units(GSimpleAction *action, GVariant *value, gpointer data)
{
  OlLabWindow *self = data;

  g_simple_action_set_state(action, value);
  ol_lab_session_set_there(self->session, g_str_equal(g_variant_get_string(value, NULL), "there"));
}

static void open_quiz(OlLabWindow *self, const char *path)
{
  guint page = (guint)ol_lab_pages_find("quizzes");

  ol_lab_window_open_place(self, self->works->len + page);
  ol_quiz_page_open_file(OL_QUIZ_PAGE(ol_lab_pages_get(self->pages, page)), path);
}

static void on_lost(gpointer owner)
{
  ol_lab_pages_forget(OL_LAB_WINDOW(owner)->pages);
  gtk_window_close(owner);
}

gboolean ol_lab_window_is_editing(OlLabWindow *self)
{
  return ol_lab_pages_are_changed(self->pages);
}

gboolean ol_lab_window_is_teaching(OlLabWindow *self)
{
  return ol_lab_pages_are_teaching(self->pages);
}

gboolean ol_lab_window_may_close(OlLabWindow *self)
{
  if (!ol_lab_window_is_editing(self))
    return TRUE;
  ol_ask(GTK_WINDOW(self), _("Close without saving?"),
         _("What was changed in a quiz or a lesson, or voted in a class, and could not be saved or "
           "was not, is lost when the lab closes."),
         _("Stay"), _("Close and lose it"), ADW_RESPONSE_DESTRUCTIVE, on_lost, self);
  return FALSE;
}

/* What is neither a run nor a config is told as a run that cannot be read. */
void ol_lab_window_open(OlLabWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path(file);

  if (path && !ol_replay_is_run(path) && ol_progress_file_is_likely(path))
    ol_progress_files_offer(self->progress_files, path);
  else if (path && !ol_replay_is_run(path) && ol_config_file_is_likely(path))
    ol_sandbox_place_open_config(self->place, path);
  else if (path && !ol_replay_is_run(path) && ol_quiz_is_likely(path))
    open_quiz(self, path);
  else
    ol_run_files_open(self->files, file);
}

void ol_lab_window_install_actions(GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action(widget_class, "win.run", NULL, act_run);
  gtk_widget_class_install_action(widget_class, "win.stop", NULL, act_stop);
  gtk_widget_class_install_action(widget_class, "win.one-op", NULL, act_one_op);
  gtk_widget_class_install_action(widget_class, "win.hold", NULL, act_hold);
  gtk_widget_class_install_action(widget_class, "win.go-lesson", "i", act_go_lesson);
  gtk_widget_class_install_action(widget_class, "win.open-lesson", "s", act_open_lesson);
  gtk_widget_class_install_action(widget_class, "win.open-page", "s", act_open_page);
  gtk_widget_class_install_action(widget_class, "win.tell", "s", act_tell);
  gtk_widget_class_install_action(widget_class, "win.progress-changed", NULL, act_progress_changed);
  gtk_widget_class_install_action(widget_class, "win.go-move", "i", act_go_move);
  gtk_widget_class_install_action(widget_class, "win.lessons", NULL, act_lessons);
  gtk_widget_class_install_action(widget_class, "win.column", "s", act_column);
  gtk_widget_class_install_action(widget_class, "win.open-file", "s", act_open_file);
  for (guint i = 0; i < OL_SANDBOX_N_ACTIONS; i++)
    gtk_widget_class_install_action(widget_class, ol_sandbox_place_actions[i], NULL, act_config);
}

void ol_lab_window_add_units(OlLabWindow *self)
{
  GSimpleAction *units =
      g_simple_action_new_stateful("units", G_VARIANT_TYPE_STRING, g_variant_new_string("here"));

  g_signal_connect_object(units, "change-state", G_CALLBACK(on_units), self, 0);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(units));
  g_object_unref(units);
}
