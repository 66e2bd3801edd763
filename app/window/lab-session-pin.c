/* The pinned run, and where figures lead. */
#include "app/window/lab-session-private.h"

#include "app/charts/number-place.h"
#include "app/charts/pinned.h"
#include "app/charts/twin.h"
#include "engine/base/intl.h"

#define MARGIN 0.02 /* on both sides of what is gone to, as a share of it */

/* The pinned run */

void ol_lab_session_forget_pin(OlLabSession *self)
{
  self->view.pinned = NULL;
  g_clear_pointer(&self->pin.index, ol_trace_index_free);
  g_clear_pointer(&self->pin.trace, ol_trace_unref);
  g_clear_pointer(&self->pin.title, g_free);
  g_clear_pointer(&self->pin.name, g_free);
  g_clear_pointer(&self->pin.ties, ol_ties_free);
  self->pin.hovered_span = self->pin.selected_span = -1;
}

void ol_lab_session_refresh_twin(OlLabSession *self)
{
  const OlPinnedRun shown = {.trace = self->trace, .index = self->index};
  OlPinnedRun back;

  g_clear_pointer(&self->pin.ties, ol_ties_free);
  self->pin.selected_span = -1;
  if (!self->view.pinned || self->view.selected_span < 0)
    return;
  self->pin.selected_span = ol_twin_find(&shown, self->view.selected_span, self->view.pinned);
  if (self->pin.selected_span >= 0) {
    const OlChartView view = ol_pinned_view(&self->view, &back);
    self->pin.ties = ol_ties_new_of_span(&view, self->pin.selected_span);
  }
}

void ol_lab_session_refresh_pin(OlLabSession *self)
{
  self->pin.run = (OlPinnedRun){.trace = self->pin.trace,
                                .index = self->pin.index,
                                .name = self->pin.name,
                                .overlay = !self->pin.beside};
  self->view.pinned =
      self->pin.trace && self->trace && self->trace != self->pin.trace ? &self->pin.run : NULL;
  ol_lab_session_refresh_twin(self);
}

static void tell_change(OlLabSession *self)
{
  ol_lab_session_refresh_pin(self);
  ol_lab_session_emit(self, OL_SESSION_COMPARE_CHANGED);
}

gboolean ol_lab_session_can_pin(OlLabSession *self)
{
  return self->trace && !ol_lab_session_is_live(self) && self->trace != self->pin.trace;
}

static void name_pin(OlLabSession *self)
{
  const OlLessonRun *run;

  if (self->on_replay) {
    self->pin.title = g_strdup_printf(_("File: %s"), ol_replay_get_name(self->replay));
    self->pin.name = g_strdup(_("file, pinned"));
    return;
  }
  run = ol_lesson_runs_get(ol_lesson_work_get_runs(self->work), (guint)self->run);
  self->pin.title = g_strdup_printf(_("Run %d: %s"), self->run + 1, run->title);
  self->pin.name = g_strdup_printf(_("run %d, pinned"), self->run + 1);
}

void ol_lab_session_pin(OlLabSession *self)
{
  if (!ol_lab_session_can_pin(self))
    return;
  ol_lab_session_forget_pin(self);
  self->pin.trace = ol_trace_ref(self->trace);
  self->pin.index = ol_trace_index_new(self->pin.trace);
  ol_trace_index_extend(self->pin.index);
  name_pin(self);
  tell_change(self);
}

void ol_lab_session_unpin(OlLabSession *self)
{
  ol_lab_session_forget_pin(self);
  tell_change(self);
}

OlChartView ol_lab_session_get_pinned_view(OlLabSession *self, OlPinnedRun *shown)
{
  OlChartView view = ol_pinned_view(&self->view, shown);

  view.hovered_span = self->pin.hovered_span;
  view.selected_span = self->pin.selected_span;
  view.ties = self->pin.ties;
  return view;
}

