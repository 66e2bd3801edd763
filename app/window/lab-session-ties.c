/* What is selected and what belongs to it, the critical path, and the way back through the ranges
 * that were looked at. */
#include "app/window/lab-session-private.h"

#include "app/charts/moment.h"
#include "app/charts/ties.h"
#include "app/window/view-range.h"
#include "engine/base/intl.h"
#include "engine/trace/critical-path.h"

/* A path through more steps than these is a scribble. */
#define MOST_PATHS 8

void ol_lab_session_forget_ties(OlLabSession *self)
{
  g_clear_pointer(&self->ties, ol_ties_free);
  self->view.ties = NULL;
}

/* Selection */

void ol_lab_session_refresh_ties(OlLabSession *self)
{
  int span = self->view.selected_span;
  OlHeld layer = {0};
  gboolean is_layer = self->ties != NULL && self->ties->is_layer && span < 0;

  if (is_layer)
    layer = self->ties->layer;
  ol_lab_session_forget_ties(self);
  if (span >= 0 && self->trace)
    self->ties = ol_ties_new_of_span(&self->view, span);
  else if (is_layer && ol_held_find(self->trace, layer.buffer, layer.begin_ns, &layer))
    self->ties = ol_ties_new_of_layer(&self->view, &layer, self->layer_ns);
  self->view.ties = self->ties;
  ol_lab_session_refresh_twin(self);
}

static void reveal_moment(OlLabSession *self, gint64 time_ns)
{
  gint64 length = self->view.end_ns - self->view.begin_ns;

  if (time_ns < self->view.begin_ns || time_ns > self->view.end_ns)
    ol_lab_session_look_at(self, time_ns - length / 2, length);
}

static void select_layer(OlLabSession *self, const OlHeld *held, gint64 time_ns)
{
  guint rank = ol_graph_buffer(self->trace->graph, held->buffer)->rank;

  if (rank != self->view.rank)
    ol_lab_session_select_rank(self, rank);
  self->view.selected_span = -1;
  self->marked_begin = self->marked_end = 0;
  ol_lab_session_forget_ties(self);
  self->layer_ns = time_ns;
  self->ties = ol_ties_new_of_layer(&self->view, held, time_ns);
  self->view.ties = self->ties;
  ol_lab_session_refresh_twin(self);
  reveal_moment(self, time_ns);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
}

void ol_lab_session_pick(OlLabSession *self, const OlChartHit *hit)
{
  OlHeld held;

  if (self->trace && hit->span < 0 && hit->tier >= 0 && hit->payload >= 0 && hit->time_ns >= 0) {
    OlChartView of_rank =
        ol_chart_view_of_rank(&self->view, hit->rank >= 0 ? (guint)hit->rank : self->view.rank);
    if (ol_held_at(&of_rank, (OlTier)hit->tier, (OlPayload)hit->payload, hit->time_ns, hit->offset,
                   &held)) {
      self->held_ns = -1;
      select_layer(self, &held, hit->time_ns);
      return;
    }
  }
  ol_lab_session_forget_ties(self);
  ol_lab_session_select(self, hit->span);
}

void ol_lab_session_select_blocks(OlLabSession *self, const OlNumber *number)
{
  OlHeld held;
  gint64 now_ns = ol_moment_ns(&self->view);
  OlChartView of_rank = ol_chart_view_of_rank(&self->view, number->rank);

  if (!self->trace || !ol_held_at(&of_rank, (OlTier)number->tier, (OlPayload)number->payload,
                                  now_ns, number->offset, &held))
    return;
  self->held_ns = now_ns;
  select_layer(self, &held, now_ns);
}

/* Layers at a moment stand one on the other: tier by tier from NVMe's bottom to the GPU's top. */
static int place_of(OlTier tier, OlPayload payload)
{
  return (OL_N_TIERS - 1 - (int)tier) * OL_N_PAYLOADS + (int)payload;
}

static gboolean walk_across(OlLabSession *self, int from, int by, gint64 time_ns)
{
  for (int place = from + by; place >= 0 && place < OL_N_TIERS * OL_N_PAYLOADS; place += by) {
    OlTier tier = (OlTier)(OL_N_TIERS - 1 - place / OL_N_PAYLOADS);
    OlHeld held;
    if (!ol_held_at(&self->view, tier, (OlPayload)(place % OL_N_PAYLOADS), time_ns, G_MAXINT64,
                    &held))
      continue;
    select_layer(self, &held, time_ns);
    return TRUE;
  }
  return FALSE;
}

