#include "app/window/lab-window-private.h"

#include "app/window/bench.h"
#include "app/window/compare-actions.h"
#include "app/window/run-actions.h"
#include "app/window/unsaved-bar.h"
#include "app/window/words-toast.h"
#include "engine/base/intl.h"
#include "lessons/next-lesson.h"

#define TOAST_SECONDS        6
#define TOAST_TO_ACT_SECONDS 12 /* with a button */

G_DEFINE_FINAL_TYPE(OlLabWindow, ol_lab_window, ADW_TYPE_APPLICATION_WINDOW)

OlLabWindow *ol_lab_window_find(GtkApplication *application)
{
  GList *windows = gtk_application_get_windows(application);

  while (windows && !OL_IS_LAB_WINDOW(windows->data))
    windows = windows->next;
  return windows ? windows->data : NULL;
}

/* The newest at once: what was told before it waits, unless it asked for something. */
void ol_lab_window_tell_with(OlLabWindow *self, const char *text, const char *button,
                             const char *action)
{
  AdwToast *toast = ol_words_toast_new(text, button ? TOAST_TO_ACT_SECONDS : TOAST_SECONDS);

  if (self->asking)
    adw_toast_dismiss(self->asking);
  g_clear_weak_pointer(&self->asking);
  if (button)
    g_set_weak_pointer(&self->asking, toast);
  adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_button_label(toast, button);
  adw_toast_set_action_name(toast, action);
  adw_toast_overlay_add_toast(self->toasts, toast);
}

void ol_lab_window_tell(OlLabWindow *self, const char *text)
{
  ol_lab_window_tell_with(self, text, NULL, NULL);
}

void ol_lab_window_leave_list(OlLabWindow *self)
{
  if (adw_flap_get_folded(self->flap))
    adw_flap_set_reveal_flap(self->flap, FALSE);
}

void ol_lab_window_show_column(OlLabWindow *self, gboolean bench)
{
  self->bench_asked = bench;
  ol_lab_window_show_asked_column(self);
  ol_lab_window_leave_list(self);
}

/* Whoever turns to a column wants to see it. */
static gboolean on_column_used(OlLabWindow *self, GdkEvent *event, GtkEventController *controller)
{
  switch (gdk_event_get_event_type(event)) {
  case GDK_BUTTON_PRESS:
  case GDK_TOUCH_BEGIN:
  case GDK_SCROLL:
    self->bench_asked = gtk_event_controller_get_widget(controller) == self->bench;
    break;
  default:
    break;
  }
  return GDK_EVENT_PROPAGATE;
}

static void watch_column(OlLabWindow *self, GtkWidget *column)
{
  GtkEventController *controller = gtk_event_controller_legacy_new();

  gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped(controller, "event", G_CALLBACK(on_column_used), self);
  gtk_widget_add_controller(column, controller);
}

static gboolean is_column_in_sight(OlLabWindow *self, gpointer column)
{
  return !adw_leaflet_get_folded(self->columns) ||
         adw_leaflet_get_visible_child(self->columns) == column;
}

/* The place among works of the lesson to go on with after `after`, over all courses; 0, and no
 * course, when all others are done. */
static guint find_next(OlLabWindow *self, const OlLesson *after, const OlCourse **course)
{
  const OlLesson *next = ol_courses_find_next(self->courses, self->progress, after, course);
  guint i = 0;

  while (next && ol_lesson_work_get_lesson(g_ptr_array_index(self->works, i)) != next)
    i++;
  return i;
}

int ol_lab_window_get_page(OlLabWindow *self)
{
  return self->current < self->works->len ? -1 : (int)(self->current - self->works->len);
}

static void refresh_list(OlLabWindow *self)
{
  for (guint i = 0; i < ol_lab_pages_count(); i++) {
    g_autofree char *news = ol_lab_pages_dup_news(self->pages, i);
    ol_lesson_list_set_news(self->list, self->works->len + i, news);
  }
  ol_lesson_list_refresh(self->list, self->progress, self->current);
}

