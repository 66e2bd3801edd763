#include "app/charts/chart-text.h"

#include "app/charts/charts.h"

static const struct {
  guint n;
  OlTableKind kinds[3];
} tables[OL_N_CHARTS] = {
    [OL_CHART_RANKS] = {1, {OL_TABLE_RANKS}},
    [OL_CHART_SLICES] = {1, {OL_TABLE_SLICES}},
    [OL_CHART_TIERS] = {1, {OL_TABLE_TIERS}},
    [OL_CHART_MEMORY] = {2, {OL_TABLE_MEMORY, OL_TABLE_TIES}},
    [OL_CHART_LANES] = {3, {OL_TABLE_LANES, OL_TABLE_TIES, OL_TABLE_SPANS}},
    [OL_CHART_LOSS] = {1, {OL_TABLE_STEPS}},
};

const OlTableKind *ol_chart_tables(OlChart chart, guint *n)
{
  *n = tables[chart].n;
  return tables[chart].kinds;
}

static void append_table(GString *text, OlTableKind kind, const OlChartView *view)
{
  g_autoptr(GPtrArray) rows = ol_table_rows_new(kind, view);
  guint n;
  const OlTableColumn *columns = ol_table_columns(kind, &n);
  if (rows->len == 0)
    return;
  g_string_append_printf(text, "\n%s\n", ol_table_title(kind));
  for (guint i = 0; i < n; i++)
    g_string_append_printf(text, "%s%c", columns[i].title, i + 1 < n ? '\t' : '\n');
  for (guint r = 0; r < rows->len; r++) {
    const OlTableRow *row = g_ptr_array_index(rows, r);
    for (guint i = 0; i < n; i++)
      g_string_append_printf(text, "%s%c", row->cells[i] != NULL ? row->cells[i] : "",
                             i + 1 < n ? '\t' : '\n');
  }
}

char *ol_chart_dup_text(OlChart chart, const OlChartView *view)
{
  GString *text = g_string_new(NULL);
  g_autofree char *words = ol_chart_dup_description(chart, view);
  guint n;
  const OlTableKind *kinds = ol_chart_tables(chart, &n);
  g_string_append_printf(text, "%s\n", words);
  for (guint i = 0; i < n; i++)
    append_table(text, kinds[i], view);
  return g_string_free(text, FALSE);
}
