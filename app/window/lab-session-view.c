/* What of the trace is looked at: range, cursor, selection, ranks and what is pointed at. */
#include "app/window/lab-session-private.h"

#include "app/charts/moment.h"
#include "app/window/details-words.h"
#include "app/window/span-walk.h"
#include "engine/base/intl.h"

/* The visible range */

void ol_lab_session_follow(OlLabSession *self)
{
  self->following = TRUE;
  self->held_ns = self->view.cursor_ns = -1;
  self->was_live = TRUE; /* an ended run shows its last steps again */
  ol_lab_session_catch_up(self);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
}

void ol_lab_session_move(OlLabSession *self, const OlViewGrip *grip, double share, double spread)
{
  OlChartView moved = self->view;

  ol_view_move(&moved, grip, share, spread);
  if (self->trace)
    ol_lab_session_look_at(self, moved.begin_ns, moved.end_ns - moved.begin_ns);
}

void ol_lab_session_zoom(OlLabSession *self, double factor, gint64 at_ns)
{
  OlViewGrip grip = ol_view_take(&self->view, at_ns);

  ol_lab_session_move(self, &grip, (double)(at_ns - self->view.begin_ns) / (double)grip.length_ns,
                      1 / factor);
}

void ol_lab_session_pan(OlLabSession *self, double share)
{
  gint64 length = self->view.end_ns - self->view.begin_ns;

  if (self->trace)
    ol_lab_session_look_at(self, self->view.begin_ns + (gint64)((double)length * share), length);
}

void ol_lab_session_fit(OlLabSession *self)
{
  if (self->trace)
    ol_lab_session_look_at(self, 0, G_MAXINT64 / 4);
}

/* Cursor, selection and marks */

static void point(OlLabSession *self, gint64 time_ns, int shown_span, int pinned_span)
{
  if (time_ns < 0)
    time_ns = self->held_ns;
  if (self->view.cursor_ns == time_ns && self->view.hovered_span == shown_span &&
      self->pin.hovered_span == pinned_span)
    return;
  self->view.cursor_ns = time_ns;
  self->view.hovered_span = shown_span;
  self->pin.hovered_span = pinned_span;
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
}

void ol_lab_session_set_cursor(OlLabSession *self, gint64 time_ns, int hovered_span)
{
  point(self, time_ns, hovered_span, -1);
}

void ol_lab_session_set_pinned_cursor(OlLabSession *self, gint64 time_ns, int hovered_span)
{
  point(self, time_ns, -1, hovered_span);
}

static void reveal(OlLabSession *self, int span_id)
{
  const OlSpan *span = ol_trace_span(self->trace, (guint)span_id);
  gint64 length = self->view.end_ns - self->view.begin_ns;

  if (span->begin_ns < self->view.begin_ns || span->end_ns > self->view.end_ns)
    ol_lab_session_look_at(self, (span->begin_ns + span->end_ns) / 2 - length / 2, length);
}

/* Its rank is then the selected one; unfolded only when the span would not be seen else. */
static void turn_to_rank_of(OlLabSession *self, int span_id)
{
  const OlSpan *span = ol_trace_span(self->trace, (guint)span_id);
  const OlGraphNode *node = ol_graph_node(self->trace->graph, span->node);
  gboolean other = self->view.rank != node->rank;

  if (!other && ol_chart_view_is_open(&self->view, OL_CHART_LANES, node->rank))
    return;
  self->view.rank = node->rank;
  if (node->lane != OL_LANE_COMPUTE)
    ol_rank_folds_follow(&self->folds, node->rank);
  ol_lab_session_emit(self, OL_SESSION_RANK_CHANGED);
}

void ol_lab_session_select(OlLabSession *self, int span)
{
  self->view.selected_span = span;
  self->held_ns = -1;
  self->marked_begin = self->marked_end = 0;
  ol_lab_session_forget_ties(self);
  ol_lab_session_refresh_ties(self);
  if (span >= 0) {
    turn_to_rank_of(self, span);
    reveal(self, span);
  }
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
}

void ol_lab_session_select_rank(OlLabSession *self, guint rank)
{
  if (!self->trace || rank >= self->trace->graph->n_ranks)
    return;
  self->view.rank = rank;
  ol_rank_folds_follow(&self->folds, rank);
  ol_lab_session_emit(self, OL_SESSION_RANK_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
}

void ol_lab_session_fold_rank(OlLabSession *self, OlChart chart, guint rank)
{
  if (!self->trace || rank >= self->trace->graph->n_ranks)
    return;
  ol_rank_folds_toggle(&self->folds, chart, rank);
  ol_lab_session_emit(self, OL_SESSION_RANK_CHANGED);
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
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
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
    ol_lab_session_look_at(self, begin, end - begin);
    ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
  } else if (self->trace && self->view.selected_span >= 0) {
    const OlSpan *span = ol_trace_span(self->trace, (guint)self->view.selected_span);
    gint64 length = (span->end_ns - span->begin_ns) * 4;
    ol_lab_session_look_at(self, (span->begin_ns + span->end_ns) / 2 - length / 2, length);
  }
}

