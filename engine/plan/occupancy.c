/* Occupancy is a function of the plan alone: homes and slots in buffer order, then the transients
 * of one step as the compute lane acquires and releases them. Every step is alike, so one is
 * enough. */
#include "engine/plan/builder.h"

#include <string.h>

typedef struct {
  OlPlan *plan;
  OlOffsets *offsets[OL_N_TIERS];
  guint64 now[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 total[OL_N_TIERS];
} Occupancy;

/* FALSE when there is no room: the plan ends here. */
static gboolean acquire(Occupancy *occupancy, guint id, int node)
{
  OlPlan *plan = occupancy->plan;
  const OlGraphBuffer *buffer = ol_graph_buffer(plan->graph, id);
  OlTier tier = buffer->tier;
  guint64 offset = ol_offsets_acquire(occupancy->offsets[tier], buffer->bytes);
  if (offset == OL_OFFSETS_FULL) {
    plan->refusal = (OlRefusal){TRUE, id, node};
    return FALSE;
  }
  plan->offset[id] = offset;
  guint64 *now = &occupancy->now[tier][buffer->payload];
  guint64 *total = &occupancy->total[tier];
  *now += buffer->bytes;
  *total += buffer->bytes;
  plan->peak[tier][buffer->payload] = MAX(plan->peak[tier][buffer->payload], *now);
  plan->peak_total[tier] = MAX(plan->peak_total[tier], *total);
  if (buffer->kind == OL_BUFFER_HOME)
    plan->home[tier][buffer->payload] += buffer->bytes;
  return TRUE;
}

static void release(Occupancy *occupancy, guint id)
{
  const OlGraphBuffer *buffer = ol_graph_buffer(occupancy->plan->graph, id);
  ol_offsets_release(occupancy->offsets[buffer->tier], occupancy->plan->offset[id]);
  occupancy->now[buffer->tier][buffer->payload] -= buffer->bytes;
  occupancy->total[buffer->tier] -= buffer->bytes;
}

static gboolean walk(Occupancy *occupancy)
{
  OlGraph *graph = occupancy->plan->graph;
  for (guint i = 0; i < graph->buffers->len; i++)
    if (ol_graph_buffer(graph, i)->kind != OL_BUFFER_TRANSIENT && !acquire(occupancy, i, OL_NONE))
      return FALSE;
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    const guint *acquires = ol_graph_buffer_list(graph, node->acquires);
    for (guint k = 0; k < node->acquires.n; k++)
      if (!acquire(occupancy, acquires[k], i))
        return FALSE;
    const guint *releases = ol_graph_buffer_list(graph, node->releases);
    for (guint k = 0; k < node->releases.n; k++)
      release(occupancy, releases[k]);
  }
  return TRUE;
}

void ol_plan_occupy(OlPlan *plan)
{
  Occupancy occupancy = {.plan = plan};
  plan->offset = g_new(guint64, plan->graph->buffers->len);
  for (guint i = 0; i < plan->graph->buffers->len; i++)
    plan->offset[i] = OL_OFFSETS_FULL;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    occupancy.offsets[tier] = ol_offsets_new(plan->capacity[tier]);
  if (!walk(&occupancy))
    memcpy(plan->held, occupancy.now, sizeof plan->held);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    plan->arena_bytes[tier] = ol_offsets_get_highest(occupancy.offsets[tier]);
    ol_offsets_free(occupancy.offsets[tier]);
  }
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
