/* Between stages: boundary activations go to the next stage, their gradients to the one before;
 * with chunks also from the last rank to the first and back. A send completes into a slot of the
 * receiver's plan, so it never waits for the receiver to want it; it waits only until that slot was
 * read for the last time (2104.04473 section 2.2). */
#include "engine/plan/builder.h"

gboolean ol_pipeline_comes_in(const OlBuilder *builder, guint unit)
{
  return unit > 0 && ol_builder_is_first(builder, unit);
}

gboolean ol_pipeline_goes_out(const OlBuilder *builder, guint unit)
{
  return unit + 1 < builder->shape->n_units && ol_builder_is_last(builder, unit);
}

static guint64 boundary_bytes(const OlBuilder *builder)
{
  return ol_shape_boundary_bytes(builder->shape, 0); /* alike between all units */
}

/* Slots for messages: as many as for units on other ways, though a chunk may have one unit alone;
 * and for all that wait at once, or ranks could lock each other up (lockstep.c). */
static void add_slots(OlRing *ring, OlBuilder *builder, guint waiting)
{
  const OlRunConfig *config = builder->config;
  guint messages = config->batch.micro_batches * config->parallel.chunks;
  guint n = MIN(config->overlap.prefetch + 1, messages);
  ol_ring_init_at_least(ring, builder, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, boundary_bytes(builder),
                        MAX(n, waiting));
}

void ol_pipeline_init(OlPipeline *pipeline, OlBuilder *builder)
{
  gboolean comes_in = FALSE, goes_out = FALSE;
  for (guint i = 0; i < builder->n_units; i++) {
    comes_in |= ol_pipeline_comes_in(builder, builder->units[i]);
    goes_out |= ol_pipeline_goes_out(builder, builder->units[i]);
  }
  const guint *waiting = builder->turns->waiting[builder->stage];
  pipeline->arrived = OL_NONE;
  if (comes_in) {
    add_slots(&pipeline->in[FALSE], builder, waiting[FALSE]);
    add_slots(&pipeline->out[TRUE], builder, 0);
  }
  if (goes_out) {
    add_slots(&pipeline->out[FALSE], builder, 0);
    add_slots(&pipeline->in[TRUE], builder, waiting[TRUE]);
  }
}

void ol_pipeline_clear(OlPipeline *pipeline)
{
  for (guint backward = 0; backward < 2; backward++) {
    ol_ring_clear(&pipeline->out[backward]);
    ol_ring_clear(&pipeline->in[backward]);
  }
}

/* `unit` is the one whose output the message is, or is the gradient of. */
static OlDraft *add_message(OlBuilder *builder, OlOp op, gboolean backward, guint unit,
                            guint micro_batch)
{
  OlDraft *draft = ol_builder_add_node(builder, op, OL_LANE_PEER,
                                       backward ? OL_PAYLOAD_GRADIENTS : OL_PAYLOAD_ACTIVATIONS,
                                       (int)unit, (int)micro_batch);
  draft->node.group = OL_GROUP_PIPELINE;
  return draft;
}

static guint receive(OlPipeline *pipeline, OlBuilder *builder, gboolean backward, guint unit,
                     guint micro_batch)
{
  guint slot = ol_ring_take(&pipeline->in[backward]);
  OlDraft *draft =
      add_message(builder, OL_OP_RECEIVE, backward, backward ? unit : unit - 1, micro_batch);
  draft->operands.buffer[OL_OPERAND_TARGET] = (int)slot;
  return slot;
}

guint ol_pipeline_receive(OlPipeline *pipeline, OlBuilder *builder, gboolean backward, guint unit,
                          guint micro_batch)
{
  if (pipeline->arrived == OL_NONE)
    return receive(pipeline, builder, backward, unit, micro_batch);
  guint slot = (guint)pipeline->arrived;
  pipeline->arrived = OL_NONE;
  return slot;
}

guint ol_pipeline_take_out(OlPipeline *pipeline, gboolean backward)
{
  return ol_ring_take(&pipeline->out[backward]);
}

/* A lane does one thing after the other, so a receive that comes after a send holds the next turn
 * until that is through. */
static void receive_ahead(OlPipeline *pipeline, OlBuilder *builder)
{
  const OlTurn *turn = pipeline->ahead;
  const OlChunk *chunk = &builder->chunks[turn->chunk];
  pipeline->arrived =
      (int)receive(pipeline, builder, turn->backward,
                   turn->backward ? chunk->end - 1 : chunk->first, turn->micro_batch);
}

void ol_pipeline_send(OlPipeline *pipeline, OlBuilder *builder, gboolean backward, guint unit,
                      guint micro_batch, guint slot)
{
  if (pipeline->ahead)
    receive_ahead(pipeline, builder);
  OlDraft *send =
      add_message(builder, OL_OP_SEND, backward, backward ? unit - 1 : unit, micro_batch);
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
    guint stride = sender->config->parallel.tensor; /* from the last rank on to the first */
    for (guint i = 0; i < sender->drafts->len; i++) {
      const OlDraft *draft = g_ptr_array_index(sender->drafts, i);
      if (draft->node.op != OL_OP_SEND)
        continue;
      guint to =
          draft->node.payload == OL_PAYLOAD_GRADIENTS ? (b + n - stride) % n : (b + stride) % n;
      join(sender, i, &builders[to], &inboxes[to]);
    }
  }
  for (guint b = 0; b < n; b++)
    inbox_clear(&inboxes[b]);
}
