#include "app/window/lab-session-private.h"

#include "app/charts/moment.h"
#include "app/window/view-range.h"

G_DEFINE_FINAL_TYPE(OlLabSession, ol_lab_session, G_TYPE_OBJECT)

static guint signals[OL_SESSION_N_SIGNALS];

void ol_lab_session_emit(OlLabSession *self, OlSessionSignal which)
{
  g_signal_emit(self, signals[which], 0);
}

void ol_lab_session_forget_emphasis(OlLabSession *self)
{
  self->view.shown_payload = self->view.shown_lane = self->view.shown_tier = -1;
  self->view.shown_mark = OL_MARK_NONE;
  self->held_ns = -1;
}

static void reset_view(OlLabSession *self)
{
  gboolean there = self->view.there;
  guint rank = self->view.rank;

  ol_lab_session_forget_ties(self);
  ol_lab_session_forget_paths(self);
  ol_view_history_forget(&self->history);
  self->view = (OlChartView){.end_ns = OL_VIEW_FIRST_SIGHT_NS,
                             .cursor_ns = -1,
                             .selected_span = -1,
                             .hovered_span = -1,
                             .rank = rank,
                             .there = there};
  ol_lab_session_forget_emphasis(self);
  self->marked_begin = self->marked_end = 0;
}

static void ol_lab_session_init(OlLabSession *self)
{
  self->run = self->pointed = self->pin.hovered_span = self->pin.selected_span = -1;
  self->following = TRUE;
  self->paths = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  ol_view_history_init(&self->history);
  reset_view(self);
}

static void finalize(GObject *object)
{
  OlLabSession *self = OL_LAB_SESSION(object);

  ol_lab_session_forget_ties(self);
  g_clear_pointer(&self->critical, g_array_unref);
  g_clear_pointer(&self->paths, g_hash_table_unref);
  ol_view_history_clear(&self->history);
  g_clear_pointer(&self->index, ol_trace_index_free);
  g_clear_pointer(&self->trace, ol_trace_unref);
  g_clear_object(&self->work);
  g_clear_pointer(&self->replay, ol_replay_free);
  ol_lab_session_forget_pin(self);
  ol_lab_session_forget_guess(self);
  ol_rank_folds_clear(&self->folds);
  G_OBJECT_CLASS(ol_lab_session_parent_class)->finalize(object);
}

static void ol_lab_session_class_init(OlLabSessionClass *class)
{
  static const char *const names[] = {
      "lesson-changed", "updated", "run-shown",      "grown",           "view-changed",
      "rank-changed",   "pointed", "cursor-changed", "compare-changed", "told"};
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  for (guint i = 0; i < OL_SESSION_TOLD; i++)
    signals[i] =
        g_signal_new(names[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[OL_SESSION_TOLD] = g_signal_new(names[OL_SESSION_TOLD], type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
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
  return !self->on_replay && self->run >= 0 && ol_lesson_runs_get_busy(get_runs(self)) == self->run;
}

gboolean ol_lab_session_is_following(OlLabSession *self)
{
  return self->following;
}

/* The rank that ran out of memory is the one to look at. */
static void turn_to_full_rank(OlLabSession *self)
{
  int rank = ol_moment_full_rank(self->trace);

  if (rank >= 0)
    ol_lab_session_select_rank(self, (guint)rank);
}

static void set_trace(OlLabSession *self, OlTrace *trace)
{
  reset_view(self);
  g_clear_pointer(&self->index, ol_trace_index_free);
  g_clear_pointer(&self->trace, ol_trace_unref);
  self->following = TRUE;
  if (!trace)
    return;
  self->trace = ol_trace_ref(trace);
  self->index = ol_trace_index_new(trace);
  ol_trace_index_extend(self->index);
  self->view.trace = trace;
  self->view.index = self->index;
  if (self->view.rank >= trace->graph->n_ranks)
    self->view.rank = 0;
  ol_rank_folds_reset(&self->folds, trace->graph->n_ranks, self->view.rank);
  self->view.open_ranks = self->folds.open;
  ol_lab_session_refresh_pin(self);
}

static OlTrace *find_trace(OlLabSession *self)
{
  if (self->on_replay)
    return ol_replay_get_trace(self->replay);
  return self->run >= 0 ? ol_lesson_runs_get_trace(get_runs(self), (guint)self->run) : NULL;
}

void ol_lab_session_catch_up(OlLabSession *self)
{
  OlTrace *trace = find_trace(self);
  gboolean other = trace != self->trace, live = ol_lab_session_is_live(self);
  gboolean more = FALSE;

  if (other)
    set_trace(self, trace);
  else if (trace)
    more = ol_trace_index_extend(self->index);
  self->view.is_stepping = live && ol_lesson_runs_is_paused(get_runs(self));
  if (more && self->ties)
    ol_lab_session_refresh_ties(self);
  if (trace && self->following) {
    if (live)
      ol_view_follow(&self->view);
    else if (other || self->was_live)
      ol_view_fit_steps(&self->view);
  }
  if (trace && !live && (other || self->was_live))
    turn_to_full_rank(self);
  if (other || more)
    ol_lab_session_refresh_critical(self);
  self->was_live = live;
  ol_lab_session_refresh_guess(self);
  if (other)
    ol_lab_session_emit(self, OL_SESSION_RUN_SHOWN);
  else if (more)
    ol_lab_session_emit(self, OL_SESSION_GROWN);
}

static void on_work_changed(OlLabSession *self)
{
  gboolean was_live = self->was_live, was_stepping = self->view.is_stepping;

  ol_lab_session_catch_up(self);
  if (was_live != self->was_live || was_stepping != self->view.is_stepping)
    ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_UPDATED);
}

static void on_run_started(OlLabSession *self, guint run)
{
  ol_lab_session_show_run(self, (int)run);
}

void ol_lab_session_tell(OlLabSession *self, const char *text)
{
  g_signal_emit(self, signals[OL_SESSION_TOLD], 0, text);
}

void ol_lab_session_show_run(OlLabSession *self, int run)
{
  gboolean other = run != self->run || self->on_replay;

  self->run = run;
  self->on_replay = FALSE;
  self->was_live = FALSE;
  ol_lab_session_catch_up(self);
  if (other) {
    ol_lab_session_emit(self, OL_SESSION_RUN_SHOWN);
    ol_lab_session_emit(self, OL_SESSION_UPDATED);
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
  self->on_replay = FALSE;
  self->was_live = FALSE;
  ol_lab_session_find_guess(self);
  ol_lab_session_emit(self, OL_SESSION_LESSON_CHANGED);
  /* Only now that every view knows the lesson may news of it come. */
  g_signal_connect_object(work, "changed", G_CALLBACK(on_work_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(work, "told", G_CALLBACK(ol_lab_session_tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(get_runs(self), "started", G_CALLBACK(on_run_started), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(get_runs(self), "grown", G_CALLBACK(ol_lab_session_catch_up), self,
                          G_CONNECT_SWAPPED);
  ol_lab_session_catch_up(self);
  ol_lab_session_emit(self, OL_SESSION_RUN_SHOWN);
  ol_lab_session_emit(self, OL_SESSION_UPDATED);
}
