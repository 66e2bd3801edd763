/* From the builders' drafts to the graph's nodes, in plan order: one in which all of it could be
 * done by one hand, so that nothing can lock up. What a node awaits in its step lies before it, on
 * whichever rank; nodes that meet lie side by side. A part comes after the other; within one the
 * builders take turns, a draft each, and every draft becomes a node of each data rank. Drafts that
 * meet are a run: all of the first data rank's nodes come before the next one's. Hashes come last,
 * by unit over all ranks, as one sum reads them. */
#include "engine/plan/builder.h"

#define NOT_YET G_MAXUINT

typedef struct {
  guint builder, draft;
  guint run, n; /* the run that it is in: its first place, and how many */
} Place;

/* Of drafts of several builders. */
typedef struct {
  guint members, arrived;
} Meeting;

typedef struct {
  OlBuilder *builders;
  guint n;
  guint data;       /* ranks a builder is written for */
  guint n_buffers;  /* of one data index: those of the next are numbered alike */
  GArray *places;   /* Place, in the order of one data rank's plan */
  guint **place_of; /* [builders][drafts] */
  guint *cursors;   /* [builders]: the draft that is placed next */
  gboolean *waits;  /* [builders]: for the others of a meeting */
  GArray *meetings; /* Meeting, by number */
} Order;

static const OlDraft *draft_of(const Order *order, guint builder, guint draft)
{
  return g_ptr_array_index(order->builders[builder].drafts, draft);
}

/* One of `n` that meet, the first of which is at place `run`. */
static void place(Order *order, guint builder, guint draft, guint run, guint n)
{
  Place at = {builder, draft, run, n};
  order->place_of[builder][draft] = order->places->len;
  g_array_append_val(order->places, at);
}

/* ---- a part, hashes left out ---- */

/* The builder's next draft in the part, or NULL. */
static const OlDraft *find_next(Order *order, guint builder, OlPart part)
{
  guint n = order->builders[builder].drafts->len, *cursor = &order->cursors[builder];
  for (; *cursor < n; (*cursor)++) {
    const OlDraft *draft = draft_of(order, builder, *cursor);
    if (draft->node.part == part && draft->node.op != OL_OP_HASH)
      return draft;
  }
  return NULL;
}

static gboolean may_be_placed(const Order *order, const OlDraft *draft)
{
  for (guint i = 0; draft->foreign && i < draft->foreign->len; i++) {
    const OlForeignWait *foreign = &g_array_index(draft->foreign, OlForeignWait, i);
    if (foreign->wait.steps_back == 0 &&
        order->place_of[foreign->builder][foreign->wait.node] == NOT_YET)
      return FALSE;
  }
  return TRUE;
}

/* FALSE while builders are missing whose drafts meet this one. */
static gboolean place_meeting(Order *order, guint builder, guint number)
{
  Meeting *meeting = &g_array_index(order->meetings, Meeting, number);
  meeting->arrived += !order->waits[builder];
  order->waits[builder] = TRUE;
  if (meeting->arrived < meeting->members)
    return FALSE;
  guint run = order->places->len;
  for (guint b = 0; b < order->n; b++)
    if (order->waits[b] && draft_of(order, b, order->cursors[b])->node.meeting == number) {
      order->waits[b] = FALSE;
      place(order, b, order->cursors[b]++, run, meeting->members);
    }
  return TRUE;
}

/* FALSE when the builder must let others go first, or has done. */
static gboolean take_turn(Order *order, guint builder, OlPart part)
{
  const OlDraft *next = find_next(order, builder, part);
  if (next == NULL || !may_be_placed(order, next))
    return FALSE;
  if (next->node.meeting != 0)
    return place_meeting(order, builder, next->node.meeting);
  place(order, builder, order->cursors[builder]++, order->places->len, 1);
  return TRUE;
}

static void place_part(Order *order, OlPart part)
{
  for (guint b = 0; b < order->n; b++)
    order->cursors[b] = 0;
  gboolean moved = TRUE;
  while (moved) {
    moved = FALSE;
    for (guint b = 0; b < order->n; b++)
      moved |= take_turn(order, b, part);
  }
  for (guint b = 0; b < order->n; b++)
    g_assert(find_next(order, b, part) == NULL);
}

/* ---- hashes ---- */