/* Where a memory holds most of what is pointed at, unless it holds some at the moment that the
 * charts show anyway: what comes and goes in a step is gone at its end. */
static void hold_fullest(OlLabSession *self, int payload)
{
  gint64 bytes[OL_N_PAYLOADS], most = 0, when = -1;

  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 peak_ns, peak;
    ol_trace_index_memory_at(self->index, self->view.rank, (OlTier)tier, ol_moment_ns(&self->view),
                             bytes);
    if (bytes[payload] > 0)
      return;
    peak = ol_trace_index_payload_peak(self->index, self->view.rank, (OlTier)tier,
                                       (OlPayload)payload, &peak_ns);
    if (peak > most)
      when = peak_ns;
    most = MAX(most, peak);
  }
  self->held_ns = self->view.cursor_ns = when;
  if (when >= 0 && (when < self->view.begin_ns || when > self->view.end_ns))
    ol_lab_session_fit(self);
}

/* All of the run is shown when nothing of the lane is in sight. */
static void bring_lane(OlLabSession *self, int lane)
{
  guint first, n;

  ol_trace_index_find(self->index, self->view.rank, (OlLane)lane, self->view.begin_ns,
                      self->view.end_ns, &first, &n);
  if (n == 0)
    ol_lab_session_fit(self);
}

static void point_at(OlLabSession *self, OlShowKind show, int target)
{
  switch (show) {
  case OL_SHOW_LANE:
    self->view.shown_lane = target;
    bring_lane(self, target);
    break;
  case OL_SHOW_PAYLOAD:
    self->view.shown_payload = target;
    hold_fullest(self, target);
    break;
  case OL_SHOW_TIER:
    self->view.shown_tier = target;
    break;
  case OL_SHOW_UNIT:
    ol_lab_session_select(self, ol_span_find_unit(&self->view, target));
    break;
  default:
    break;
  }
}

void ol_lab_session_show(OlLabSession *self, const char *name, OlShowKind show, int target)
{
  int run = ol_lesson_runs_find(ol_lesson_work_get_runs(self->work), name);

  if (run >= 0)
    ol_lab_session_show_run(self, run);
  ol_lab_session_clear(self);
  if (!self->trace) {
    ol_lab_session_tell(self, _("This run is not kept from last time: make it again to see it."));
    return;
  }
  ol_lab_session_select_rank(self, self->view.rank); /* unfolded, to be pointed at */
  point_at(self, show, target);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_POINTED);
}

void ol_lab_session_hover_number(OlLabSession *self, const OlNumber *number)
{
  if (ol_number_equal(&self->hovered, number))
    return;
  self->hovered = *number;
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
}

gboolean ol_lab_session_clear(OlLabSession *self)
{
  const OlChartView *view = &self->view;
  gboolean any = view->shown_lane >= 0 || view->shown_payload >= 0 || view->shown_tier >= 0 ||
                 view->ties != NULL || self->marked_end > self->marked_begin || self->held_ns >= 0;

  if (self->held_ns >= 0)
    self->view.cursor_ns = -1;
  ol_lab_session_forget_emphasis(self);
  ol_lab_session_select(self, -1);
  return any;
}

void ol_lab_session_set_there(OlLabSession *self, gboolean there)
{
  self->view.there = there;
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_UPDATED); /* words of times and sizes, too */
}

static char *dup_pinned_details(OlLabSession *self)
{
  OlPinnedRun shown;
  OlChartView view = ol_lab_session_get_pinned_view(self, &shown);
  g_autofree char *words = ol_chart_view_dup_span_details(&view, view.hovered_span);

  return g_strdup_printf(_("In the pinned run: %s"), words);
}

static gboolean is_pinned_pointed_at(OlLabSession *self)
{
  return self->view.pinned && self->pin.hovered_span >= 0 && self->marked_end <= self->marked_begin;
}

char *ol_lab_session_dup_details(OlLabSession *self)
{
  if (self->hovered.kind != OL_NUMBER_NONE && self->marked_end <= self->marked_begin) {
    g_autofree char *words = ol_number_dup_words(&self->view, &self->hovered);
    return g_strdup_printf("%s · %s", words, ol_number_get_promise(self->hovered.kind));
  }
  if (is_pinned_pointed_at(self))
    return dup_pinned_details(self);
  return ol_details_dup_words(&self->view, self->marked_begin, self->marked_end);
}

gboolean ol_lab_session_has_details(OlLabSession *self)
{
  const OlChartView *view = &self->view;

  return is_pinned_pointed_at(self) || self->marked_end > self->marked_begin ||
         view->hovered_span >= 0 || view->selected_span >= 0 || view->ties != NULL;
}
