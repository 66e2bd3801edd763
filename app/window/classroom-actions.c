/* What a class can do, by keys, as remotes send them, by clicks and by assistive technology. */
#include "app/window/classroom-window-private.h"

#include "engine/base/intl.h"

/* Told by a bell that there is nothing to do. */
static void finish(OlClassroomWindow *self, gboolean done, gboolean voted)
{
  if (done)
    ol_classroom_window_refresh(self, voted);
  else
    gtk_widget_error_bell(GTK_WIDGET(self));
}

static void act_next(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_go_on(self->session), FALSE);
}

static void act_back(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_go_back(self->session), FALSE);
}

/* "i": by how many. */
static void act_question(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_go_question(self->session, g_variant_get_int32(parameter)), FALSE);
}

static void act_vote(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_open_vote(self->session), FALSE);
}

/* "u": the option. */
static void act_vote_for(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_vote(self->session, g_variant_get_uint32(parameter)), TRUE);
}

static void act_take_back(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_take_back(self->session, g_variant_get_uint32(parameter)), TRUE);
}

static void act_undo_vote(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  finish(self, ol_class_session_undo_vote(self->session), TRUE);
}

static void act_bench(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);
  gboolean there = ol_class_session_get_stage(self->session) == OL_CLASS_BENCH;

  finish(self, ol_class_session_turn_to_bench(self->session, !there), FALSE);
}

/* The next run that this class has not made, else the one on the bench once more. Nobody predicts:
 * the class votes. */
static void begin_run(OlClassroomWindow *self, gboolean held)
{
  OlLessonWork *work = ol_classroom_window_get_work(self);
  OlLessonRuns *runs = ol_lesson_work_get_runs(work);
  int run = ol_lesson_work_get_next_run(work);

  if (run < 0)
    run = ol_lab_session_get_run(self->lab);
  if (run < 0)
    return;
  if (!ol_lesson_runs_is_free(runs))
    ol_classroom_window_tell(self, _("Another run is still under way: try again in a moment."));
  else if (held)
    ol_lesson_runs_start_held(runs, (guint)run);
  else
    ol_lesson_runs_start(runs, (guint)run);
}

static OlLessonRuns *turn_to_runs(OlClassroomWindow *self)
{
  OlLessonWork *work = ol_classroom_window_get_work(self);
  gboolean turned = ol_class_session_turn_to_bench(self->session, TRUE);

  finish(self, turned, FALSE);
  return turned && work ? ol_lesson_work_get_runs(work) : NULL;
}

static void act_run(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);
  OlLessonRuns *runs = turn_to_runs(self);

  if (runs && ol_lesson_runs_get_busy(runs) >= 0)
    ol_lesson_runs_stop(runs);
  else if (runs)
    begin_run(self, FALSE);
}

static void act_one_op(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);
  OlLessonRuns *runs = turn_to_runs(self);

  if (runs && ol_lesson_runs_get_busy(runs) >= 0)
    ol_lesson_runs_next(runs);
  else if (runs)
    begin_run(self, TRUE);
}

void ol_classroom_window_set_blank(OlClassroomWindow *self, gboolean blank)
{
  gtk_widget_set_visible(self->blank, blank);
  gtk_widget_set_visible(GTK_WIDGET(self->toasts), !blank); /* nothing shows through */
  if (blank)
    gtk_widget_grab_focus(self->blank);
}

static void act_blank(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);

  ol_classroom_window_set_blank(self, !gtk_widget_get_visible(self->blank));
}

static void act_save(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(widget);
  g_autofree char *text = ol_class_session_dup_csv(self->session);
  g_autofree char *file = g_date_time_format(ol_class_session_get_begin(self->session),
                                             /* a file's name */ _("class %Y-%m-%d %H-%M.csv"));

  if (ol_class_session_has_votes(self->session))
    ol_text_saver_ask(self->saver, _("Save the results of the class"), file, "csv", text);
  else
    ol_classroom_window_tell(self, _("Nobody has voted yet: there are no results to save."));
}

static void act_leave(GtkWidget *widget, const char *name, GVariant *parameter)
{
  ol_classroom_window_leave(OL_CLASSROOM_WINDOW(widget));
}

void ol_classroom_window_install_actions(GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action(widget_class, "class.next", NULL, act_next);
  gtk_widget_class_install_action(widget_class, "class.back", NULL, act_back);
  gtk_widget_class_install_action(widget_class, "class.question", "i", act_question);
  gtk_widget_class_install_action(widget_class, "class.vote", NULL, act_vote);
  gtk_widget_class_install_action(widget_class, "class.vote-for", "u", act_vote_for);
  gtk_widget_class_install_action(widget_class, "class.take-back", "u", act_take_back);
  gtk_widget_class_install_action(widget_class, "class.undo-vote", NULL, act_undo_vote);
  gtk_widget_class_install_action(widget_class, "class.bench", NULL, act_bench);
  gtk_widget_class_install_action(widget_class, "class.run", NULL, act_run);
  gtk_widget_class_install_action(widget_class, "class.one-op", NULL, act_one_op);
  gtk_widget_class_install_action(widget_class, "class.blank", NULL, act_blank);
  gtk_widget_class_install_action(widget_class, "class.save", NULL, act_save);
  gtk_widget_class_install_action(widget_class, "class.leave", NULL, act_leave);
}

