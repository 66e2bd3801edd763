/* A step's bubble: the time in which a rank's compute lane is idle although the step computes.
 *
 * contracts.md (`bubble.fraction`) has the rule: what counts lies between the step's first forward
 * begin and its last backward end, over all ranks. Metrics and charts both take it from here. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns; /* of one step, over all ranks */
} OlBubbleWindow;

#define OL_BUBBLE_WINDOW_NONE ((OlBubbleWindow){G_MAXINT64, G_MININT64})

/* Widens the window by a span of its step, whatever that is. */
void ol_bubble_window_take(OlBubbleWindow *window, const OlGraphNode *node, const OlSpan *span);

/* FALSE for a step without forward or backward: it has no bubble. */
gboolean ol_bubble_window_is_there(const OlBubbleWindow *window);

/* How much of the window the span computes, ns. Compute outside of it, such as an update on the
 * GPU, fills no bubble. */
gint64 ol_bubble_window_filled(const OlBubbleWindow *window, const OlGraphNode *node,
                               const OlSpan *span);

/* The idle share of so many ranks that together compute for `busy_ns` of the window. */
double ol_bubble_window_share(const OlBubbleWindow *window, double busy_ns, guint n_ranks);

G_END_DECLS