/* A page has nothing to run; a run under way goes on, and can be stopped. */
static void refresh_page(OlLabWindow *self, gboolean busy)
{
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.run", FALSE);
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.stop", busy);
  ol_lab_header_show_page(
      self->header, _(ol_lab_pages_get_kind((guint)ol_lab_window_get_page(self))->place.title),
      busy);
}

void ol_lab_window_refresh(OlLabWindow *self)
{
  OlLessonWork *work = ol_lab_window_get_work(self);
  OlNext next = ol_lesson_work_get_next(work);
  const OlCourse *next_course = NULL;
  gboolean lesson_in_sight = is_column_in_sight(self, self->column);
  gboolean busy = ol_run_actions_find_busy(self->works) != NULL;

  refresh_list(self);
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.one-op", ol_lab_window_get_page(self) < 0);
  if (ol_lab_window_get_page(self) >= 0) {
    refresh_page(self, busy);
    return;
  }
  if (ol_sandbox_place_refresh(self->place, busy)) {
    gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.stop",
                                  busy || ol_sandbox_place_is_simulating(self->place));
    ol_lab_header_refresh(self->header, work, busy);
    ol_lab_header_set_columns(self->header, adw_leaflet_get_folded(self->columns), lesson_in_sight);
    ol_lab_header_suggest(self->header,
                          lesson_in_sight && ol_sandbox_place_has_run_button(self->place)
                              ? OL_SUGGEST_NOTHING
                              : OL_SUGGEST_RUN);
    return;
  }
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.run",
                                !busy && ol_lab_session_get_run(self->session) >= 0);
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "win.stop", busy);
  find_next(self, ol_lesson_work_get_lesson(work), &next_course);
  ol_lesson_page_set_next(self->page, next_course);
  ol_lab_header_refresh(self->header, work, busy);
  ol_lab_header_set_columns(self->header, adw_leaflet_get_folded(self->columns), lesson_in_sight);
  /* The header takes the suggestion over when the widget that has it is out of sight. */
  if (next == OL_NEXT_RUN &&
      (!lesson_in_sight || ol_lesson_page_get_move(self->page) != OL_MOVE_RUN))
    ol_lab_header_suggest(self->header, OL_SUGGEST_RUN);
  else if (!lesson_in_sight && next != OL_NEXT_WAIT)
    ol_lab_header_suggest(self->header, OL_SUGGEST_LESSON);
  else
    ol_lab_header_suggest(self->header, OL_SUGGEST_NOTHING);
}

void ol_lab_window_open_place(OlLabWindow *self, guint position)
{
  self->current = position;
  if (position < self->works->len) {
    ol_lab_session_set_work(self->session, g_ptr_array_index(self->works, position));
    ol_sandbox_place_open(self->place, ol_lab_window_get_work(self));
  }
  ol_lab_window_show_column(self, FALSE);
  ol_lab_pages_show(self->pages, ol_lab_window_get_page(self));
  ol_lab_window_refresh(self);
}

/* Leaves a page for what is on the bench. */
static void leave_page(OlLabWindow *self)
{
  guint position;

  if (ol_lab_window_get_page(self) >= 0 &&
      g_ptr_array_find(self->works, ol_lab_window_get_work(self), &position))
    ol_lab_window_open_place(self, position);
}

/* What happens elsewhere */

static void on_started(OlLabWindow *self)
{
  leave_page(self);
  ol_lab_window_show_column(self, TRUE);
}

static void on_work_changed(OlLabWindow *self, OlLessonWork *work)
{
  /* Runs of this lesson wait for those of another: they may be free to start now. */
  if (work != ol_lab_window_get_work(self))
    g_signal_emit_by_name(self->session, "updated");
  ol_lab_window_refresh(self);
}

static void on_shown(OlLabWindow *self)
{
  leave_page(self);
  ol_lab_window_show_column(self, TRUE);
}

