#include "app/window/classroom-window-private.h"

#include "app/window/compare-actions.h"
#include "app/window/words-toast.h"
#include "engine/base/intl.h"
#include "lessons/class-records.h"

/* Letters that fit the room, in ems of the text that options are in. */
#define ACROSS 51.0
#define DOWN   32.0
/* Of that size. */
#define SMALL_SHARE 0.72 /* the lines above and below */
#define BENCH_SHARE 0.55
/* Of the desktop's. */
#define BOARD_LEAST   0.75
#define SMALL_LEAST   0.6
#define BENCH_TALL_EM 54 /* height of the room, in the bench's own ems, where all of it fits */
#define KEEP_AFTER_S  1  /* a vote: others will follow it at once */
#define AGAIN_AFTER_S 4  /* when that was not possible */
#define TOAST_SECONDS 6

G_DEFINE_FINAL_TYPE(OlClassroomWindow, ol_classroom_window, ADW_TYPE_APPLICATION_WINDOW)

enum { LEFT, N_SIGNALS };
static guint signals[N_SIGNALS];

void ol_classroom_window_tell(OlClassroomWindow *self, const char *text)
{
  adw_toast_overlay_add_toast(self->toasts, ol_words_toast_new(text, TOAST_SECONDS));
}

const OlClassSession *ol_classroom_window_get_session(OlClassroomWindow *self)
{
  return self->session;
}

OlLessonWork *ol_classroom_window_get_work(OlClassroomWindow *self)
{
  return g_ptr_array_index(self->works, ol_class_session_get_position(self->session));
}

gboolean ol_classroom_window_is_running(OlClassroomWindow *self)
{
  OlLessonWork *work = ol_classroom_window_get_work(self);

  return work && ol_lesson_runs_get_busy(ol_lesson_work_get_runs(work)) >= 0;
}

/* Results */

gboolean ol_classroom_window_keep(OlClassroomWindow *self, GError **error)
{
  g_clear_handle_id(&self->keep_source, g_source_remove);
  if (!self->is_kept)
    self->is_kept = ol_class_record_keep(self->session, error);
  return self->is_kept;
}

/* What cannot be kept is told once, and tried again until it can. */
static void keep_and_tell(OlClassroomWindow *self);

static gboolean on_keep(gpointer data)
{
  OlClassroomWindow *self = data;

  self->keep_source = 0;
  keep_and_tell(self);
  return G_SOURCE_REMOVE;
}

static void keep_and_tell(OlClassroomWindow *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  if (ol_classroom_window_keep(self, &error)) {
    if (self->was_told)
      ol_classroom_window_tell(self, _("The votes are on the disk now."));
    self->was_told = FALSE;
    return;
  }
  self->keep_source = g_timeout_add_seconds(AGAIN_AFTER_S, on_keep, self);
  if (self->was_told)
    return;
  self->was_told = TRUE;
  text = g_strdup_printf(_("The votes are not on the disk yet, and stay in memory: %s"),
                         error->message);
  ol_classroom_window_tell(self, text);
}

static void keep_soon(OlClassroomWindow *self)
{
  self->is_kept = FALSE;
  if (!self->keep_source)
    self->keep_source = g_timeout_add_seconds(KEEP_AFTER_S, on_keep, self);
}

static void on_saved(OlClassroomWindow *self, const char *name, const char *folder)
{
  g_autofree char *text = g_strdup_printf(_("Saved: %s, in %s"), name, folder);

  ol_classroom_window_tell(self, text);
}

/* What is in sight */

void ol_classroom_window_refresh(OlClassroomWindow *self, gboolean voted)
{
  OlLessonWork *work = ol_classroom_window_get_work(self);
  gboolean on_bench = ol_class_session_get_stage(self->session) == OL_CLASS_BENCH;

  if (voted)
    keep_soon(self);
  if (work)
    ol_lab_session_set_work(self->lab, work);
  ol_class_top_refresh(self->top, self->session);
  if (!on_bench)
    ol_class_board_refresh(self->board, work);
  ol_class_foot_refresh(self->foot, self->session, ol_classroom_window_is_running(self));
  gtk_stack_set_visible_child(self->stack, on_bench ? self->bench : GTK_WIDGET(self->board));
}

static void on_lab_updated(OlClassroomWindow *self)
{
  ol_classroom_window_refresh(self, FALSE);
}

static void on_board_changed(OlClassroomWindow *self)
{
  ol_classroom_window_refresh(self, TRUE);
}

/* Text as large as suits the room. The desktop's is for one who sits close: where that asks for
 * more than the room has, all options in sight are worth more than their full size. */