/* By unit, masters before weights, and of one unit by rank. */
static int compare_hashes(gconstpointer left, gconstpointer right, gpointer data)
{
  const Order *order = data;
  const Place *a = left, *b = right;
  const OlGraphNode *x = &draft_of(order, a->builder, a->draft)->node;
  const OlGraphNode *y = &draft_of(order, b->builder, b->draft)->node;
  if (x->unit != y->unit)
    return x->unit - y->unit;
  gboolean x_is_master = x->payload == OL_PAYLOAD_MASTER;
  gboolean y_is_master = y->payload == OL_PAYLOAD_MASTER;
  if (x_is_master != y_is_master)
    return y_is_master - x_is_master;
  return (int)a->builder - (int)b->builder;
}

static void place_hashes(Order *order)
{
  g_autoptr(GArray) hashes = g_array_new(FALSE, FALSE, sizeof(Place));
  for (guint b = 0; b < order->n; b++)
    for (guint i = 0; i < order->builders[b].drafts->len; i++)
      if (draft_of(order, b, i)->node.op == OL_OP_HASH) {
        Place hash = {.builder = b, .draft = i};
        g_array_append_val(hashes, hash);
      }
  g_array_sort_with_data(hashes, compare_hashes, order);
  for (guint i = 0; i < hashes->len; i++) {
    const Place *hash = &g_array_index(hashes, Place, i);
    place(order, hash->builder, hash->draft, order->places->len, 1);
  }
}

/* ---- nodes ---- */

static guint node_of_place(const Order *order, guint place, guint data_index)
{
  const Place *at = &g_array_index(order->places, Place, place);
  return at->run * order->data + data_index * at->n + (place - at->run);
}

static guint node_at(const Order *order, guint builder, guint draft, guint data_index)
{
  return node_of_place(order, order->place_of[builder][draft], data_index);
}

/* Tensor groups of different data ranks do not meet. */
static guint meeting_at(const Order *order, const OlGraphNode *node, guint data_index)
{
  guint apart = node->group == OL_GROUP_TENSOR ? order->meetings->len : 0;
  return node->meeting + data_index * apart;
}

static guint64 bytes_at(const Order *order, const OlBuilder *builder, const OlDraft *draft,
                        guint data_index)
{
  if (draft->node.group == OL_GROUP_WORLD)
    return ol_norm_exchange_bytes(builder, data_index);
  guint64 part = 0;
  if (draft->bytes.each != 0)
    part = ol_shape_shard(builder->shape, (guint)draft->node.unit, order->data, data_index).count;
  return (guint64)(draft->bytes.all + draft->bytes.each * (gint64)part);
}

/* `scratch` for the list's translation. */
static const guint *buffers_at(const Order *order, const GArray *list, guint data_index,
                               GArray *scratch)
{
  g_array_set_size(scratch, list ? list->len : 0);
  for (guint i = 0; i < scratch->len; i++)
    g_array_index(scratch, guint, i) =
        g_array_index(list, guint, i) + data_index * order->n_buffers;
  return &g_array_index(scratch, guint, 0);
}

static guint waits_at(const Order *order, guint place, guint data_index, OlWait *waits)
{
  const Place *at = &g_array_index(order->places, Place, place);
  const OlDraft *draft = draft_of(order, at->builder, at->draft);
  guint n = 0;
  for (guint i = 0; i < draft->n_waits; i++)
    waits[n++] = (OlWait){node_at(order, at->builder, draft->waits[i].node, data_index),
                          draft->waits[i].steps_back};
  for (guint i = 0; draft->foreign && i < draft->foreign->len; i++) {
    const OlForeignWait *foreign = &g_array_index(draft->foreign, OlForeignWait, i);
    waits[n++] = (OlWait){node_at(order, foreign->builder, foreign->wait.node, data_index),
                          foreign->wait.steps_back};
  }
  /* One sum reads all homes. */
  const Place *before = place > 0 ? at - 1 : NULL;
  gboolean follows_hash =
      data_index > 0 ||
      (before && draft_of(order, before->builder, before->draft)->node.op == OL_OP_HASH);
  if (draft->node.op == OL_OP_HASH && follows_hash)
    waits[n++] = (OlWait){node_of_place(order, place, data_index) - 1, 0};
  return n;
}

