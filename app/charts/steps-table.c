/* The twin in figures of Loss and speed. */
#include "app/charts/chart-table-private.h"
#include "app/charts/loss-layout.h"
#include "app/charts/pinned.h"
#include "engine/base/clock.h"
#include "engine/base/measure.h"

#include <math.h>

static char *dup_number(double value)
{
  return isfinite(value) ? g_strdup_printf("%.4f", value) : g_strdup("unknown");
}

static char *dup_length(const OlChartView *view, guint i)
{
  if (i >= view->trace->steps->len)
    return g_strdup("none");
  const OlStep *step = ol_trace_step(view->trace, i);
  return ol_chart_view_dup_seconds(view,
                                   (double)(step->end_ns - step->begin_ns) / OL_NS_PER_SECOND);
}

static char *dup_speed(const OlChartView *view, guint i)
{
  double speed = ol_loss_value(view, OL_PANEL_SPEED, i);
  return isfinite(speed) ? ol_measure_dup_count(round(speed)) : g_strdup("unknown");
}

static guint count_steps(const OlChartView *view)
{
  guint n = view->trace->steps->len;
  return view->pinned != NULL ? MAX(n, view->pinned->trace->steps->len) : n;
}

static guint first_step(const OlChartView *view)
{
  guint n = count_steps(view);
  return n - MIN(n, OL_TABLE_MOST_SPANS);
}

static void add_pinned(OlTableRow *row, const OlChartView *view, guint i)
{
  OlPinnedRun back;
  if (view->pinned == NULL || i >= view->pinned->trace->steps->len) {
    row->cells[5] = g_strdup("none");
    row->cells[6] = g_strdup("none");
    return;
  }
  OlChartView other = ol_pinned_view(view, &back);
  row->cells[5] = dup_number(ol_loss_value(&other, OL_PANEL_LOSS, i));
  row->cells[6] = dup_length(&other, i);
}

void ol_table_add_steps_rows(GPtrArray *rows, const OlChartView *view)
{
  for (guint i = first_step(view); i < count_steps(view); i++) {
    g_autofree char *name = g_strdup_printf("%u", i + 1);
    OlTableRow *row = ol_table_add_row(rows, name);
    gboolean is_there = i < view->trace->steps->len;
    row->cells[1] = is_there ? dup_number(ol_trace_step(view->trace, i)->loss) : g_strdup("none");
    row->cells[2] =
        is_there ? dup_number(ol_trace_step(view->trace, i)->gradient_norm) : g_strdup("none");
    row->cells[3] = dup_length(view, i);
    row->cells[4] = is_there ? dup_speed(view, i) : g_strdup("none");
    add_pinned(row, view, i);
  }
}

char *ol_table_dup_steps_note(const OlChartView *view)
{
  guint n = count_steps(view);
  if (n == 0)
    return g_strdup("No step has ended yet.");
  return first_step(view) == 0
             ? NULL
             : g_strdup_printf("The last %u of %u steps.", OL_TABLE_MOST_SPANS, n);
}