/* Where to begin: at the fullest moment of the GPU in sight. */
static gint64 find_full_moment(const OlChartView *view)
{
  int first = ol_trace_index_memory_find(view->index, view->rank, OL_TIER_GPU, -1, view->begin_ns);
  int last = ol_trace_index_memory_find(view->index, view->rank, OL_TIER_GPU, first, view->end_ns);
  gint64 bytes[OL_N_PAYLOADS];

  if (last < 0 || last <= first)
    return view->begin_ns;
  guint fullest = ol_trace_index_memory_highest(view->index, view->rank, OL_TIER_GPU,
                                                (guint)(first + 1), (guint)last + 1);
  return ol_trace_index_memory_point(view->index, view->rank, OL_TIER_GPU, fullest, bytes);
}

gboolean ol_lab_session_walk_layer(OlLabSession *self, int along, int across)
{
  const OlTies *ties = self->ties;
  gboolean is_layer = ties != NULL && ties->is_layer;
  OlHeld held;

  if (!self->trace)
    return FALSE;
  if (!is_layer)
    return walk_across(self, place_of(OL_TIER_GPU, OL_N_PAYLOADS), -1,
                       find_full_moment(&self->view));
  if (along) {
    if (!ol_held_neighbour(self->trace, &ties->layer, along, &held))
      return FALSE;
    select_layer(self, &held, held.begin_ns);
    return TRUE;
  }
  const OlGraphBuffer *buffer = ol_graph_buffer(self->trace->graph, ties->layer.buffer);
  return walk_across(self, place_of(buffer->tier, buffer->payload), -across, self->layer_ns);
}

/* The critical path */

static const GArray *path_of_step(OlLabSession *self, guint step)
{
  GArray *path = g_hash_table_lookup(self->paths, GUINT_TO_POINTER(step));

  if (!path) {
    path = ol_critical_path(self->trace, (int)step);
    g_hash_table_insert(self->paths, GUINT_TO_POINTER(step), path);
  }
  return path;
}

void ol_lab_session_refresh_critical(OlLabSession *self)
{
  guint n = 0;

  self->view.critical = NULL;
  if (!self->shows_critical || !self->trace)
    return;
  if (!self->critical)
    self->critical = g_array_new(FALSE, FALSE, sizeof(guint));
  g_array_set_size(self->critical, 0);
  for (guint i = 0; i < self->trace->steps->len && n <= MOST_PATHS; i++) {
    const OlStep *step = ol_trace_step(self->trace, i);
    if (step->end_ns <= self->view.begin_ns || step->begin_ns >= self->view.end_ns)
      continue;
    const GArray *path = path_of_step(self, step->step);
    g_array_append_vals(self->critical, path->data, path->len);
    n++;
  }
  if (n > MOST_PATHS)
    g_array_set_size(self->critical, 0);
  self->view.critical = self->critical;
}

void ol_lab_session_forget_paths(OlLabSession *self)
{
  g_hash_table_remove_all(self->paths);
  self->view.critical = NULL;
}

gboolean ol_lab_session_shows_critical(OlLabSession *self)
{
  return self->shows_critical;
}

void ol_lab_session_show_critical(OlLabSession *self, gboolean show)
{
  self->shows_critical = show;
  ol_lab_session_refresh_critical(self);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  if (show && self->critical && self->critical->len == 0)
    ol_lab_session_tell(self,
                        _("The critical path is shown for up to 8 ended steps in sight: zoom in."));
}

/* Back and forward */

void ol_lab_session_look_at(OlLabSession *self, gint64 begin_ns, gint64 length_ns)
{
  OlSight from = {self->view.begin_ns, self->view.end_ns};

  ol_view_set_range(&self->view, begin_ns, length_ns);
  if (from.begin_ns != self->view.begin_ns || from.end_ns != self->view.end_ns)
    ol_view_history_note(&self->history, from, g_get_monotonic_time());
  self->following = FALSE;
  ol_lab_session_refresh_critical(self);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
}

gboolean ol_lab_session_go(OlLabSession *self, int by)
{
  OlSight from = {self->view.begin_ns, self->view.end_ns}, to;
  gboolean found = by < 0 ? ol_view_history_go_back(&self->history, from, &to)
                          : ol_view_history_go_forward(&self->history, from, &to);

  if (!found || !self->trace)
    return FALSE;
  ol_view_set_range(&self->view, to.begin_ns, to.end_ns - to.begin_ns);
  self->following = FALSE;
  ol_lab_session_refresh_critical(self);
  ol_lab_session_emit(self, OL_SESSION_VIEW_CHANGED);
  return TRUE;
}