void ol_lab_session_select_pinned(OlLabSession *self, int span)
{
  const OlPinnedRun shown = {.trace = self->trace, .index = self->index};
  int twin = self->view.pinned ? ol_twin_find(self->view.pinned, span, &shown) : -1;

  if (span >= 0 && twin < 0)
    ol_lab_session_tell(self, _("The run on the bench has nothing like it in that step."));
  ol_lab_session_forget_ties(self);
  ol_lab_session_select(self, twin);
}

const char *ol_lab_session_get_pinned_title(OlLabSession *self)
{
  return self->pin.title;
}

gboolean ol_lab_session_is_pinned_shown(OlLabSession *self)
{
  return self->trace && self->trace == self->pin.trace;
}

void ol_lab_session_set_overlay(OlLabSession *self, gboolean overlay)
{
  self->pin.beside = !overlay;
  tell_change(self);
}

gboolean ol_lab_session_get_overlay(OlLabSession *self)
{
  return !self->pin.beside;
}

/* Figures */

void ol_lab_session_set_figures(OlLabSession *self, gboolean open)
{
  self->figures = open;
  ol_lab_session_emit(self, OL_SESSION_COMPARE_CHANGED);
}

gboolean ol_lab_session_get_figures(OlLabSession *self)
{
  return self->figures;
}

static void look_at(OlLabSession *self, gint64 begin_ns, gint64 end_ns)
{
  gint64 margin = (gint64)((double)(end_ns - begin_ns) * MARGIN);

  ol_lab_session_look_at(self, begin_ns - margin, end_ns - begin_ns + 2 * margin);
}

int ol_lab_session_get_pointed(OlLabSession *self)
{
  return self->pointed;
}

void ol_lab_session_go_to(OlLabSession *self, const OlFigurePlace *place)
{
  if (!self->trace)
    return;
  ol_lab_session_forget_emphasis(self);
  self->marked_begin = self->marked_end = 0;
  ol_lab_session_select_rank(self, (guint)place->rank); /* unfolded, to be pointed at */
  self->view.shown_lane = place->lane;
  self->view.shown_tier = place->tier;
  self->view.shown_payload = place->payload;
  self->view.selected_span = place->span;
  self->view.hovered_span = -1;
  self->view.cursor_ns = self->held_ns = place->moment_ns;
  self->view.shown_mark = place->mark;
  ol_lab_session_forget_ties(self); /* a layer of memory that was selected, too */
  ol_lab_session_refresh_ties(self);
  look_at(self, place->begin_ns, place->end_ns);
  ol_lab_session_emit(self, OL_SESSION_CURSOR_CHANGED);
  self->pointed = (int)place->chart;
  ol_lab_session_emit(self, OL_SESSION_POINTED);
  self->pointed = -1;
}

void ol_lab_session_press(OlLabSession *self, const OlNumber *number)
{
  OlFigurePlace place;

  if (number->kind == OL_NUMBER_BLOCKS)
    ol_lab_session_select_blocks(self, number);
  else if (ol_number_place_find(&self->view, number, &place))
    ol_lab_session_go_to(self, &place);
  else
    ol_lab_session_tell(self, _("There is nothing yet that this number comes from."));
}

/* Steps */

static void show_step(OlLabSession *self, guint i)
{
  const OlStep *step = ol_trace_step(self->trace, i);

  look_at(self, step->begin_ns, step->end_ns);
}

void ol_lab_session_show_step_at(OlLabSession *self, gint64 time_ns)
{
  for (guint i = 0; self->trace && i < self->trace->steps->len; i++) {
    const OlStep *step = ol_trace_step(self->trace, i);
    if (time_ns >= step->begin_ns && time_ns < step->end_ns) {
      show_step(self, i);
      return;
    }
  }
}

gboolean ol_lab_session_walk_steps(OlLabSession *self, int by)
{
  gint64 middle = (self->view.begin_ns + self->view.end_ns) / 2;
  int at = 0;

  if (!self->trace || by == 0)
    return FALSE;
  for (guint i = 0; i < self->trace->steps->len; i++)
    if (ol_trace_step(self->trace, i)->begin_ns <= middle)
      at = (int)i;
  at += by;
  if (at < 0 || at >= (int)self->trace->steps->len)
    return FALSE;
  show_step(self, (guint)at);
  return TRUE;
}