/* Keys */

/* The option that a key votes for while a vote is open, or -1. Letters vote for none: a remote's B
 * would. */
static int find_option(OlClassroomWindow *self, guint key)
{
  guint n = ol_class_session_get_item(self->session)->n_options;
  int option = -1;

  if (ol_class_session_get_open_round(self->session) < 0)
    return -1;
  if (key >= GDK_KEY_1 && key <= GDK_KEY_9)
    option = (int)(key - GDK_KEY_1);
  else if (key >= GDK_KEY_KP_1 && key <= GDK_KEY_KP_9)
    option = (int)(key - GDK_KEY_KP_1);
  return option < (int)n ? option : -1;
}

static gboolean is_in_bench(OlClassroomWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self));

  return self->bench && focus && gtk_widget_is_ancestor(focus, self->bench);
}

/* Remotes send Page Up and Down, F5 and Escape in turn, and B or a full stop. */
static const struct {
  guint key;
  const char *action;
  gboolean is_bench_s; /* where the bench has the focus it is a chart's */
} bindings[] = {
    {GDK_KEY_space, "class.next", FALSE},
    {GDK_KEY_Page_Down, "class.next", FALSE},
    {GDK_KEY_KP_Page_Down, "class.next", FALSE},
    {GDK_KEY_Page_Up, "class.back", FALSE},
    {GDK_KEY_KP_Page_Up, "class.back", FALSE},
    {GDK_KEY_Left, "class.question(-1)", TRUE},
    {GDK_KEY_Right, "class.question(1)", TRUE},
    {GDK_KEY_v, "class.vote", FALSE},
    {GDK_KEY_BackSpace, "class.undo-vote", TRUE},
    {GDK_KEY_e, "class.bench", FALSE},
    {GDK_KEY_r, "class.run", FALSE},
    {GDK_KEY_F8, "class.one-op", FALSE},
    {GDK_KEY_b, "class.blank", FALSE},
    {GDK_KEY_period, "class.blank", FALSE},
    {GDK_KEY_Escape, "class.leave", FALSE},
};

static gboolean do_key(OlClassroomWindow *self, guint key, gboolean shift)
{
  int option = find_option(self, key);

  if (option >= 0) {
    gtk_widget_activate_action(GTK_WIDGET(self), shift ? "class.take-back" : "class.vote-for", "u",
                               (guint)option);
    return TRUE;
  }
  /* A remote's “begin” only ever begins something: the run, where one can be. */
  if (key == GDK_KEY_F5) {
    if (ol_class_session_get_stage(self->session) == OL_CLASS_BENCH &&
        !ol_classroom_window_is_running(self))
      begin_run(self, FALSE);
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS(bindings); i++)
    if (bindings[i].key == key && !(bindings[i].is_bench_s && is_in_bench(self))) {
      g_autofree char *action = NULL;
      g_autoptr(GVariant) target = NULL;
      if (!g_action_parse_detailed_name(bindings[i].action, &action, &target, NULL))
        return FALSE;
      gtk_widget_activate_action_variant(GTK_WIDGET(self), action, target);
      return TRUE;
    }
  return FALSE;
}

/* Shift and its like, alone. */
static gboolean is_modifier(guint key)
{
  return (key >= GDK_KEY_Shift_L && key <= GDK_KEY_Hyper_R) || key == GDK_KEY_ISO_Level3_Shift;
}

static gboolean on_key(OlClassroomWindow *self, guint key, guint code, GdkModifierType state)
{
  const GdkModifierType others = GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK;
  gboolean repeats = code == self->held_key;

  if (is_modifier(key))
    return GDK_EVENT_PROPAGATE;
  self->held_key = code;
  if (gtk_widget_get_visible(self->blank)) {
    if (!repeats)
      ol_classroom_window_set_blank(self, FALSE);
    return GDK_EVENT_STOP;
  }
  if ((state & others) == GDK_CONTROL_MASK && gdk_keyval_to_lower(key) == GDK_KEY_s) {
    gtk_widget_activate_action(GTK_WIDGET(self), "class.save", NULL);
    return GDK_EVENT_STOP;
  }
  if (state & others)
    return GDK_EVENT_PROPAGATE;
  if (repeats && !is_in_bench(self))
    return GDK_EVENT_STOP;
  return do_key(self, gdk_keyval_to_lower(key), (state & GDK_SHIFT_MASK) != 0);
}

static void on_key_released(OlClassroomWindow *self)
{
  self->held_key = 0;
}

/* Before anything that has the focus, which may be a button, and before the lab's own keys. */
void ol_classroom_window_add_keys(OlClassroomWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new();

  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(on_key), self);
  g_signal_connect_swapped(keys, "key-released", G_CALLBACK(on_key_released), self);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
}
