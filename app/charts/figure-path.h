/* What a metric's path speaks of: its parts, its name in words, and which way is better. */
#pragma once

#include "engine/base/words.h"

G_BEGIN_DECLS

typedef enum {
  OL_FIGURES_STEP,    /* how long, and what of it is hidden */
  OL_FIGURES_LANES,   /* what each lane does in a step */
  OL_FIGURES_TRAFFIC, /* bytes over links */
  OL_FIGURES_PEAKS,   /* held at most */
  OL_FIGURES_HOMES,   /* where bytes live */
  OL_FIGURES_RESULT,  /* loss, weights, outcome */
  OL_N_FIGURE_GROUPS
} OlFigureGroup;

typedef enum {
  OL_BETTER_NEITHER, /* another number, no better and no worse: a count, a home, a hash */
  OL_BETTER_LESS,
  OL_BETTER_MORE
} OlBetter;

typedef enum {
  OL_FIGURE_STEP_SECONDS,
  OL_FIGURE_STEP_THERE,
  OL_FIGURE_TOKENS,
  OL_FIGURE_HIDDEN,
  OL_FIGURE_EXPOSED_ALL,
  OL_FIGURE_BUBBLE,
  OL_FIGURE_LATE,
  OL_FIGURE_EXPOSED,
  OL_FIGURE_BUSY,
  OL_FIGURE_CRITICAL,
  OL_FIGURE_COUNT,
  OL_FIGURE_MOVED_GROUP,
  OL_FIGURE_MOVED,
  OL_FIGURE_TOTAL_MOVED,
  OL_FIGURE_PEAK,
  OL_FIGURE_LARGEST,
  OL_FIGURE_HOME,
  OL_FIGURE_PER_PARAMETER,
  OL_FIGURE_LOSS_FIRST,
  OL_FIGURE_LOSS_LAST,
  OL_FIGURE_LOSS_ALL,
  OL_FIGURE_HASH,
  OL_FIGURE_NVME_PATH,
  OL_FIGURE_OUTCOME,
  OL_N_FIGURES
} OlFigureKind;

#define OL_FIGURE_ALL_RANKS (-2)

typedef struct {
  OlFigureKind kind;
  int rank;                    /* -1: no rank's in particular; OL_FIGURE_ALL_RANKS: their sum */
  const char *plain;           /* the path without its rank; borrowed from it */
  int lane, tier, payload, op; /* each -1 where it says nothing of one */
} OlFigurePath;

/* FALSE for a path that is none of these. */
gboolean ol_figure_path_parse(const char *path, OlFigurePath *parsed);

OlFigureGroup ol_figure_group(OlFigureKind kind);
const char *ol_figure_group_title(OlFigureGroup group);
OlBetter ol_figure_better(OlFigureKind kind);

/* "Busy: GPU → host", "At most on GPU: weights". Caller frees. */
char *ol_figure_path_dup_name(const OlFigurePath *path);

G_END_DECLS
