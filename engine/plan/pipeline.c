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
  return ol_builder_add_node(builder, op, OL_LANE_PEER,
                             backward ? OL_PAYLOAD_GRADIENTS : OL_PAYLOAD_ACTIVATIONS, (int)unit,
                             (int)micro_batch);
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
  send->node.bytes = boundary_bytes(builder);
  send->operands.buffer[OL_OPERAND_SOURCE] = (int)slot;
  ol_builder_await_drain(builder, OL_LANE_COMPUTE, send);
}

static gboolean is_same_message(const OlDraft *a, const OlDraft *b)
{
  return a->node.unit == b->node.unit && a->node.micro_batch == b->node.micro_batch &&
         a->node.payload == b->node.payload && a->node.steps == b->node.steps;
}

static guint find_receive(const OlBuilder *receiver, const OlDraft *send)
{
  for (guint i = 0; i < receiver->drafts->len; i++) {
    const OlDraft *draft = g_ptr_array_index(receiver->drafts, i);
    if (draft->node.op == OL_OP_RECEIVE && is_same_message(draft, send))
      return i;
  }
  g_assert_not_reached();
}

static gboolean reads_slot(const OlDraft *draft, int slot)
{
  return draft->node.lane == OL_LANE_COMPUTE &&
         (draft->operands.buffer[OL_OPERAND_SOURCE] == slot ||
          draft->operands.buffer[OL_OPERAND_D_OUTPUT] == slot);
}

/* The node that last reads the slot before `receive` fills it again: in the same step or, at the
 * step's first use, in the one before. */
static OlWait find_last_reader(const OlBuilder *receiver, guint receive, int slot)
{
  guint n = receiver->drafts->len;
  for (guint back = 1; back <= n; back++) {
    guint i = (receive + n - back) % n;
    const OlDraft *draft = g_ptr_array_index(receiver->drafts, i);
    if (draft->node.part == OL_PART_STEP && reads_slot(draft, slot))
      return (OlWait){i, i < receive ? 0 : 1};
  }
  g_assert_not_reached();
}

static void add_foreign_wait(OlDraft *draft, guint rank, OlWait wait)
{
  OlForeignWait foreign = {rank, wait};
  if (draft->foreign == NULL)
    draft->foreign = g_array_new(FALSE, FALSE, sizeof(OlForeignWait));
  g_array_append_val(draft->foreign, foreign);
}

static void join(OlBuilder *sender, guint index, OlBuilder *receiver)
{
  OlDraft *send = g_ptr_array_index(sender->drafts, index);
  guint at = find_receive(receiver, send);
  OlDraft *receive = g_ptr_array_index(receiver->drafts, at);
  int slot = receive->operands.buffer[OL_OPERAND_TARGET];
  send->operands.buffer[OL_OPERAND_TARGET] = slot;
  add_foreign_wait(send, receiver->rank, find_last_reader(receiver, at, slot));
  add_foreign_wait(receive, sender->rank, (OlWait){index, 0});
}

void ol_pipeline_join(OlBuilder *builders, guint n)
{
  for (guint rank = 0; rank < n; rank++) {
    OlBuilder *sender = &builders[rank];
    guint stride = sender->config->parallel.tensor;
    for (guint i = 0; i < sender->drafts->len; i++) {
      const OlDraft *draft = g_ptr_array_index(sender->drafts, i);
      if (draft->node.op == OL_OP_SEND)
        join(
            sender, i,
            &builders[draft->node.payload == OL_PAYLOAD_GRADIENTS ? rank - stride : rank + stride]);
    }
  }
}