static void add_node(const Order *order, guint place, guint data_index, GArray **scratch)
{
  const Place *at = &g_array_index(order->places, Place, place);
  const OlBuilder *builder = &order->builders[at->builder];
  const OlDraft *draft = draft_of(order, at->builder, at->draft);
  OlWait waits[OL_N_LANES + 3]; /* of its own rank, a hash, two of a message */
  guint n_waits = waits_at(order, place, data_index, waits);
  OlGraphNode node = draft->node;
  node.rank += data_index * order->n;
  node.meeting = meeting_at(order, &draft->node, data_index);
  node.bytes = bytes_at(order, builder, draft, data_index);
  const guint *acquires = buffers_at(order, draft->acquires, data_index, scratch[0]);
  const guint *releases = buffers_at(order, draft->releases, data_index, scratch[1]);
  ol_graph_add_node(builder->plan->graph, &node, waits, n_waits, acquires, scratch[0]->len,
                    releases, scratch[1]->len);
  g_array_append_val(builder->plan->operands_of, place);
}

static void add_buffers(const Order *order, OlGraph *graph)
{
  for (guint data_index = 1; data_index < order->data; data_index++)
    for (guint i = 0; i < order->n_buffers; i++) {
      OlGraphBuffer buffer = *ol_graph_buffer(graph, i);
      buffer.rank += data_index * order->n;
      ol_graph_add_buffer(graph, &buffer);
    }
}

static void add_nodes(const Order *order, OlPlan *plan)
{
  GArray *scratch[2];
  for (guint i = 0; i < G_N_ELEMENTS(scratch); i++)
    scratch[i] = g_array_new(FALSE, FALSE, sizeof(guint));
  for (guint place = 0; place < order->places->len; place++) {
    const Place *at = &g_array_index(order->places, Place, place);
    g_array_append_val(plan->operands, draft_of(order, at->builder, at->draft)->operands);
  }
  for (guint run = 0, n; run < order->places->len; run += n) {
    n = g_array_index(order->places, Place, run).n;
    for (guint data_index = 0; data_index < order->data; data_index++)
      for (guint i = run; i < run + n; i++)
        add_node(order, i, data_index, scratch);
  }
  for (guint i = 0; i < G_N_ELEMENTS(scratch); i++)
    g_array_unref(scratch[i]);
}

static void count_members(Order *order)
{
  for (guint b = 0; b < order->n; b++)
    for (guint i = 0; i < order->builders[b].drafts->len; i++) {
      guint meeting = draft_of(order, b, i)->node.meeting;
      if (meeting >= order->meetings->len)
        g_array_set_size(order->meetings, meeting + 1);
      g_array_index(order->meetings, Meeting, meeting).members++;
    }
}

OlOperands ol_plan_operands(const OlPlan *plan, guint node)
{
  OlOperands operands =
      g_array_index(plan->operands, OlOperands, g_array_index(plan->operands_of, guint, node));
  guint n_buffers = plan->graph->buffers->len / plan->config->parallel.data;
  guint data_index = ol_plan_data_index(plan->config, ol_graph_node(plan->graph, node)->rank);
  for (guint i = 0; i < OL_N_OPERANDS; i++)
    if (operands.buffer[i] != OL_NONE)
      operands.buffer[i] += (int)(data_index * n_buffers);
  return operands;
}

void ol_builders_write_graph(OlBuilder *builders, guint n)
{
  OlPlan *plan = builders[0].plan;
  Order order = {.builders = builders,
                 .n = n,
                 .data = plan->config->parallel.data,
                 .n_buffers = plan->graph->buffers->len,
                 .places = g_array_new(FALSE, FALSE, sizeof(Place)),
                 .place_of = g_new(guint *, n),
                 .cursors = g_new(guint, n),
                 .waits = g_new0(gboolean, n),
                 .meetings = g_array_new(FALSE, TRUE, sizeof(Meeting))};
  for (guint b = 0; b < n; b++) {
    order.place_of[b] = g_new(guint, builders[b].drafts->len);
    for (guint i = 0; i < builders[b].drafts->len; i++)
      order.place_of[b][i] = NOT_YET;
  }
  count_members(&order);
  for (OlPart part = 0; part < OL_N_PARTS; part++)
    place_part(&order, part);
  place_hashes(&order);
  add_buffers(&order, plan->graph);
  add_nodes(&order, plan);
  for (guint b = 0; b < n; b++)
    g_free(order.place_of[b]);
  g_free(order.place_of);
  g_free(order.cursors);
  g_array_unref(order.places);
  g_free(order.waits);
  g_array_unref(order.meetings);
}
