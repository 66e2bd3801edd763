#include "app/window/lab-session.h"

#include "app/window/span-walk.h"
#include "app/window/view-range.h"

struct _OlLabSession {
  GObject parent_instance;
  OlLessonWork *work;
  int run;
  OlTrace *trace;
  OlTraceIndex *index;
  OlChartView view;
  gboolean following;
  gboolean was_live;
  gint64 marked_begin, marked_end;
};

G_DEFINE_FINAL_TYPE(OlLabSession, ol_lab_session, G_TYPE_OBJECT)

enum { LESSON_CHANGED, UPDATED, RUN_SHOWN, GROWN, VIEW_CHANGED, CURSOR_CHANGED, TOLD, N_SIGNALS };
static guint signals[N_SIGNALS];

static void emit(OlLabSession *self, guint which)
{
  g_signal_emit(self, signals[which], 0);
}

static void forget_emphasis(OlLabSession *self)
{
  self->view.shown_payload = self->view.shown_lane = self->view.shown_tier = -1;
}

static void reset_view(OlLabSession *self)
{
  gboolean there = self->view.there;

  self->view = (OlChartView){.end_ns = OL_VIEW_FIRST_SIGHT_NS,
                             .cursor_ns = -1,
                             .selected_span = -1,
                             .hovered_span = -1,
                             .there = there};
  forget_emphasis(self);
  self->marked_begin = self->marked_end = 0;
}

static void ol_lab_session_init(OlLabSession *self)
{
  self->run = -1;
  self->following = TRUE;
  reset_view(self);
}

static void finalize(GObject *object)
{
  OlLabSession *self = OL_LAB_SESSION(object);

  g_clear_pointer(&self->index, ol_trace_index_free);
  g_clear_pointer(&self->trace, ol_trace_unref);
  g_clear_object(&self->work);
  G_OBJECT_CLASS(ol_lab_session_parent_class)->finalize(object);
}

