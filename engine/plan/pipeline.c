/* Between stages: boundary activations go to the next stage, their gradients to the one before. A
 * send completes into a slot of the receiver's plan, so it never waits for the receiver to want it;
 * it waits only until that slot was read for the last time (2104.04473 section 2.2). */
#include "engine/plan/builder.h"

gboolean ol_pipeline_has_before(const OlBuilder *builder)
{
  return builder->stage > 0;
}

gboolean ol_pipeline_has_after(const OlBuilder *builder)
{
  return builder->stage + 1 < builder->config->parallel.pipeline;
}

static guint64 boundary_bytes(const OlBuilder *builder)
{
  return ol_shape_boundary_bytes(builder->shape, 0); /* alike between all units */
}

void ol_pipeline_init(OlPipeline *pipeline, OlBuilder *builder)
{
  guint64 bytes = boundary_bytes(builder);
  if (ol_pipeline_has_before(builder)) {
    ol_ring_init(&pipeline->in_forward, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, bytes);
    ol_ring_init(&pipeline->out_backward, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, bytes);
  }
  if (ol_pipeline_has_after(builder)) {
    ol_ring_init(&pipeline->out_forward, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, bytes);
    ol_ring_init(&pipeline->in_backward, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, bytes);
  }
}

void ol_pipeline_clear(OlPipeline *pipeline)
{
  ol_ring_clear(&pipeline->out_forward);
  ol_ring_clear(&pipeline->in_forward);
  ol_ring_clear(&pipeline->out_backward);
  ol_ring_clear(&pipeline->in_backward);
}

/* The unit whose output the message is, or is the gradient of. */
static guint unit_of_message(const OlBuilder *builder, gboolean backward, gboolean receive)
{
  return backward == receive ? builder->end - 1 : builder->first_unit - 1;
}

static OlDraft *add_message(OlBuilder *builder, OlOp op, gboolean backward, guint micro_batch)
{
  guint unit = unit_of_message(builder, backward, op == OL_OP_RECEIVE);
  OlDraft *draft = ol_builder_add_node(builder, op, OL_LANE_PEER,
                                       backward ? OL_PAYLOAD_GRADIENTS : OL_PAYLOAD_ACTIVATIONS,
                                       (int)unit, (int)micro_batch);
  draft->node.group = OL_GROUP_PIPELINE;
  return draft;
}

guint ol_pipeline_receive(OlPipeline *pipeline, OlBuilder *builder, gboolean backward,
                          guint micro_batch)
{
  guint slot = ol_ring_take(backward ? &pipeline->in_backward : &pipeline->in_forward);
  OlDraft *receive = add_message(builder, OL_OP_RECEIVE, backward, micro_batch);
  receive->operands.buffer[OL_OPERAND_TARGET] = (int)slot;
  return slot;
}

guint ol_pipeline_take_out(OlPipeline *pipeline, gboolean backward)
{
  return ol_ring_take(backward ? &pipeline->out_backward : &pipeline->out_forward);
}

void ol_pipeline_send(OlBuilder *builder, gboolean backward, guint micro_batch, guint slot)
{
  OlDraft *send = add_message(builder, OL_OP_SEND, backward, micro_batch);
  send->bytes = ol_bytes_all(boundary_bytes(builder));
  send->operands.buffer[OL_OPERAND_SOURCE] = (int)slot;
  ol_builder_await_drain(builder, OL_LANE_COMPUTE, send);
}

/* ---- from one stage's drafts to another's ---- */

/* What the senders to a stage must know of its drafts. */
typedef struct {
  GHashTable *receives; /* message's number -> draft */
  OlWait *last_reads;   /* [drafts]: of a receive, what its slot was last read by */
} Inbox;

/* A number for each message that a stage receives. */
static gpointer number_of(const OlBuilder *receiver, const OlGraphNode *node)
{
  gsize unit = (gsize)node->unit * receiver->config->batch.micro_batches;
  gsize message = (unit + (gsize)node->micro_batch) * 2 + (node->payload == OL_PAYLOAD_GRADIENTS);
  return GSIZE_TO_POINTER(message * 2 + (node->steps == OL_STEPS_ODD));
}