static gboolean fit(gpointer data)
{
  OlClassroomWindow *self = data;
  double width = gtk_widget_get_width(GTK_WIDGET(self));
  double height = gtk_widget_get_height(GTK_WIDGET(self));
  double least = ol_class_text_get_desktop(), size = MIN(width / ACROSS, height / DOWN);
  double bench = MAX(BENCH_SHARE * size, least);

  self->fit_source = 0;
  ol_class_text_set(self->top_text, MAX(SMALL_SHARE * size, SMALL_LEAST * least));
  ol_class_text_set(self->foot_text, MAX(SMALL_SHARE * size, SMALL_LEAST * least));
  ol_class_board_set_text(self->board, size, BOARD_LEAST * least);
  if (self->bench && gtk_widget_get_mapped(self->bench)) { /* else once it comes in sight */
    ol_class_text_set(self->bench_text, bench);
    ol_bench_set_room(OL_BENCH(self->bench), TRUE, height < BENCH_TALL_EM * bench);
  }
  return G_SOURCE_REMOVE;
}

static void on_layout(OlClassroomWindow *self)
{
  if (!self->fit_source)
    self->fit_source = g_idle_add_full(G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

static void realize(GtkWidget *widget)
{
  GTK_WIDGET_CLASS(ol_classroom_window_parent_class)->realize(widget);
  g_signal_connect_object(gtk_native_get_surface(GTK_NATIVE(widget)), "layout",
                          G_CALLBACK(on_layout), widget, G_CONNECT_SWAPPED);
}

/* Opening and leaving */

/* A class looks at one question for minutes on end without a key being pressed. */
static void stay_awake(OlClassroomWindow *self, gboolean awake)
{
  GtkApplication *application = gtk_window_get_application(GTK_WINDOW(self));

  if (awake && !self->awake)
    self->awake = gtk_application_inhibit(
        application, GTK_WINDOW(self),
        GTK_APPLICATION_INHIBIT_IDLE | GTK_APPLICATION_INHIBIT_SUSPEND, _("A class is under way"));
  if (!awake && self->awake) {
    gtk_application_uninhibit(application, self->awake);
    self->awake = 0;
  }
}

/* Where nothing takes a window to full screen it is as large as that is. */
static void take_screen(OlClassroomWindow *self)
{
  GListModel *monitors = gdk_display_get_monitors(gtk_widget_get_display(GTK_WIDGET(self)));
  g_autoptr(GdkMonitor) monitor = g_list_model_get_item(monitors, 0);
  GdkRectangle box = {0};

  if (monitor)
    gdk_monitor_get_geometry(monitor, &box);
  if (box.width > 0)
    gtk_window_set_default_size(GTK_WINDOW(self), box.width, box.height);
  gtk_window_fullscreen(GTK_WINDOW(self));
}

void ol_classroom_window_open(OlClassroomWindow *self)
{
  take_screen(self);
  ol_classroom_window_set_blank(self, FALSE);
  ol_classroom_window_refresh(self, FALSE);
  gtk_window_present(GTK_WINDOW(self));
  stay_awake(self, TRUE);
}

void ol_classroom_window_leave(OlClassroomWindow *self)
{
  OlLessonWork *work = ol_classroom_window_get_work(self);

  if (work)
    ol_lesson_runs_stop(ol_lesson_work_get_runs(work));
  keep_and_tell(self);
  stay_awake(self, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  g_signal_emit(self, signals[LEFT], 0);
}

/* Closed by whatever means it may be opened again. */
static gboolean on_close_request(GtkWindow *window)
{
  ol_classroom_window_leave(OL_CLASSROOM_WINDOW(window));
  return TRUE;
}

static void dispose(GObject *object)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(object);

  if (self->works)
    for (guint i = 0; i < self->works->len; i++)
      if (g_ptr_array_index(self->works, i))
        ol_lesson_runs_stop(ol_lesson_work_get_runs(g_ptr_array_index(self->works, i)));
  if (self->session && !self->is_kept)
    ol_classroom_window_keep(self, NULL);
  g_clear_handle_id(&self->keep_source, g_source_remove);
  g_clear_handle_id(&self->fit_source, g_source_remove);
  g_clear_object(&self->saver);
  g_clear_pointer(&self->works, g_ptr_array_unref);
  g_clear_pointer(&self->top_text, ol_class_text_free);
  g_clear_pointer(&self->foot_text, ol_class_text_free);
  g_clear_pointer(&self->bench_text, ol_class_text_free);
  G_OBJECT_CLASS(ol_classroom_window_parent_class)->dispose(object);
}

/* After the widgets, which borrow all of it. */
static void finalize(GObject *object)
{
  OlClassroomWindow *self = OL_CLASSROOM_WINDOW(object);

  g_clear_object(&self->lab);
  ol_progress_free(self->progress);
  ol_class_session_free(self->session);
  G_OBJECT_CLASS(ol_classroom_window_parent_class)->finalize(object);
}

static void ol_classroom_window_class_init(OlClassroomWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
  widget_class->realize = realize;
  GTK_WINDOW_CLASS(class)->close_request = on_close_request;
  ol_classroom_window_install_actions(widget_class);
  signals[LEFT] = g_signal_new("left", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
}

static void ol_classroom_window_init(OlClassroomWindow *self)
{
  gtk_window_set_title(GTK_WINDOW(self), _("Classroom"));
  gtk_widget_add_css_class(GTK_WIDGET(self), "classroom");
  self->lab = ol_lab_session_new();
  ol_lab_session_let_nobody_guess(self->lab);
  self->progress = ol_progress_new_unsaved(NULL);
  self->is_kept = TRUE;
}

static void free_work(gpointer work)
{
  if (work)
    g_object_unref(work);
}

static void make_works(OlClassroomWindow *self, const char *data_folder, OlEngineSlot *engine)
{
  self->works = g_ptr_array_new_with_free_func(free_work);
  for (guint i = 0; i < ol_class_session_count(self->session); i++) {
    const OlClassItem *item = ol_class_session_get_nth(self->session, i);
    guint lesson = item->lesson ? (guint)(item->lesson - item->course->lessons) : 0;
    g_ptr_array_add(self->works, item->lesson
                                     ? ol_lesson_work_new(item->course, lesson, self->progress,
                                                          data_folder, engine)
                                     : NULL);
  }
}

/* A bench needs a lesson to be about: a session of a quiz alone has none. */
static void make_bench(OlClassroomWindow *self)
{
  guint first = 0;

  while (first < self->works->len && !g_ptr_array_index(self->works, first))
    first++;
  if (first == self->works->len)
    return;
  self->bench = ol_bench_new(self->lab);
  self->bench_text = ol_class_text_new(self->bench);
  g_signal_connect_object(self->bench, "map", G_CALLBACK(on_layout), self, G_CONNECT_SWAPPED);
  ol_compare_actions_add(G_ACTION_MAP(self), self->lab);
  gtk_stack_add_child(self->stack, self->bench);
  ol_lab_session_set_work(self->lab, g_ptr_array_index(self->works, first));
}

static GtkWidget *make_blank(void)
{
  GtkWidget *blank = gtk_button_new();

  gtk_widget_add_css_class(blank, "class-blank");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(blank), "class.blank");
  gtk_accessible_update_property(GTK_ACCESSIBLE(blank), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("The screen is blank: any key or a click brings it back"), -1);
  gtk_widget_set_visible(blank, FALSE);
  return blank;
}

static void make_content(OlClassroomWindow *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *overlay = gtk_overlay_new();

  self->top = OL_CLASS_TOP(ol_class_top_new());
  self->board = OL_CLASS_BOARD(ol_class_board_new(self->session));
  self->foot = OL_CLASS_FOOT(ol_class_foot_new());
  self->top_text = ol_class_text_new(GTK_WIDGET(self->top));
  self->foot_text = ol_class_text_new(GTK_WIDGET(self->foot));
  self->stack = GTK_STACK(gtk_stack_new());
  gtk_stack_add_child(self->stack, GTK_WIDGET(self->board));
  gtk_widget_set_vexpand(GTK_WIDGET(self->stack), TRUE);
  gtk_stack_set_hhomogeneous(self->stack, FALSE);
  gtk_stack_set_vhomogeneous(self->stack, FALSE);
  make_bench(self);
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->top));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->stack));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->foot));
  self->toasts = ADW_TOAST_OVERLAY(adw_toast_overlay_new());
  adw_toast_overlay_set_child(self->toasts, column);
  self->blank = make_blank();
  gtk_overlay_set_child(GTK_OVERLAY(overlay), GTK_WIDGET(self->toasts));
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), self->blank);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(self), overlay);
}

OlClassroomWindow *ol_classroom_window_new(GtkApplication *application, OlClassSession *session,
                                           const char *data_folder, OlEngineSlot *engine)
{
  OlClassroomWindow *self =
      g_object_new(OL_TYPE_CLASSROOM_WINDOW, "application", application, NULL);

  self->session = session;
  make_works(self, data_folder, engine);
  make_content(self);
  self->saver = ol_text_saver_new(GTK_WINDOW(self));
  ol_classroom_window_add_keys(self);
  g_signal_connect_object(self->saver, "saved", G_CALLBACK(on_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->board, "changed", G_CALLBACK(on_board_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->lab, "updated", G_CALLBACK(on_lab_updated), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->lab, "told", G_CALLBACK(ol_classroom_window_tell), self,
                          G_CONNECT_SWAPPED);
  return self;
}
