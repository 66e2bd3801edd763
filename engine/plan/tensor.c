/* Tensor parallelism (1909.08053 section 3): a block's pass stops twice each way for a sum over the
 * ranks that have its slices. Forward that is the end of a row-sliced product (operator g),
 * backward of a column-sliced one (operator f). The lanes have nothing else to do then: what
 * follows needs the sum. */
#include "engine/comm/shard.h"
#include "engine/plan/builder.h"

static gboolean is_sliced(const OlBuilder *builder)
{
  return builder->shape->slices > 1;
}

/* One slot is read while the other is written. */
void ol_tensor_init(OlBuilder *builder)
{
  guint64 bytes = ol_shape_partial_bytes(builder->shape);
  for (guint i = 0; i < G_N_ELEMENTS(builder->partials); i++)
    builder->partials[i] = is_sliced(builder) ? (int)ol_builder_add_buffer(builder, OL_TIER_GPU,
                                                                           OL_PAYLOAD_ACTIVATIONS,
                                                                           OL_BUFFER_SLOT, bytes)
                                              : OL_NONE;
}

OlPieces ol_tensor_pieces(const OlBuilder *builder, guint unit, OlOp op)
{
  static const OlPieces whole = {1, {OL_PIECE_WHOLE}};
  static const OlPieces forward = {3, {OL_PIECE_ATTENTION, OL_PIECE_MLP, OL_PIECE_JOIN}};
  static const OlPieces backward = {3, {OL_PIECE_MLP, OL_PIECE_ATTENTION, OL_PIECE_JOIN}};
  /* Up to the input of the last product: the second sum is not needed again. */
  static const OlPieces again = {2, {OL_PIECE_ATTENTION, OL_PIECE_MLP}};
  if (!is_sliced(builder) || builder->shape->units[unit].kind != OL_UNIT_BLOCK)
    return whole;
  if (op == OL_OP_RECOMPUTE)
    return builder->config->recompute == OL_RECOMPUTE_FULL ? again : whole;
  return op == OL_OP_FORWARD ? forward : backward;
}

/* What an all-reduce brings: this rank's share of every other's part, and all shares of the sum but
 * its own. */
static guint64 bytes_received(const OlBuilder *builder)
{
  guint e = builder->shape->element_bytes, members = builder->shape->slices;
  guint64 n = ol_shape_partial_bytes(builder->shape) / e, first, own;
  ol_comm_shard(n, members, builder->slice, OL_COMM_SUM_BYTES / e, &first, &own);
  return (own * (members - 1) + n - own) * e;
}

static void add_sum(OlBuilder *builder, const OlGraphNode *of, int slot)
{
  OlDraft *sum = ol_builder_add_node(builder, OL_OP_ALL_REDUCE, OL_LANE_PEER,
                                     OL_PAYLOAD_ACTIVATIONS, of->unit, of->micro_batch);
  ol_builder_meet(builder, sum, OL_GROUP_TENSOR);
  sum->node.piece = of->piece;
  sum->bytes = ol_bytes_all(bytes_received(builder));
  sum->operands.buffer[OL_OPERAND_SOURCE] = slot;
  sum->operands.buffer[OL_OPERAND_TARGET] = slot;
}

static gboolean makes_partial(const OlGraphNode *node)
{
  gboolean again = node->op == OL_OP_RECOMPUTE;
  return node->piece == OL_PIECE_ATTENTION || (node->piece == OL_PIECE_MLP && !again);
}

int ol_tensor_exchange(OlBuilder *builder, OlDraft *draft, int summed)
{
  draft->operands.buffer[OL_OPERAND_SUMMED] = summed;
  if (!makes_partial(&draft->node))
    return OL_NONE;
  int slot = builder->partials[builder->n_partials++ % G_N_ELEMENTS(builder->partials)];
  draft->operands.buffer[OL_OPERAND_PARTIAL] = slot;
  add_sum(builder, &draft->node, slot);
  return slot;
}
