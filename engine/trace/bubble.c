#include "engine/trace/bubble.h"

void ol_bubble_window_take(OlBubbleWindow *window, const OlGraphNode *node, const OlSpan *span)
{
  if (node->op == OL_OP_FORWARD)
    window->begin_ns = MIN(window->begin_ns, span->begin_ns);
  if (node->op == OL_OP_BACKWARD)
    window->end_ns = MAX(window->end_ns, span->end_ns);
}

gboolean ol_bubble_window_is_there(const OlBubbleWindow *window)
{
  return window->begin_ns < window->end_ns && window->begin_ns != G_MAXINT64 &&
         window->end_ns != G_MININT64;
}

gint64 ol_bubble_window_filled(const OlBubbleWindow *window, const OlGraphNode *node,
                               const OlSpan *span)
{
  if (node->lane != OL_LANE_COMPUTE)
    return 0;
  return MAX(0, MIN(span->end_ns, window->end_ns) - MAX(span->begin_ns, window->begin_ns));
}

double ol_bubble_window_share(const OlBubbleWindow *window, double busy_ns, guint n_ranks)
{
  return 1 - busy_ns / ((double)n_ranks * (double)(window->end_ns - window->begin_ns));
}
