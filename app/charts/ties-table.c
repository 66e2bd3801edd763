/* What is selected and what belongs to it, as rows: the arrows and outlines for who reads better
 * than looks. */
#include "app/charts/chart-table-private.h"
#include "app/charts/ties.h"
#include "engine/base/clock.h"

static char *dup_time(const OlChartView *view, gint64 time_ns)
{
  return ol_chart_view_dup_seconds(view, (double)time_ns / OL_NS_PER_SECOND);
}

static void add_span(GPtrArray *rows, const OlChartView *view, int id, const char *tie)
{
  if (id < 0)
    return;
  const OlSpan *span = ol_trace_span(view->trace, (guint)id);
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, span->node);
  OlTableRow *row = ol_table_add_row(rows, title);
  row->span = id;
  row->cells[1] = g_strdup_printf("%u", node->rank);
  row->cells[2] = g_strdup(tie);
  row->cells[3] = g_strdup(ol_lane_name(node->lane));
  row->cells[4] = dup_time(view, span->begin_ns);
  row->cells[5] = dup_time(view, span->end_ns - span->begin_ns);
  row->cells[6] = ol_chart_view_dup_bytes(view, (double)span->bytes);
}

static void add_held(GPtrArray *rows, const OlChartView *view, const OlHeld *held, const char *tie)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, held->buffer);
  OlTableRow *row = ol_table_add_row(rows, ol_payload_name(buffer->payload));
  row->cells[1] = g_strdup_printf("%u", buffer->rank);
  row->cells[2] = g_strdup(tie);
  row->cells[3] = g_strdup(ol_tier_name(buffer->tier));
  row->cells[4] = dup_time(view, held->begin_ns);
  row->cells[5] = held->end_ns < G_MAXINT64 ? dup_time(view, held->end_ns - held->begin_ns)
                                            : g_strdup("to the end");
  row->cells[6] = ol_chart_view_dup_bytes(view, (double)held->bytes);
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
      row->cells[1] = g_strdup_printf("%u", node->rank);
      row->cells[2] = g_strdup("reads or writes some of");
      row->cells[3] = g_strdup(ol_tier_name((OlTier)tier));
      row->cells[4] = dup_time(view, span->begin_ns);
      row->cells[5] = dup_time(view, span->end_ns - span->begin_ns);
      row->cells[6] = ol_chart_view_dup_bytes(view, (double)bytes[p]);
    }
}

void ol_table_add_ties_rows(GPtrArray *rows, const OlChartView *view)
{
  const OlTies *ties = view->ties;
  if (ties == NULL)
    return;
  add_span(rows, view, ties->span, "selected");
  for (guint i = 0; i < ties->held->len; i++)
    add_held(rows, view, &g_array_index(ties->held, OlHeld, i),
             ties->is_layer ? "selected" : "holds");
  if (ties->span >= 0)
    add_uses(rows, view);
  for (guint i = 0; i < ties->waits->len; i++)
    add_span(rows, view, (int)g_array_index(ties->waits, guint, i), "waited for");
  for (guint i = 0; i < ties->waiters->len; i++)
    add_span(rows, view, (int)g_array_index(ties->waiters, guint, i), "waited for it");
  add_span(rows, view, ties->made, "made or filled it");
  add_span(rows, view, ties->freed, "freed or took it");
}
