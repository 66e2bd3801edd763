/* Every figure of a run by its name, and what became of it since the pinned one: other or not,
 * better or worse. Units as in the views. */
#pragma once

#include "app/charts/figure-path.h"
#include "app/charts/view.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

typedef enum {
  OL_VERDICT_NONE,  /* nothing to compare with, or nothing that may be compared */
  OL_VERDICT_ALIKE, /* times and shares within OL_FIGURES_NOISE, all else exactly */
  OL_VERDICT_OTHER, /* neither better nor worse */
  OL_VERDICT_BETTER,
  OL_VERDICT_WORSE,
  OL_N_VERDICTS
} OlVerdict;

/* Measured times differ by less than this from run to run: by as much a run may be late. */
#define OL_FIGURES_NOISE 0.02

typedef struct {
  char *path, *name;
  OlFigureGroup group;
  char *shown, *pinned; /* in words, or NULL where the run has no such figure */
  char *change;         /* "−42 %", "3.1 times", "+75 points", or NULL */
  OlVerdict verdict;
} OlFigure;

/* The figures of the shown run and of the pinned one (NULL: none), in order of groups: OlFigure.
 * Of single ranks only those of the view's. Caller unrefs. */
GPtrArray *ol_figures_new(const OlChartView *view, const OlMetrics *shown, const OlMetrics *pinned);

/* "worse": static, for people. */
const char *ol_verdict_words(OlVerdict verdict);

/* Which of two values is better, if any: of `measure`, better as `better` says. Not finite: not
 * there. */
OlVerdict ol_figures_judge(OlMeasure measure, OlBetter better, double shown, double pinned);
/* By how much they differ, in words; NULL when they do not. Caller frees. */
char *ol_figures_dup_change(OlMeasure measure, double shown, double pinned);

G_END_DECLS
