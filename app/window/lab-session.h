/* What the bench is about: the lesson under way, which of its runs is shown, the visible range, the
 * cursor and the selection, live or not. All views hang on it; none talks to another. */
#pragma once

#include "app/charts/charts.h"
#include "app/charts/figure-place.h"
#include "app/window/lesson-work.h"
#include "app/window/replay.h"
#include "app/window/view-range.h"

G_BEGIN_DECLS

#define OL_TYPE_LAB_SESSION (ol_lab_session_get_type())
G_DECLARE_FINAL_TYPE(OlLabSession, ol_lab_session, OL, LAB_SESSION, GObject)

/* Signals:
 *   "lesson-changed"  another lesson
 *   "updated"         anything about the lesson's work
 *   "run-shown"       another run or another trace is on the bench
 *   "grown"           the trace on the bench has got more
 *   "view-changed"    range, selection, emphasis or units: the charts look different
 *   "rank-changed"    another rank is selected, or one was folded or unfolded: the charts may have
 *                     another height
 *   "pointed"         something is pointed at, and so is to be brought into sight
 *   "cursor-changed"  cursor, hover or dragged range
 *   "compare-changed" another run is pinned or none, it is shown in another way, or the figures are
 *                     opened or closed
 *   "told"            (char *) something for a toast */
OlLabSession *ol_lab_session_new(void);

OlLessonWork *ol_lab_session_get_work(OlLabSession *session); /* NULL at first */
void ol_lab_session_set_work(OlLabSession *session, OlLessonWork *work);

/* Index among the lesson's runs, or -1. */
int ol_lab_session_get_run(OlLabSession *session);
void ol_lab_session_show_run(OlLabSession *session, int run);

/* A run opened from a file, which it takes; it stays, beside the runs of every lesson, until
 * another is opened or it is closed. Shown, it is on the bench in place of the lesson's run. */
void ol_lab_session_open_replay(OlLabSession *session, OlReplay *replay);
void ol_lab_session_show_replay(OlLabSession *session);
void ol_lab_session_close_replay(OlLabSession *session);
const OlReplay *ol_lab_session_get_replay(OlLabSession *session); /* or NULL; borrowed */
gboolean ol_lab_session_is_on_replay(OlLabSession *session);

/* What charts draw. Borrowed; its trace is NULL in the empty state. */
const OlChartView *ol_lab_session_get_view(OlLabSession *session);

/* The run on the bench is under way. */
gboolean ol_lab_session_is_live(OlLabSession *session);
/* ... and the view follows it. */
gboolean ol_lab_session_is_following(OlLabSession *session);
void ol_lab_session_follow(OlLabSession *session);

/* The visible range. Zooming keeps what is at `at_ns` where it is; a factor below 1 zooms in. */
void ol_lab_session_zoom(OlLabSession *session, double factor, gint64 at_ns);
void ol_lab_session_pan(OlLabSession *session, double share); /* of the range; > 0: later */
/* What is held follows what holds it (ol_view_move()). */
void ol_lab_session_move(OlLabSession *session, const OlViewGrip *grip, double share,
                         double spread);
void ol_lab_session_fit(OlLabSession *session);

void ol_lab_session_set_cursor(OlLabSession *session, gint64 time_ns, int hovered_span);
/* The same at a span of the pinned run, which lies there on the shown run's axis. */
void ol_lab_session_set_pinned_cursor(OlLabSession *session, gint64 time_ns, int hovered_span);
void ol_lab_session_select(OlLabSession *session, int span);
/* What was clicked: a span, or a buffer in a layer of memory; else nothing is selected. */
void ol_lab_session_pick(OlLabSession *session, const OlChartHit *hit);
/* The buffer acquired before or after the selected one in its layer, or the layer below or above it
 * at its moment. FALSE when there is none that way. */
gboolean ol_lab_session_walk_layer(OlLabSession *session, int along, int across);
/* The critical path of every ended step in sight. */
void ol_lab_session_show_critical(OlLabSession *session, gboolean show);
gboolean ol_lab_session_shows_critical(OlLabSession *session);
/* Back (-1) or forward (1) through the ranges that were looked at. FALSE: no more. */
gboolean ol_lab_session_go(OlLabSession *session, int by);
/* The span before or after the selected one on its lane, or the nearest on the next lane that has
 * any. FALSE when there is none that way. */
