#include "app/charts/memory-steps.h"

#include "app/charts/moment.h"

#include <math.h>
#include <string.h>

typedef struct {
  const OlChartView *view;
  OlTier tier;
  GArray *steps;
} Steps;

static void add_step(Steps *steps, double x0, double x1, int point)
{
  OlMemoryStep step = {.x0 = x0, .x1 = x1};
  if (x1 <= x0)
    return;
  if (point >= 0) {
    ol_trace_index_memory_point(steps->view->index, steps->view->rank, steps->tier, (guint)point,
                                step.bytes);
  }
  OlMemoryStep *last = steps->steps->len > 0
                           ? &g_array_index(steps->steps, OlMemoryStep, steps->steps->len - 1)
                           : NULL;
  if (last != NULL && memcmp(last->bytes, step.bytes, sizeof step.bytes) == 0)
    last->x1 = x1;
  else
    g_array_append_val(steps->steps, step);
}

/* `from`: an earlier point, or -1. */
static int find_point(const Steps *steps, int from, gint64 time_ns)
{
  return ol_trace_index_memory_find(steps->view->index, steps->view->rank, steps->tier, from,
                                    time_ns);
}

/* Points before … last, each until the next. */
static void add_exactly(Steps *steps, const OlPlot *plot, double right, int before, int last)
{
  double x = plot->left;
  for (int i = before; i <= last; i++) {
    double next = right;
    if (i < last) {
      gint64 bytes[OL_N_PAYLOADS];
      next = ol_plot_x(plot, ol_trace_index_memory_point(steps->view->index, steps->view->rank,
                                                         steps->tier, (guint)(i + 1), bytes));
    }
    next = CLAMP(next, x, right);
    add_step(steps, x, next, i);
    x = next;
  }
}

/* The highest of what holds as a column begins and of all that comes within it. */
static void add_by_column(Steps *steps, const OlPlot *plot, double right)
{
  int last = -1;
  for (double x = plot->left; x < right; x++) {
    int at = find_point(steps, last, ol_plot_time(plot, x));
    last = find_point(steps, at, ol_plot_time(plot, x + 1) - 1);
    if (last > at)
      at = (int)ol_trace_index_memory_highest(steps->view->index, steps->view->rank, steps->tier,
                                              (guint)MAX(at, 0), (guint)last + 1);
    add_step(steps, x, MIN(x + 1, right), at);
  }
}

GArray *ol_memory_steps_new(const OlChartView *view, OlTier tier, const OlPlot *plot)
{
  Steps steps = {view, tier, g_array_new(FALSE, FALSE, sizeof(OlMemoryStep))};
  double right = MIN(plot->right, ol_plot_x(plot, ol_moment_known_ns(view)));
  int before = find_point(&steps, -1, plot->begin_ns);
  int last = find_point(&steps, before, plot->end_ns);
  if (right <= plot->left || last < 0)
    return steps.steps;
  if (last - before <= 2 * (right - plot->left))
    add_exactly(&steps, plot, right, before, last);
  else
    add_by_column(&steps, plot, right);
  return steps.steps;
}

gboolean ol_memory_steps_have(const GArray *steps, int payload)
{
  for (guint i = 0; i < steps->len; i++)
    if (g_array_index(steps, OlMemoryStep, i).bytes[payload] > 0)
      return TRUE;
  return FALSE;
}