static void on_next_lesson(OlLabWindow *self)
{
  ol_lab_window_open_place(
      self, find_next(self, ol_lesson_work_get_lesson(ol_lab_window_get_work(self)), NULL));
  ol_lesson_page_grab(self->page);
}

static void on_lesson_chosen(OlLabWindow *self, guint position)
{
  ol_lab_window_open_place(self, position);
}

/* A config is to be opened while a lesson is: it goes to the sandbox. */
static void on_place_asked(OlLabWindow *self, guint place)
{
  ol_lab_window_open_place(self, self->works->len - OL_SANDBOX_N_PLACES + place);
}

static void map(GtkWidget *widget)
{
  GTK_WIDGET_CLASS(ol_lab_window_parent_class)->map(widget);
  ol_lesson_page_grab(OL_LAB_WINDOW(widget)->page);
}

static void dispose(GObject *object)
{
  OlLabWindow *self = OL_LAB_WINDOW(object);

  if (self->works)
    ol_run_actions_stop(self->works);
  g_clear_handle_id(&self->fold_source, g_source_remove);
  g_clear_weak_pointer(&self->asking);
  g_clear_object(&self->files);
  g_clear_object(&self->progress_files);
  g_clear_pointer(&self->works, g_ptr_array_unref);
  g_clear_object(&self->place);
  g_clear_pointer(&self->engine, g_rc_box_release);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_lab_window_parent_class)->dispose(object);
}

static void ol_lab_window_class_init(OlLabWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->map = map;
  ol_lab_window_install_actions(widget_class);
  ol_lab_window_install_learning(widget_class);
}

static void ol_lab_window_init(OlLabWindow *self)
{
  ol_lab_window_add_units(self);
  gtk_window_set_title(GTK_WINDOW(self), _("Offload Lab"));
  gtk_window_set_default_size(GTK_WINDOW(self), 1440, 900);
}

static OlLessonList *make_list(OlLabWindow *self)
{
  OlLessonList *list = OL_LESSON_LIST(ol_lesson_list_new(self->courses));

  for (guint i = 0; i < OL_SANDBOX_N_PLACES; i++)
    ol_lesson_list_add_place(list, &ol_sandbox_place_names[i]);
  for (guint i = 0; i < ol_lab_pages_count(); i++)
    ol_lesson_list_add_place(list, &ol_lab_pages_get_kind(i)->place);
  return list;
}

static OlLabPages *make_pages(OlLabWindow *self)
{
  OlLabPageNeeds needs = {self->courses, self->progress, self->data_folder, self->engine};

  return OL_LAB_PAGES(ol_lab_pages_new(GTK_WIDGET(self->columns), &needs));
}

static void make_content(OlLabWindow *self)
{
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *jobs = ol_job_bar_new();

  self->header = OL_LAB_HEADER(ol_lab_header_new(self->session, self->progress));
  self->list = make_list(self);
  self->page = OL_LESSON_PAGE(ol_lesson_page_new(self->session));
  self->column = GTK_STACK(gtk_stack_new());
  gtk_stack_add_child(self->column, GTK_WIDGET(self->page));
  gtk_widget_set_hexpand(GTK_WIDGET(self->column), FALSE);
  ol_sandbox_place_set_column(self->place, self->column);
  self->bench = ol_bench_new(self->session);
  gtk_widget_set_hexpand(self->bench, TRUE);
  watch_column(self, GTK_WIDGET(self->column));
  watch_column(self, self->bench);
  self->columns = ADW_LEAFLET(adw_leaflet_new());
  adw_leaflet_set_fold_threshold_policy(self->columns, ADW_FOLD_THRESHOLD_POLICY_MINIMUM);
  adw_leaflet_set_transition_type(self->columns, ADW_LEAFLET_TRANSITION_TYPE_SLIDE);
  adw_leaflet_append(self->columns, GTK_WIDGET(self->column));
  adw_leaflet_page_set_navigatable(
      adw_leaflet_append(self->columns, gtk_separator_new(GTK_ORIENTATION_VERTICAL)), FALSE);
  adw_leaflet_append(self->columns, self->bench);
  self->flap = ADW_FLAP(adw_flap_new());
  adw_flap_set_flap(self->flap, GTK_WIDGET(self->list));
  adw_flap_set_separator(self->flap, gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  self->pages = make_pages(self);
  adw_flap_set_content(self->flap, GTK_WIDGET(self->pages));
  gtk_widget_set_vexpand(GTK_WIDGET(self->flap), TRUE);
  self->toasts = ADW_TOAST_OVERLAY(adw_toast_overlay_new());
  adw_toast_overlay_set_child(self->toasts, GTK_WIDGET(self->flap));
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->header));
  gtk_box_append(GTK_BOX(content), ol_unsaved_bar_new(self->keeper));
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->toasts));
  gtk_box_append(GTK_BOX(content), jobs);
  self->files = ol_run_files_new(ADW_APPLICATION_WINDOW(self), self->session, OL_BENCH(self->bench),
                                 OL_JOB_BAR(jobs));
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(self), content);
}

