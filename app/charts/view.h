/* What all charts of one bench share: the trace, the visible range, cursor and selection. Plain
 * data, owned by whoever draws (the window's session, or the picture writer). */
#pragma once

#include "app/charts/held.h"
#include "app/charts/ranks.h"
#include "app/charts/style.h"
#include "app/charts/trace-index.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* From the top of the bench to its bottom. */
typedef enum {
  OL_CHART_RANKS,  /* Ranks: the grid, and the selected one's groups */
  OL_CHART_SLICES, /* Sliced matrices of a block, over tensor ranks */
  OL_CHART_TIERS,  /* Where the bytes are */
  OL_CHART_MEMORY, /* Memory over time */
  OL_CHART_LANES,  /* What runs when */
  OL_CHART_LOSS,   /* Loss and speed, over steps */
  OL_N_CHARTS
} OlChart;

/* Stretches of time that a share counts: a press on it has them marked. */
typedef enum {
  OL_MARK_NONE,
  OL_MARK_EXPOSED, /* transfers that do not lie under compute */
  OL_MARK_IDLE     /* of the compute lane, within steps */
} OlMark;

/* What belongs to what is selected (ties.h). */
typedef struct OlTies OlTies;

/* A run that the shown one is compared with. All borrowed. */
typedef struct {
  const OlTrace *trace;
  const OlTraceIndex *index;
  const char *name; /* "run 1" */
  gboolean overlay; /* drawn behind the shown one; else it only has a say in the scales */
} OlPinnedRun;

/* A prediction on the chart that it belongs to (guess.h). */
typedef struct OlGuess OlGuess;

typedef struct OlChartView {
  const OlTrace *trace;      /* NULL: the empty state */
  const OlTraceIndex *index; /* of that trace */
  gint64 begin_ns, end_ns;   /* visible range; begin < end */
  gint64 cursor_ns;          /* -1: none (then the newest moment counts) */
  int selected_span;         /* index in trace->spans, or -1 */
  int hovered_span;          /* or -1 */
  int shown_payload;         /* Show me: OlPayload to emphasise, or -1 */
  int shown_lane;            /* OlLane or -1 */
  int shown_tier;            /* OlTier or -1 */
  OlMark shown_mark;
  guint rank;                /* selected: its groups are marked, and figures speak of it */
  const guint8 *open_ranks;  /* [ranks]: bit 1 << chart where a time chart shows the rank unfolded;
                                NULL: the selected one alone */
  const OlPinnedRun *pinned; /* or NULL */
  gboolean there;            /* units of what the scale model stands for, instead of here */
  const OlTies *ties;        /* of the selection; NULL: nothing is selected */
  const GArray *critical; /* guint: spans of the critical paths in sight, step by step; or NULL */
  const OlGuess *guess;   /* or NULL */
  gboolean is_stepping;   /* the run is held: the node about to run is shown */
} OlChartView;

/* Borrowed; of one rank in the empty state. */
const OlRanks *ol_chart_view_get_ranks(const OlChartView *view);
/* Several ranks, so that it must be said which one is meant. */
gboolean ol_chart_view_has_ranks(const OlChartView *view);
gboolean ol_chart_view_is_open(const OlChartView *view, OlChart chart, guint rank);
/* The whole of a trace, of the rank that ran out of memory, else the first; nothing selected. */
OlChartView ol_chart_view_whole(const OlTrace *trace, const OlTraceIndex *index);
/* The same view of another rank. */
OlChartView ol_chart_view_of_rank(const OlChartView *view, guint rank);

/* "18.1 MiB" or, in units of there, bytes × µ ("30.2 GiB"). Caller frees. */
char *ol_chart_view_dup_bytes(const OlChartView *view, double bytes);
/* "0.71 s" or seconds × µ / s there. Caller frees. */
char *ol_chart_view_dup_seconds(const OlChartView *view, double seconds);

/* What a details line says of a span: "Rank 1: Backward of block 3 · step 7 · 41 ms, from 0.51 s ·
 * waited for: …". Caller frees. */
char *ol_chart_view_dup_span_details(const OlChartView *view, int span);

G_END_DECLS
