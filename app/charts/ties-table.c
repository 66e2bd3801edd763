/* What is selected and what belongs to it, as rows: the arrows and outlines for who reads better
 * than looks. */
#include "app/charts/chart-table-private.h"
#include "app/charts/ties.h"
#include "engine/base/intl.h"

static void add_span(GPtrArray *rows, const OlChartView *view, int id, const char *tie)
{
  if (id < 0)
    return;
  const OlSpan *span = ol_trace_span(view->trace, (guint)id);
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, span->node);
  OlTableRow *row = ol_table_add_row(rows, title);
  row->span = id;
  ol_table_put_count(row, 1, node->rank);
  row->cells[2] = g_strdup(tie);
  row->cells[3] = g_strdup(ol_lane_name(node->lane));
  ol_table_put_time(row, 4, view, span->begin_ns);
  ol_table_put_time(row, 5, view, span->end_ns - span->begin_ns);
  ol_table_put_bytes(row, 6, view, (double)span->bytes);
}

static void add_held(GPtrArray *rows, const OlChartView *view, const OlHeld *held, const char *tie)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, held->buffer);
  OlTableRow *row = ol_table_add_row(rows, ol_payload_name(buffer->payload));
  ol_table_put_count(row, 1, buffer->rank);
  row->cells[2] = g_strdup(tie);
  row->cells[3] = g_strdup(ol_tier_name(buffer->tier));
  ol_table_put_time(row, 4, view, held->begin_ns);
  if (held->end_ns < G_MAXINT64)
    ol_table_put_time(row, 5, view, held->end_ns - held->begin_ns);
  else
    row->cells[5] = g_strdup(_("to the end"));
  ol_table_put_bytes(row, 6, view, (double)held->bytes);
}

static void add_uses(GPtrArray *rows, const OlChartView *view)
{
  const OlSpan *span = ol_trace_span(view->trace, (guint)view->ties->span);
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    for (int p = 0; p < OL_N_PAYLOADS; p++) {
      gint64 bytes[OL_N_PAYLOADS];
      ol_trace_index_memory_at(view->index, node->rank, (OlTier)tier, span->begin_ns, bytes);
      if (!(view->ties->uses[tier] >> p & 1) || bytes[p] <= 0)
        continue;
      OlTableRow *row = ol_table_add_row(rows, ol_payload_name((OlPayload)p));
      ol_table_put_count(row, 1, node->rank);
      row->cells[2] = g_strdup(_("reads or writes some of"));
      row->cells[3] = g_strdup(ol_tier_name((OlTier)tier));
      ol_table_put_time(row, 4, view, span->begin_ns);
      ol_table_put_time(row, 5, view, span->end_ns - span->begin_ns);
      ol_table_put_bytes(row, 6, view, (double)bytes[p]);
    }
}

void ol_table_add_ties_rows(GPtrArray *rows, const OlChartView *view)
{
  const OlTies *ties = view->ties;
  if (ties == NULL)
    return;
  add_span(rows, view, ties->span, _("selected"));
  for (guint i = 0; i < ties->held->len; i++)
    add_held(rows, view, &g_array_index(ties->held, OlHeld, i),
             ties->is_layer ? _("selected") : _("holds"));
  if (ties->span >= 0)
    add_uses(rows, view);
  for (guint i = 0; i < ties->waits->len; i++)
    add_span(rows, view, (int)g_array_index(ties->waits, guint, i), _("waited for"));
  for (guint i = 0; i < ties->waiters->len; i++)
    add_span(rows, view, (int)g_array_index(ties->waiters, guint, i), _("waited for it"));
  add_span(rows, view, ties->made, _("made or filled it"));
  add_span(rows, view, ties->freed, _("freed or took it"));
}