static void add_work(OlLabWindow *self, OlLessonWork *work)
{
  g_signal_connect_object(work, "changed", G_CALLBACK(on_work_changed), self,
                          G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object(ol_lesson_work_get_runs(work), "started", G_CALLBACK(on_started), self,
                          G_CONNECT_SWAPPED);
  g_ptr_array_add(self->works, work);
}

/* The sandbox and the planner come after the lessons. */
static void make_place(OlLabWindow *self)
{
  self->place =
      ol_sandbox_place_new(self->session, self->progress, self->data_folder, self->engine);
  for (guint i = 0; i < OL_SANDBOX_N_PLACES; i++)
    add_work(self, g_object_ref(ol_sandbox_place_get_work(self->place, i)));
  g_signal_connect_object(self->place, "told", G_CALLBACK(ol_lab_window_tell), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->place, "changed", G_CALLBACK(ol_lab_window_refresh), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->place, "made", G_CALLBACK(on_started), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->place, "asks-for", G_CALLBACK(on_place_asked), self,
                          G_CONNECT_SWAPPED);
  ol_sandbox_place_install(self->place, GTK_WIDGET(self));
}

static void make_works(OlLabWindow *self)
{
  self->engine = g_rc_box_new0(OlEngineSlot);
  self->works = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < self->courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(self->courses, i);
    for (guint j = 0; j < course->n_lessons; j++)
      add_work(self,
               ol_lesson_work_new(course, j, self->progress, self->data_folder, self->engine));
  }
  make_place(self);
}

OlLabWindow *ol_lab_window_new(GtkApplication *application, GPtrArray *courses,
                               OlProgressKeeper *keeper, const char *data_folder)
{
  OlLabWindow *self = g_object_new(OL_TYPE_LAB_WINDOW, "application", application, NULL);

  self->courses = courses;
  self->keeper = keeper;
  self->progress = ol_progress_keeper_get(keeper);
  self->data_folder = data_folder;
  self->session = ol_lab_session_new();
  ol_compare_actions_add(G_ACTION_MAP(self), self->session);
  make_works(self);
  make_content(self);
  ol_lab_window_watch_learning(self);
  g_signal_connect_object(self->session, "told", G_CALLBACK(ol_lab_window_tell), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->files, "opened", G_CALLBACK(on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->page, "opened", G_CALLBACK(ol_lab_window_refresh), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->page, "shown", G_CALLBACK(on_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->page, "next-lesson", G_CALLBACK(on_next_lesson), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->list, "chosen", G_CALLBACK(on_lesson_chosen), self,
                          G_CONNECT_SWAPPED);
  ol_lab_window_watch_room(self);
  ol_lab_window_open_place(self, find_next(self, NULL, NULL));
  return self;
}