/* Whose slots are read by the compute lane: what arrived forward is copied, a gradient is used. */
static void note_reads(const OlBuilder *receiver, const OlDraft *draft, OlMoment now,
                       OlMoment *reads)
{
  static const OlOperand arrived[] = {OL_OPERAND_SOURCE, OL_OPERAND_D_OUTPUT};
  for (guint i = 0; i < G_N_ELEMENTS(arrived) && draft->node.lane == OL_LANE_COMPUTE; i++) {
    int buffer = draft->operands.buffer[arrived[i]];
    if (buffer != OL_NONE)
      reads[(guint)buffer - receiver->first_buffer] = now;
  }
}

/* Two steps in a row: in the second, what the first fills of a slot was read in the step before. */
static void inbox_init(Inbox *inbox, const OlBuilder *receiver)
{
  guint n = receiver->drafts->len;
  g_autofree OlMoment *reads = g_new(OlMoment, receiver->n_buffers);
  for (guint i = 0; i < receiver->n_buffers; i++)
    reads[i] = -1;
  inbox->receives = g_hash_table_new(NULL, NULL);
  inbox->last_reads = g_new0(OlWait, n);
  for (OlMoment now = 0; now < 2 * (OlMoment)n; now++) {
    guint i = (guint)(now % n);
    const OlDraft *draft = g_ptr_array_index(receiver->drafts, i);
    if (draft->node.part != OL_PART_STEP)
      continue;
    note_reads(receiver, draft, now, reads);
    if (draft->node.op != OL_OP_RECEIVE || now < n)
      continue;
    guint slot = (guint)draft->operands.buffer[OL_OPERAND_TARGET] - receiver->first_buffer;
    inbox->last_reads[i] = ol_builder_make_wait(receiver, now, reads[slot]);
    g_hash_table_insert(inbox->receives, number_of(receiver, &draft->node), GUINT_TO_POINTER(i));
  }
}

static void inbox_clear(Inbox *inbox)
{
  g_hash_table_unref(inbox->receives);
  g_free(inbox->last_reads);
}

static void add_foreign_wait(OlDraft *draft, guint builder, OlWait wait)
{
  OlForeignWait foreign = {builder, wait};
  if (draft->foreign == NULL)
    draft->foreign = g_array_new(FALSE, FALSE, sizeof(OlForeignWait));
  g_array_append_val(draft->foreign, foreign);
}

static void join(OlBuilder *sender, guint index, OlBuilder *receiver, const Inbox *inbox)
{
  OlDraft *send = g_ptr_array_index(sender->drafts, index);
  guint at =
      GPOINTER_TO_UINT(g_hash_table_lookup(inbox->receives, number_of(receiver, &send->node)));
  OlDraft *receive = g_ptr_array_index(receiver->drafts, at);
  send->operands.buffer[OL_OPERAND_TARGET] = receive->operands.buffer[OL_OPERAND_TARGET];
  add_foreign_wait(send, receiver->rank, inbox->last_reads[at]);
  add_foreign_wait(receive, sender->rank, (OlWait){index, 0});
}

void ol_pipeline_join(OlBuilder *builders, guint n)
{
  g_autofree Inbox *inboxes = g_new(Inbox, n);
  for (guint b = 0; b < n; b++)
    inbox_init(&inboxes[b], &builders[b]);
  for (guint b = 0; b < n; b++) {
    OlBuilder *sender = &builders[b];
    guint stride = sender->config->parallel.tensor;
    for (guint i = 0; i < sender->drafts->len; i++) {
      const OlDraft *draft = g_ptr_array_index(sender->drafts, i);
      if (draft->node.op != OL_OP_SEND)
        continue;
      guint to = draft->node.payload == OL_PAYLOAD_GRADIENTS ? b - stride : b + stride;
      join(sender, i, &builders[to], &inboxes[to]);
    }
  }
  for (guint b = 0; b < n; b++)
    inbox_clear(&inboxes[b]);
}
