/* The twin in figures of Loss and speed. */
#include "app/charts/chart-table-private.h"
#include "app/charts/loss-layout.h"
#include "app/charts/pinned.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"

#include <math.h>

static void put_number(OlTableRow *row, guint column, double value)
{
  row->cells[column] = isfinite(value) ? g_strdup_printf("%.4f", value) : g_strdup(_("unknown"));
  row->values[column] = value;
}

static void put_length(OlTableRow *row, guint column, const OlChartView *view, guint i)
{
  const OlStep *step = ol_trace_step(view->trace, i);
  ol_table_put_time(row, column, view, step->end_ns - step->begin_ns);
}

static void put_speed(OlTableRow *row, guint column, const OlChartView *view, guint i)
{
  double speed = ol_loss_value(view, OL_PANEL_SPEED, i);
  row->cells[column] =
      isfinite(speed) ? ol_measure_dup_count(round(speed)) : g_strdup(_("unknown"));
  row->values[column] = speed;
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

static void put_none(OlTableRow *row, guint first, guint last)
{
  for (guint i = first; i <= last; i++)
    row->cells[i] = g_strdup(_("none"));
}

static void add_pinned(OlTableRow *row, const OlChartView *view, guint i)
{
  OlPinnedRun back;
  if (view->pinned == NULL || i >= view->pinned->trace->steps->len) {
    put_none(row, 5, 6);
    return;
  }
  OlChartView other = ol_pinned_view(view, &back);
  put_number(row, 5, ol_loss_value(&other, OL_PANEL_LOSS, i));
  put_length(row, 6, &other, i);
}

static void add_shown(OlTableRow *row, const OlChartView *view, guint i)
{
  if (i >= view->trace->steps->len) {
    put_none(row, 1, 4);
    return;
  }
  row->number = ol_number(OL_NUMBER_LOSS, view->rank);
  row->number.step = (int)i;
  put_number(row, 1, ol_trace_step(view->trace, i)->loss);
  put_number(row, 2, ol_trace_step(view->trace, i)->gradient_norm);
  put_length(row, 3, view, i);
  put_speed(row, 4, view, i);
}

void ol_table_add_steps_rows(GPtrArray *rows, const OlChartView *view)
{
  for (guint i = first_step(view); i < count_steps(view); i++) {
    g_autofree char *name = g_strdup_printf("%u", i + 1);
    OlTableRow *row = ol_table_add_row(rows, name);
    add_shown(row, view, i);
    add_pinned(row, view, i);
  }
}

char *ol_table_dup_steps_note(const OlChartView *view)
{
  guint n = count_steps(view);
  if (n == 0)
    return g_strdup(_("No step has ended yet."));
  return first_step(view) == 0
             ? NULL
             : g_strdup_printf(_("The last %u of %u steps."), OL_TABLE_MOST_SPANS, n);
}