gboolean ol_lab_session_walk(OlLabSession *session, int along, int across);

/* The rank that figures speak of, shown unfolded. */
void ol_lab_session_select_rank(OlLabSession *session, guint rank);
/* Folds a rank's group in a time chart, or unfolds it. */
void ol_lab_session_fold_rank(OlLabSession *session, OlChart chart, guint rank);

/* The range being dragged or just dragged out; begin = end: none. */
void ol_lab_session_set_marked(OlLabSession *session, gint64 begin_ns, gint64 end_ns);
gboolean ol_lab_session_get_marked(OlLabSession *session, gint64 *begin_ns, gint64 *end_ns);
/* Zooms to what is marked, else to the selected span. */
void ol_lab_session_zoom_to_marked(OlLabSession *session);

/* Puts the run on the bench and points at what of it is spoken of: of an observation, or of an
 * option's explanation. Without a trace there is nothing to point at, which is told. */
void ol_lab_session_show(OlLabSession *session, const char *run, OlShowKind show, int target);

/* No prediction is on any chart: a class votes instead. */
void ol_lab_session_let_nobody_guess(OlLabSession *session);
/* A prediction is dragged on its chart: so many bytes. */
void ol_lab_session_guess(OlLabSession *session, double bytes);
/* Takes emphasis, selection and marks away. FALSE when there was nothing. */
gboolean ol_lab_session_clear(OlLabSession *session);

void ol_lab_session_set_there(OlLabSession *session, gboolean there);

/* The run that the one on the bench is compared with: it stays while other runs are shown and other
 * lessons opened. The view has it while another run than the pinned one is on the bench. */
gboolean ol_lab_session_can_pin(OlLabSession *session); /* the run on the bench, now it has ended */
void ol_lab_session_pin(OlLabSession *session);
void ol_lab_session_unpin(OlLabSession *session);
/* What a chart of the pinned run draws beside the shown one (see ol_pinned_view()). The view has a
 * pinned run. */
OlChartView ol_lab_session_get_pinned_view(OlLabSession *session, OlPinnedRun *shown);
/* One selection for both: a span of the pinned run selects what does the same in the shown one, and
 * is marked beside it. */
void ol_lab_session_select_pinned(OlLabSession *session, int span);
/* "Run 1: no overlap", or NULL. Borrowed. */
const char *ol_lab_session_get_pinned_title(OlLabSession *session);
/* The pinned run is the one on the bench. */
gboolean ol_lab_session_is_pinned_shown(OlLabSession *session);
/* Behind the run on the bench (TRUE, at first), or beside it on the same time axis. */
void ol_lab_session_set_overlay(OlLabSession *session, gboolean overlay);
gboolean ol_lab_session_get_overlay(OlLabSession *session);

/* All figures of the run, and how they differ from the pinned one's, are on the bench. */
void ol_lab_session_set_figures(OlLabSession *session, gboolean open);
gboolean ol_lab_session_get_figures(OlLabSession *session);
/* Shows and marks where a figure comes from. */
void ol_lab_session_go_to(OlLabSession *session, const OlFigurePlace *place);
/* The same of a number that a chart writes; a block is selected as in Memory over time. */
void ol_lab_session_press(OlLabSession *session, const OlNumber *number);
/* The details line speaks of the number that is pointed at; of kind OL_NUMBER_NONE: none is. */
void ol_lab_session_hover_number(OlLabSession *session, const OlNumber *number);
/* In a handler of "pointed": the chart that a figure comes from, or -1. */
int ol_lab_session_get_pointed(OlLabSession *session);
/* Shows one step: the one under way at a moment, or so many after the one that is in sight. */
void ol_lab_session_show_step_at(OlLabSession *session, gint64 time_ns);
gboolean ol_lab_session_walk_steps(OlLabSession *session, int by); /* FALSE: there is none */
/* Something for a toast. */
void ol_lab_session_tell(OlLabSession *session, const char *text);

/* The details line: what is hovered, marked or selected, else what can be done. Caller frees. */
char *ol_lab_session_dup_details(OlLabSession *session);
/* Whether it is about something; else it says what can be done, and may be cut short. */
gboolean ol_lab_session_has_details(OlLabSession *session);

G_END_DECLS
