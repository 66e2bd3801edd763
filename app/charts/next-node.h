/* The node that comes next in plan order, of a run that is held: what `next` lets through. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef struct {
  guint node;
  int step;
} OlNextNode;

/* The first that has left no span; FALSE: there is none left. Lanes run their nodes in plan order,
 * so each lane's newest span tells where it has got to. */
gboolean ol_next_node_find(const OlChartView *view, OlNextNode *next);

/* The span that its i-th wait is for, or -1. */
int ol_next_node_wait(const OlChartView *view, const OlNextNode *next, guint i);

/* Where a run of so many steps has got to, as those words have it: "before the first step", "step 2
 * of 4", "after the last step". Caller frees. */
char *ol_next_node_dup_progress(const OlTrace *trace, guint n_steps);
/* Its first node of a step may run. */
gboolean ol_next_node_is_filled(const OlTrace *trace);

/* "Backward of block 3, on GPU compute · step 2 · waits for: Forward of block 3 (done), …". Caller
 * frees. */
char *ol_next_node_dup_words(const OlChartView *view, const OlNextNode *next);

G_END_DECLS