static void ol_lab_session_class_init(OlLabSessionClass *class)
{
  static const char *const names[] = {"lesson-changed", "updated",        "run-shown", "grown",
                                      "view-changed",   "cursor-changed", "told"};
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  for (guint i = 0; i < TOLD; i++)
    signals[i] =
        g_signal_new(names[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TOLD] = g_signal_new(names[TOLD], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, G_TYPE_STRING);
}

OlLabSession *ol_lab_session_new(void)
{
  return g_object_new(OL_TYPE_LAB_SESSION, NULL);
}

OlLessonWork *ol_lab_session_get_work(OlLabSession *self)
{
  return self->work;
}

int ol_lab_session_get_run(OlLabSession *self)
{
  return self->run;
}

const OlChartView *ol_lab_session_get_view(OlLabSession *self)
{
  return &self->view;
}

static OlLessonRuns *get_runs(OlLabSession *self)
{
  return self->work ? ol_lesson_work_get_runs(self->work) : NULL;
}

gboolean ol_lab_session_is_live(OlLabSession *self)
{
  return self->run >= 0 && ol_lesson_runs_get_busy(get_runs(self)) == self->run;
}

gboolean ol_lab_session_is_following(OlLabSession *self)
{
  return self->following;
}

static void set_trace(OlLabSession *self, OlTrace *trace)
{
  g_clear_pointer(&self->index, ol_trace_index_free);
  g_clear_pointer(&self->trace, ol_trace_unref);
  reset_view(self);
  self->following = TRUE;
  if (!trace)
    return;
  self->trace = ol_trace_ref(trace);
  self->index = ol_trace_index_new(trace);
  ol_trace_index_extend(self->index);
  self->view.trace = trace;
  self->view.index = self->index;
}

/* Brings the bench in line with what the runs have made. */
static void catch_up(OlLabSession *self)
{
  OlTrace *trace =
      self->run >= 0 ? ol_lesson_runs_get_trace(get_runs(self), (guint)self->run) : NULL;
  gboolean other = trace != self->trace, live = ol_lab_session_is_live(self);
  gboolean more = FALSE;

  if (other)
    set_trace(self, trace);
  else if (trace)
    more = ol_trace_index_extend(self->index);
  if (trace && self->following) {
    if (live)
      ol_view_follow(&self->view);
    else if (other || self->was_live)
      ol_view_fit_steps(&self->view);
  }
  self->was_live = live;
  if (other)
    emit(self, RUN_SHOWN);
  else if (more)
    emit(self, GROWN);
}

static void on_work_changed(OlLabSession *self)
{
  gboolean was_live = self->was_live;

  catch_up(self);
  if (was_live != self->was_live)
    emit(self, VIEW_CHANGED);
  emit(self, UPDATED);
}

static void on_run_started(OlLabSession *self, guint run)
{
  ol_lab_session_show_run(self, (int)run);
}

static void on_told(OlLabSession *self, const char *text)
{
  g_signal_emit(self, signals[TOLD], 0, text);
}

void ol_lab_session_show_run(OlLabSession *self, int run)
{
  gboolean other = run != self->run;

  self->run = run;
  self->was_live = FALSE;
  catch_up(self);
  if (other) {
    emit(self, RUN_SHOWN);
    emit(self, UPDATED);
  }
}

/* The run to begin with: the one under way, else the newest that left a trace, else the first. */
static int choose_run(OlLessonRuns *runs)
{
  int run = ol_lesson_runs_get_busy(runs);

  for (int i = (int)ol_lesson_runs_count(runs) - 1; run < 0 && i >= 0; i--)
    if (ol_lesson_runs_get_trace(runs, (guint)i))
      run = i;
  if (run < 0 && ol_lesson_runs_count(runs) > 0)
    run = 0;
  return run;
}

void ol_lab_session_set_work(OlLabSession *self, OlLessonWork *work)
{
  if (self->work == work)
    return;
  if (self->work) {
    g_signal_handlers_disconnect_by_data(self->work, self);
    g_signal_handlers_disconnect_by_data(get_runs(self), self);
  }
  g_set_object(&self->work, work);
  self->run = choose_run(get_runs(self));
  self->was_live = FALSE;
  emit(self, LESSON_CHANGED);
  /* Only now that every view knows the lesson may news of it come. */
  g_signal_connect_object(work, "changed", G_CALLBACK(on_work_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(work, "told", G_CALLBACK(on_told), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(get_runs(self), "started", G_CALLBACK(on_run_started), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(get_runs(self), "grown", G_CALLBACK(catch_up), self, G_CONNECT_SWAPPED);
  catch_up(self);
  emit(self, RUN_SHOWN);
  emit(self, UPDATED);
}

/* The visible range */

static void set_range(OlLabSession *self, gint64 begin_ns, gint64 length_ns)
{
  ol_view_set_range(&self->view, begin_ns, length_ns);
  self->following = FALSE;
  emit(self, VIEW_CHANGED);
}

void ol_lab_session_follow(OlLabSession *self)
{
  self->following = TRUE;
  self->was_live = TRUE; /* an ended run shows its last steps again */
  catch_up(self);
  emit(self, VIEW_CHANGED);
}

void ol_lab_session_zoom(OlLabSession *self, double factor, gint64 at_ns)
{
  double length = (double)(self->view.end_ns - self->view.begin_ns);
  double before = (double)(at_ns - self->view.begin_ns);

  if (self->trace)
    set_range(self, at_ns - (gint64)(before * factor), (gint64)(length * factor));
}

void ol_lab_session_pan(OlLabSession *self, double share)
{
  gint64 length = self->view.end_ns - self->view.begin_ns;

  if (self->trace)
    set_range(self, self->view.begin_ns + (gint64)((double)length * share), length);
}

void ol_lab_session_fit(OlLabSession *self)
{
  if (self->trace)
    set_range(self, 0, G_MAXINT64 / 4);
}

/* Cursor, selection and marks */

void ol_lab_session_set_cursor(OlLabSession *self, gint64 time_ns, int hovered_span)
{
  if (self->view.cursor_ns == time_ns && self->view.hovered_span == hovered_span)
    return;
  self->view.cursor_ns = time_ns;
  self->view.hovered_span = hovered_span;
  emit(self, CURSOR_CHANGED);
}

static void reveal(OlLabSession *self, int span_id)
{
  const OlSpan *span = ol_trace_span(self->trace, (guint)span_id);
  gint64 length = self->view.end_ns - self->view.begin_ns;

  if (span->begin_ns < self->view.begin_ns || span->end_ns > self->view.end_ns)
    set_range(self, (span->begin_ns + span->end_ns) / 2 - length / 2, length);
}

void ol_lab_session_select(OlLabSession *self, int span)
{
  self->view.selected_span = span;
  self->marked_begin = self->marked_end = 0;
  if (span >= 0)
    reveal(self, span);
  emit(self, VIEW_CHANGED);
  emit(self, CURSOR_CHANGED);
}

gboolean ol_lab_session_walk(OlLabSession *self, int along, int across)
{
  int to = ol_span_walk(&self->view, along, across);

  if (to >= 0)
    ol_lab_session_select(self, to);
  return to >= 0;
}

void ol_lab_session_set_marked(OlLabSession *self, gint64 begin_ns, gint64 end_ns)
{
  self->marked_begin = MAX(MIN(begin_ns, end_ns), 0);
  self->marked_end = MAX(MAX(begin_ns, end_ns), 0);
  emit(self, CURSOR_CHANGED);
}

gboolean ol_lab_session_get_marked(OlLabSession *self, gint64 *begin_ns, gint64 *end_ns)
{
  *begin_ns = self->marked_begin;
  *end_ns = self->marked_end;
  return self->marked_end > self->marked_begin;
}

void ol_lab_session_zoom_to_marked(OlLabSession *self)
{
  gint64 begin, end;

  if (ol_lab_session_get_marked(self, &begin, &end)) {
    self->marked_begin = self->marked_end = 0;
    set_range(self, begin, end - begin);
    emit(self, CURSOR_CHANGED);
  } else if (self->trace && self->view.selected_span >= 0) {
    const OlSpan *span = ol_trace_span(self->trace, (guint)self->view.selected_span);
    gint64 length = (span->end_ns - span->begin_ns) * 4;
    set_range(self, (span->begin_ns + span->end_ns) / 2 - length / 2, length);
  }
}

void ol_lab_session_show(OlLabSession *self, const OlObservation *observation)
{
  int run = ol_lesson_runs_find(get_runs(self), observation->run);

  if (run >= 0)
    ol_lab_session_show_run(self, run);
  forget_emphasis(self);
  self->view.selected_span = -1;
  if (observation->show == OL_SHOW_LANE)
    self->view.shown_lane = observation->target;
  else if (observation->show == OL_SHOW_PAYLOAD)
    self->view.shown_payload = observation->target;
  else if (observation->show == OL_SHOW_TIER)
    self->view.shown_tier = observation->target;
  else if (observation->show == OL_SHOW_UNIT && self->trace)
    ol_lab_session_select(self, ol_span_find_unit(&self->view, observation->target));
  emit(self, VIEW_CHANGED);
  emit(self, CURSOR_CHANGED);
}

gboolean ol_lab_session_clear(OlLabSession *self)
{
  const OlChartView *view = &self->view;
  gboolean any = view->shown_lane >= 0 || view->shown_payload >= 0 || view->shown_tier >= 0 ||
                 view->selected_span >= 0 || self->marked_end > self->marked_begin;

  forget_emphasis(self);
  ol_lab_session_select(self, -1);
  return any;
}

void ol_lab_session_set_there(OlLabSession *self, gboolean there)
{
  self->view.there = there;
  emit(self, VIEW_CHANGED);
  emit(self, CURSOR_CHANGED);
  emit(self, UPDATED); /* words of times and sizes, too */
}

char *ol_lab_session_dup_details(OlLabSession *self)
{
  gint64 begin, end;

  if (!self->trace)
    return g_strdup("");
  if (ol_lab_session_get_marked(self, &begin, &end)) {
    g_autofree char *from = ol_chart_view_dup_seconds(&self->view, (double)begin / 1e9);
    g_autofree char *to = ol_chart_view_dup_seconds(&self->view, (double)end / 1e9);
    g_autofree char *length = ol_chart_view_dup_seconds(&self->view, (double)(end - begin) / 1e9);
    return g_strdup_printf("%s to %s: %s · Enter zooms to it, Home shows the whole run", from, to,
                           length);
  }
  if (self->view.hovered_span >= 0)
    return ol_chart_view_dup_span_details(&self->view, self->view.hovered_span);
  if (self->view.selected_span >= 0)
    return ol_chart_view_dup_span_details(&self->view, self->view.selected_span);
  return g_strdup("Point at a span or walk with the arrow keys · drag to mark, Enter zooms to it · "
                  "Ctrl+wheel zooms");
}
