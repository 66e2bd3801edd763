/* The session's files: lab-session.c knows where traces come from, lab-session-view.c what of them
 * is looked at, lab-session-guess.c what the learner predicts,
 * lab-session-ties.c what belongs to what is selected. */
#pragma once

#include "app/charts/guess.h"
#include "app/charts/ties.h"
#include "app/charts/view-history.h"
#include "app/window/lab-session.h"
#include "app/window/rank-folds.h"

G_BEGIN_DECLS

struct _OlLabSession {
  GObject parent_instance;
  OlLessonWork *work;
  int run;
  OlTrace *trace;
  OlTraceIndex *index;
  OlChartView view;
  OlRankFolds folds;
  gboolean following;
  gboolean was_live;
  OlReplay *replay; /* NULL: no file is open */
  gboolean on_replay;
  gint64 marked_begin, marked_end;
  gint64 held_ns; /* the moment gone to, which is the cursor's while nothing is pointed at; or -1 */
  OlNumber hovered; /* the number pointed at; none: its kind is OL_NUMBER_NONE */
  struct {
    OlTrace *trace; /* NULL: none is pinned */
    OlTraceIndex *index;
    char *title, *name; /* "Run 1: no overlap", "run 1, pinned" */
    OlPinnedRun run;    /* what the view has of it */
    gboolean beside;
    int hovered_span;  /* of its trace, or -1 */
    int selected_span; /* ... that does what the selected one of the shown run does, or -1 */
    OlTies *ties;      /* of that */
  } pin;
  OlGuess guess;
  gboolean nobody_guesses;
  double guess_unit; /* bytes that a unit of the prediction is; 0: it is on no chart */
  gboolean figures;
  int pointed; /* while "pointed" tells of it: the chart that a figure comes from; else -1 */
  OlTies *ties;
  gint64 layer_ns; /* the moment at which a layer was selected */
  gboolean shows_critical;
  GArray *critical;  /* guint: spans, of the steps in sight */
  GHashTable *paths; /* step -> GArray of guint */
  OlViewHistory history;
};

typedef enum {
  OL_SESSION_LESSON_CHANGED,
  OL_SESSION_UPDATED,
  OL_SESSION_RUN_SHOWN,
  OL_SESSION_GROWN,
  OL_SESSION_VIEW_CHANGED,
  OL_SESSION_RANK_CHANGED,
  OL_SESSION_POINTED,
  OL_SESSION_CURSOR_CHANGED,
  OL_SESSION_COMPARE_CHANGED,
  OL_SESSION_TOLD,
  OL_SESSION_N_SIGNALS
} OlSessionSignal;

/* Any that says nothing but its name. */
void ol_lab_session_emit(OlLabSession *session, OlSessionSignal which);
/* Brings the bench in line with what the runs have made. */
void ol_lab_session_catch_up(OlLabSession *session);
/* Moves the visible range, and remembers where it was. */
void ol_lab_session_look_at(OlLabSession *session, gint64 begin_ns, gint64 length_ns);
/* What belongs to the selection, anew. */
void ol_lab_session_refresh_ties(OlLabSession *session);
/* The selected span's twin in the pinned run, anew. */
void ol_lab_session_refresh_twin(OlLabSession *session);
/* The block that a number of that kind stands for, at the moment that is shown. */
void ol_lab_session_select_blocks(OlLabSession *session, const OlNumber *number);
void ol_lab_session_forget_ties(OlLabSession *session);
void ol_lab_session_refresh_critical(OlLabSession *session);
void ol_lab_session_forget_paths(OlLabSession *session);
/* Nothing is pointed at any more. */
void ol_lab_session_forget_emphasis(OlLabSession *session);
/* The view has the pinned run, unless that is the one on the bench. */
void ol_lab_session_refresh_pin(OlLabSession *session);
void ol_lab_session_forget_pin(OlLabSession *session);
/* The lesson's prediction on the chart that it belongs to: of another lesson, or as it is now. */
void ol_lab_session_find_guess(OlLabSession *session);
void ol_lab_session_refresh_guess(OlLabSession *session);
void ol_lab_session_forget_guess(OlLabSession *session);

G_END_DECLS
