#include "app/charts/table-csv.h"

#include "app/charts/chart-table-private.h"
#include "engine/base/csv.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"

#include <math.h>

#define ENOUGH (256u << 10) /* bytes, before they are written out */

struct OlTableCsv {
  OlTableKind kind;
  OlChartView view; /* its trace is held; there is no index */
  OlTrace *trace;
  gboolean has_ranks, has_pinned;
  guint8 *critical; /* [spans]: those of the critical paths in sight; NULL when none is asked for */
  GPtrArray *rows;  /* OlTableRow; of spans: NULL, they are written as they are found */
};

/* One look a span, however many there are. */
static guint8 *dup_critical(const OlChartView *view)
{
  if (view->critical == NULL)
    return NULL;
  guint8 *critical = g_new0(guint8, view->trace->spans->len + 1);
  for (guint i = 0; i < view->critical->len; i++)
    critical[g_array_index(view->critical, guint, i)] = 1;
  return critical;
}

OlTableCsv *ol_table_csv_new(OlTableKind kind, const OlChartView *view)
{
  OlTableCsv *csv = g_new0(OlTableCsv, 1);
  OlTrace *trace = (OlTrace *)view->trace;
  csv->kind = kind;
  csv->has_ranks = ol_chart_view_has_ranks(view);
  csv->has_pinned = view->pinned != NULL;
  if (kind != OL_TABLE_SPANS || trace == NULL)
    csv->rows = ol_table_rows_new(kind, view);
  else
    csv->trace = trace->ended ? ol_trace_ref(trace) : ol_trace_dup_so_far(trace);
  csv->critical = csv->trace != NULL ? dup_critical(view) : NULL;
  csv->view = (OlChartView){.trace = csv->trace,
                            .begin_ns = view->begin_ns,
                            .end_ns = view->end_ns,
                            .there = view->there};
  return csv;
}

void ol_table_csv_free(OlTableCsv *csv)
{
  if (csv == NULL)
    return;
  g_clear_pointer(&csv->rows, g_ptr_array_unref);
  g_clear_pointer(&csv->trace, ol_trace_unref);
  g_free(csv->critical);
  g_free(csv);
}

static gboolean is_shown(const OlTableCsv *csv, const OlTableColumn *column)
{
  return (csv->has_ranks || !column->of_ranks) && (csv->has_pinned || !column->of_pinned);
}

/* "GPU now (bytes)", "Busy (s there)" */
static char *dup_heading(const OlTableCsv *csv, const OlTableColumn *column)
{
  static const char *const units[] = {
      [OL_MEASURE_BYTES] = "bytes",
      [OL_MEASURE_SECONDS] = "s",
      [OL_MEASURE_FRACTION] = "of 1",
      [OL_MEASURE_TEXT] = NULL,
  };
  const char *unit = column->is_figure ? units[column->measure] : NULL;
  gboolean there = csv->view.there && column->measure != OL_MEASURE_FRACTION;
  if (unit == NULL)
    return g_strdup(column->title);
  return g_strdup_printf("%s (%s%s)", column->title, unit, there ? " there" : "");
}

static void put_headings(const OlTableCsv *csv, GString *text)
{
  guint n;
  const OlTableColumn *columns = ol_table_columns(csv->kind, &n);
  for (guint i = 0; i < n; i++) {
    g_autofree char *heading = dup_heading(csv, &columns[i]);
    if (is_shown(csv, &columns[i]))
      ol_csv_put_text(text, i == 0, heading);
  }
  ol_csv_end_line(text);
}

static void put_row(const OlTableCsv *csv, GString *text, const OlTableRow *row)
{
  guint n;
  const OlTableColumn *columns = ol_table_columns(csv->kind, &n);
  for (guint i = 0; i < n; i++)
    if (!is_shown(csv, &columns[i]))
      continue;
    else if (!columns[i].is_figure || columns[i].measure == OL_MEASURE_TEXT)
      ol_csv_put_text(text, i == 0, row->cells[i]);
    else if (isfinite(row->values[i]) || g_strcmp0(row->cells[i], _("unknown")) == 0)
      ol_csv_put_number(text, i == 0, row->values[i]);
    else
      ol_csv_put_text(text, i == 0, row->cells[i]); /* "to the end" */
  ol_csv_end_line(text);
}

/* Spans */

static const OlGraphNode *node_of(const OlTrace *trace, guint span)
{
  return ol_graph_node(trace->graph, ol_trace_span(trace, span)->node);
}

/* By rank, time and lane, as the table on screen has them. */
static gint compare_spans(gconstpointer a, gconstpointer b, gpointer trace)
{
  guint one = *(const guint *)a, other = *(const guint *)b;
  const OlGraphNode *node = node_of(trace, one), *other_node = node_of(trace, other);
  gint64 begin = ol_trace_span(trace, one)->begin_ns;
  gint64 other_begin = ol_trace_span(trace, other)->begin_ns;
  if (node->rank != other_node->rank)
    return node->rank < other_node->rank ? -1 : 1;
  if (begin != other_begin)
    return begin < other_begin ? -1 : 1;
  if (node->lane != other_node->lane)
    return node->lane < other_node->lane ? -1 : 1;
  return one < other ? -1 : one > other;
}

static gboolean is_in_sight(const OlChartView *view, const OlSpan *span)
{
  return span->begin_ns < view->end_ns &&
         (span->end_ns > view->begin_ns || span->begin_ns >= view->begin_ns);
}

/* guint; caller unrefs. */
static GArray *find_spans(const OlTableCsv *csv)
{
  const OlTrace *trace = csv->trace;
  GArray *spans = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (span->node < trace->graph->nodes->len && is_in_sight(&csv->view, span))
      g_array_append_val(spans, i);
  }
  g_array_sort_with_data(spans, compare_spans, (gpointer)trace);
  return spans;
}

static void put_span(const OlTableCsv *csv, GString *text, guint span)
{
  g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(ol_table_row_free);
  g_autofree char *title =
      ol_graph_dup_node_title(csv->trace->graph, ol_trace_span(csv->trace, span)->node);
  OlTableRow *row = ol_table_add_row(rows, title);
  ol_table_put_span(row, &csv->view, span, csv->critical != NULL && csv->critical[span]);
  put_row(csv, text, row);
}

/* Files */

static gboolean write_out(OlWholeFile *file, GString *text, double share, const OlWatch *watch,
                          GError **error)
{
  gboolean fine =
      ol_whole_file_write(file, text->str, text->len, error) && ol_watch_tell(watch, share, error);
  g_string_truncate(text, 0);
  return fine;
}

static gboolean write_rows(OlTableCsv *csv, OlWholeFile *file, const OlWatch *watch, GError **error)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GArray) spans = csv->rows == NULL ? find_spans(csv) : NULL;
  guint n = spans != NULL ? spans->len : csv->rows->len;
  put_headings(csv, text);
  for (guint i = 0; i < n; i++) {
    if (spans != NULL)
      put_span(csv, text, g_array_index(spans, guint, i));
    else
      put_row(csv, text, g_ptr_array_index(csv->rows, i));
    if (text->len > ENOUGH && !write_out(file, text, (double)i / n, watch, error))
      return FALSE;
  }
  return write_out(file, text, 1, watch, error);
}

gboolean ol_table_csv_save(OlTableCsv *csv, const char *path, const OlWatch *watch, GError **error)
{
  OlWholeFile *file = ol_whole_file_open(path, error);
  if (file == NULL)
    return FALSE;
  if (write_rows(csv, file, watch, error))
    return ol_whole_file_keep(file, error);
  ol_whole_file_drop(file);
  return FALSE;
}
