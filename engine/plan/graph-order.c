/* From all ranks' drafts to the graph's nodes, in plan order: a part after the other; within a part
 * the ranks one after the other, but hashes by unit over all ranks, as one sum reads them. */
#include "engine/plan/builder.h"

typedef struct {
  OlBuilder *builders;
  guint n;
  guint **ids;   /* [ranks][drafts]: a draft's node */
  int last_hash; /* node, or OL_NONE */
} Order;

static void add_node(Order *order, guint rank, guint index)
{
  OlBuilder *builder = &order->builders[rank];
  OlDraft *draft = g_ptr_array_index(builder->drafts, index);
  OlWait waits[OL_N_LANES + 3]; /* of its own rank, a hash, two of a message */
  guint n = 0;
  for (guint i = 0; i < draft->n_waits; i++)
    waits[n++] = (OlWait){order->ids[rank][draft->waits[i].node], draft->waits[i].steps_back};
  for (guint i = 0; draft->foreign && i < draft->foreign->len; i++) {
    const OlForeignWait *foreign = &g_array_index(draft->foreign, OlForeignWait, i);
    waits[n++] = (OlWait){order->ids[foreign->rank][foreign->wait.node], foreign->wait.steps_back};
  }
  gboolean hash = draft->node.op == OL_OP_HASH;
  if (hash && order->last_hash != OL_NONE)
    waits[n++] = (OlWait){(guint)order->last_hash, 0};
  GArray *acquires = draft->acquires, *releases = draft->releases;
  order->ids[rank][index] = ol_graph_add_node(
      builder->plan->graph, &draft->node, waits, n,
      acquires ? (guint *)(void *)acquires->data : NULL, acquires ? acquires->len : 0,
      releases ? (guint *)(void *)releases->data : NULL, releases ? releases->len : 0);
  if (hash)
    order->last_hash = (int)order->ids[rank][index];
  g_array_append_val(builder->plan->operands, draft->operands);
}

/* Waits one step back point forwards, so a node's number must be known before it is added: numbers
 * follow the same order. */
static void number_part(Order *order, OlPart part, guint *next)
{
  for (guint rank = 0; rank < order->n; rank++)
    for (guint i = 0; i < order->builders[rank].drafts->len; i++) {
      const OlDraft *draft = g_ptr_array_index(order->builders[rank].drafts, i);
      if (draft->node.part == part)
        order->ids[rank][i] = (*next)++;
    }
}

static void add_part(Order *order, OlPart part)
{
  for (guint rank = 0; rank < order->n; rank++)
    for (guint i = 0; i < order->builders[rank].drafts->len; i++) {
      const OlDraft *draft = g_ptr_array_index(order->builders[rank].drafts, i);
      if (draft->node.part == part)
        add_node(order, rank, i);
    }
}

static gboolean is_before_hash(const OlDraft *draft, int unit, OlPayload payload)
{
  return draft->node.part == OL_PART_HASH && draft->node.op != OL_OP_HASH;
}

static gboolean is_hash(const OlDraft *draft, int unit, OlPayload payload)
{
  return draft->node.op == OL_OP_HASH && draft->node.unit == unit && draft->node.payload == payload;
}

static void add_matching(Order *order, guint rank,
                         gboolean (*matches)(const OlDraft *draft, int unit, OlPayload payload),
                         int unit, OlPayload payload)
{
  GPtrArray *drafts = order->builders[rank].drafts;
  for (guint i = 0; i < drafts->len; i++)
    if (matches(g_ptr_array_index(drafts, i), unit, payload))
      add_node(order, rank, i);
}

/* What is still to be done before the hash, and then the hashes: by unit, masters before weights,
 * and of one unit by rank. */
static void add_hashes(Order *order)
{
  guint n_units = order->builders[0].shape->n_units;
  for (guint rank = 0; rank < order->n; rank++)
    add_matching(order, rank, is_before_hash, OL_NONE, 0);
  for (guint unit = 0; unit < n_units; unit++)
    for (guint p = 0; p < 2; p++)
      for (guint rank = 0; rank < order->n; rank++)
        add_matching(order, rank, is_hash, (int)unit,
                     p == 0 ? OL_PAYLOAD_MASTER : OL_PAYLOAD_WEIGHTS);
}

void ol_builders_write_graph(OlBuilder *builders, guint n)
{
  Order order = {builders, n, g_new(guint *, n), OL_NONE};
  guint next = 0;
  for (guint rank = 0; rank < n; rank++)
    order.ids[rank] = g_new0(guint, builders[rank].drafts->len);
  number_part(&order, OL_PART_FILL, &next);
  number_part(&order, OL_PART_STEP, &next);
  add_part(&order, OL_PART_FILL);
  add_part(&order, OL_PART_STEP);
  add_hashes(&order);
  for (guint rank = 0; rank < n; rank++)
    g_free(order.ids[rank]);
  g_free(order.ids);
}
