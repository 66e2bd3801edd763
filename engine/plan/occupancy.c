/* Occupancy is a function of the plan alone: homes and slots in buffer order, then the transients
 * of one step as the compute lane acquires and releases them. Every step is alike, so one is
 * enough (of two that alternate, each). Ranks have tiers of their own; those that differ in their
 * data index alone fill them alike, so only the first of them is looked at. */
#include "engine/plan/builder.h"

#include <string.h>

/* One rank's tiers. */
typedef struct {
  OlOffsets *offsets[OL_N_TIERS];
  guint64 now[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 home[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 total[OL_N_TIERS];
} Tiers;

/* FALSE when there is no room: the plan ends here. */
static gboolean acquire(OlPlan *plan, Tiers *ranks, guint id, int node)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(plan->graph, id);
  OlTier tier = buffer->tier;
  OlPayload payload = buffer->payload;
  Tiers *tiers = &ranks[buffer->rank];
  guint64 offset = ol_offsets_acquire(tiers->offsets[tier], buffer->bytes);
  if (offset == OL_OFFSETS_FULL) {
    plan->refusal = (OlRefusal){TRUE, id, node};
    memcpy(plan->held, tiers->now, sizeof plan->held);
    return FALSE;
  }
  plan->offset[id] = offset;
  tiers->now[tier][payload] += buffer->bytes;
  tiers->total[tier] += buffer->bytes;
  plan->peak[tier][payload] = MAX(plan->peak[tier][payload], tiers->now[tier][payload]);
  if (tiers->total[tier] > plan->peak_total[tier]) {
    plan->peak_total[tier] = tiers->total[tier];
    memcpy(plan->fullest[tier], tiers->now[tier], sizeof plan->fullest[tier]);
  }
  if (buffer->kind == OL_BUFFER_HOME) {
    tiers->home[tier][payload] += buffer->bytes;
    plan->home[tier][payload] = MAX(plan->home[tier][payload], tiers->home[tier][payload]);
  }
  return TRUE;
}

static void release(OlPlan *plan, Tiers *ranks, guint id)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(plan->graph, id);
  Tiers *tiers = &ranks[buffer->rank];
  ol_offsets_release(tiers->offsets[buffer->tier], plan->offset[id]);
  tiers->now[buffer->tier][buffer->payload] -= buffer->bytes;
  tiers->total[buffer->tier] -= buffer->bytes;
}

/* Buffers and nodes as graph-order.c writes them: of the first data index, the first of its buffers
 * and every `data`-th node. */
static gboolean walk(OlPlan *plan, Tiers *ranks)
{
  OlGraph *graph = plan->graph;
  guint data = plan->config->parallel.data;
  for (guint i = 0; i < graph->buffers->len / data; i++)
    if (ol_graph_buffer(graph, i)->kind != OL_BUFFER_TRANSIENT && !acquire(plan, ranks, i, OL_NONE))
      return FALSE;
  for (guint i = 0; i < graph->nodes->len; i += data) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    const guint *acquires = ol_graph_buffer_list(graph, node->acquires);
    for (guint k = 0; k < node->acquires.n; k++)
      if (!acquire(plan, ranks, acquires[k], (int)i))
        return FALSE;
    const guint *releases = ol_graph_buffer_list(graph, node->releases);
    for (guint k = 0; k < node->releases.n; k++)
      release(plan, ranks, releases[k]);
  }
  return TRUE;
}

void ol_plan_occupy(OlPlan *plan)
{
  guint data = plan->config->parallel.data, n_ranks = plan->graph->n_ranks / data;
  guint n_buffers = plan->graph->buffers->len / data;
  g_autofree Tiers *ranks = g_new0(Tiers, n_ranks);
  plan->offset = g_new(guint64, plan->graph->buffers->len);
  for (guint i = 0; i < n_buffers; i++)
    plan->offset[i] = OL_OFFSETS_FULL;
  for (guint rank = 0; rank < n_ranks; rank++)
    for (int tier = 0; tier < OL_N_TIERS; tier++)
      ranks[rank].offsets[tier] = ol_offsets_new(plan->capacity[tier]);
  walk(plan, ranks);
  for (guint rank = 0; rank < n_ranks; rank++)
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      OlOffsets *offsets = ranks[rank].offsets[tier];
      plan->arena_bytes[tier] = MAX(plan->arena_bytes[tier], ol_offsets_get_highest(offsets));
      ol_offsets_free(offsets);
    }
  for (guint i = n_buffers; i < plan->graph->buffers->len; i++)
    plan->offset[i] = plan->offset[i - n_buffers];
}

OlLedger *ol_plan_dup_ledger_at_refusal(const OlPlan *plan)
{
  if (!plan->refusal.refused)
    return NULL;
  guint rank = ol_graph_buffer(plan->graph, plan->refusal.buffer)->rank;
  OlLedger *ledger = ol_ledger_new(plan->graph->n_ranks);
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    for (int payload = 0; payload < OL_N_PAYLOADS; payload++)
      ol_ledger_book(ledger, rank, tier, payload, plan->held[tier][payload]);
  return ledger;
}

char *ol_plan_dup_refusal(const OlPlan *plan)
{
  g_autoptr(OlLedger) ledger = ol_plan_dup_ledger_at_refusal(plan);
  if (ledger == NULL)
    return NULL;
  const OlGraphBuffer *asked = ol_graph_buffer(plan->graph, plan->refusal.buffer);
  return ol_ledger_dup_refusal(ledger, asked->rank, asked->tier, asked->payload, asked->bytes,
                               plan->capacity[asked->tier]);
}
