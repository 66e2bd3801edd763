/* Gradients, by the one rule of design section 3: each micro-batch's is rounded when produced, sums
 * run in fp32, a finished sum is rounded once before it crosses a link or enters Adam.
 *
 * At home on the GPU, with one micro-batch the backward writes the home itself; with more, each
 * micro-batch's is a transient that is added to the fp32 home. At home on the host, the GPU has a
 * ring, and every micro-batch's goes down: into its home, or into a slot from which it is added.
 *
 * Over data ranks (1910.02054 section 5): whole gradients are summed over micro-batches first, then
 * over ranks; sharded ones (ZeRO 2 and 3) over ranks first, unit by unit during the backward. */
#include "engine/plan/builder.h"

static gboolean sums(const OlBuilder *builder)
{
  return builder->config->batch.micro_batches > 1;
}

/* Whether any unit is updated on another tier than its gradient's. */
static gboolean must_travel(const OlBuilder *builder, OlTier *to)
{
  for (guint i = 0; i < builder->n_units; i++) {
    *to = ol_builder_update_tier(builder, builder->units[i]);
    if (*to != builder->config->placement.gradients)
      return TRUE;
  }
  return FALSE;
}

/* How much of a unit's gradient travels to its update, and back as weights. */
static OlExtent extent_of_update(const OlBuilder *builder)
{
  return ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER) ? OL_SHARDS : OL_WHOLE_UNITS;
}

static OlBytes update_bytes(const OlBuilder *builder, guint unit)
{
  return ol_builder_home_bytes(builder, OL_PAYLOAD_MASTER, unit, builder->shape->element_bytes);
}

static guint64 norm_bytes(const OlBuilder *builder)
{
  return ol_plan_norm_place(builder->shape, builder->shape->n_units, 0) * sizeof(double);
}

/* A delayed update leaves all gradients waiting until the next step. */
static void add_waiting(OlGradients *gradients, OlBuilder *builder, OlTier tier)
{
  gradients->waiting = g_new(int, builder->shape->n_units);
  for (guint i = 0; i < builder->n_units; i++) {
    guint u = builder->units[i];
    gradients->waiting[u] =
        ol_builder_add_buffer(builder, tier, OL_PAYLOAD_GRADIENTS, OL_BUFFER_SLOT,
                              ol_builder_shard(builder, u).padded * builder->shape->element_bytes);
  }
}

static gboolean clips(const OlBuilder *builder)
{
  return builder->config->optimizer.clip_norm > 0;
}

static gboolean is_sharded(const OlBuilder *builder)
{
  return ol_builder_is_sharded(builder, OL_PAYLOAD_GRADIENTS);
}

static gboolean is_summed_whole(const OlBuilder *builder)
{
  return ol_builder_has_replicas(builder) && !is_sharded(builder);
}

/* A ring of finished sums over ranks. Those that wait for the clipping norm wait all at once. */
static void init_ring_of_sums(OlRing *ring, OlBuilder *builder, OlTier tier, OlExtent extent)
{
  ol_ring_init_for_units(ring, builder, tier, OL_PAYLOAD_GRADIENTS, builder->shape->element_bytes,
                         extent);
  guint first = g_array_index(ring->slots, guint, 0);
  guint64 bytes = ol_graph_buffer(builder->plan->graph, first)->bytes;
  while (clips(builder) && is_summed_whole(builder) && ring->slots->len < builder->n_units) {
    guint id = ol_builder_add_buffer(builder, tier, OL_PAYLOAD_GRADIENTS, OL_BUFFER_SLOT, bytes);
    g_array_append_val(ring->slots, id);
  }
}

/* Rings between the backward and the home. */
static void init_rings_home(OlGradients *gradients, OlBuilder *builder)
{
  guint e = builder->shape->element_bytes;
  OlTier home = builder->config->placement.gradients;
  OlExtent extent = is_sharded(builder) ? OL_SHARDS : OL_WHOLE_UNITS;
  if (home == OL_TIER_HOST || is_sharded(builder))
    ol_ring_init_for_units(&gradients->gpu, builder, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS, e,
                           OL_WHOLE_UNITS);
  if (home == OL_TIER_HOST && sums(builder))
    ol_ring_init_for_units(&gradients->host, builder, OL_TIER_HOST, OL_PAYLOAD_GRADIENTS, e,
                           extent);
  gboolean summed_into_home = home == OL_TIER_GPU && !sums(builder);
  if (ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER) &&
      !(is_sharded(builder) && summed_into_home))
    init_ring_of_sums(&gradients->summed, builder, OL_TIER_GPU, OL_SHARDS);
}

void ol_gradients_init(OlGradients *gradients, OlBuilder *builder)
{
  guint e = builder->shape->element_bytes;
  OlTier home = builder->config->placement.gradients, to;
  gboolean travel = must_travel(builder, &to);
  gboolean whole_sum = is_summed_whole(builder);
  init_rings_home(gradients, builder);
  if (sums(builder) && !ol_builder_is_fp32(builder) && (travel || whole_sum))
    init_ring_of_sums(&gradients->cast, builder, home,
                      is_sharded(builder) ? OL_SHARDS : OL_WHOLE_UNITS);
  if (travel && builder->config->optimizer.delayed)
    add_waiting(gradients, builder, to);
  else if (travel)
    ol_carrier_init(&gradients->way, builder, OL_PAYLOAD_GRADIENTS, e, extent_of_update(builder),
                    home, to, FALSE);
  gradients->way.payload = OL_PAYLOAD_GRADIENTS;
  gradients->norms = OL_NONE;
  if (clips(builder) && whole_sum) {
    gradients->summed_at = g_new(int, builder->shape->n_units);
    for (guint u = 0; u < builder->shape->n_units; u++)
      gradients->summed_at[u] = OL_NONE;
  }
  if (clips(builder))
    gradients->norms = ol_builder_add_buffer(builder, OL_TIER_HOST, OL_PAYLOAD_STAGING,
                                             OL_BUFFER_SLOT, norm_bytes(builder));
}

void ol_gradients_clear(OlGradients *gradients)
{
  ol_ring_clear(&gradients->gpu);
  ol_ring_clear(&gradients->host);
  ol_ring_clear(&gradients->cast);
  ol_ring_clear(&gradients->summed);
  ol_carrier_clear(&gradients->way);
  g_clear_pointer(&gradients->summed_at, g_free);
  g_clear_pointer(&gradients->waiting, g_free);
}

static OlDraft *add_to_sum(OlBuilder *builder, OlLane lane, guint unit, guint micro_batch,
                           guint gradient)
{
  OlDraft *add =
      ol_builder_add_node(builder, OL_OP_ACCUMULATE, lane, OL_PAYLOAD_GRADIENTS, unit, micro_batch);
  add->operands.buffer[OL_OPERAND_GRADIENT] = gradient;
  add->operands.buffer[OL_OPERAND_ACCUMULATOR] = builder->homes[unit].accumulator;
  return add;
}

static void run_backward(OlGradients *gradients, OlBuilder *builder, guint unit, guint micro_batch,
                         guint gradient, gboolean transient)
{
  ol_compute_backward(builder, gradients->activations, gradients->pipeline, gradients->weights,
                      unit, micro_batch, gradient, transient);
}

static void backward_at_home(OlGradients *gradients, OlBuilder *builder, guint unit,
                             guint micro_batch)
{
  if (!sums(builder)) {
    run_backward(gradients, builder, unit, micro_batch, builder->homes[unit].gradient, FALSE);
    return;
  }
  guint gradient = ol_builder_add_buffer(builder, OL_TIER_GPU, OL_PAYLOAD_GRADIENTS,
                                         OL_BUFFER_TRANSIENT, ol_builder_wire_bytes(builder, unit));
  run_backward(gradients, builder, unit, micro_batch, gradient, TRUE);
  OlDraft *add = add_to_sum(builder, OL_LANE_COMPUTE, unit, micro_batch, gradient);
  ol_draft_release(add, gradient);
}

/* From a slot on the GPU to its home on the host, or to a slot there from which it is added. */
static void send_down(OlGradients *gradients, OlBuilder *builder, guint unit, guint micro_batch,
                      guint slot, OlLane filler)
{
  OlBytes bytes =
      ol_builder_home_bytes(builder, OL_PAYLOAD_GRADIENTS, unit, builder->shape->element_bytes);
  guint arrival =
      sums(builder) ? ol_ring_take(&gradients->host) : (guint)builder->homes[unit].gradient;
  OlDraft *down = ol_builder_add_copy(builder, OL_LANE_GPU_TO_HOST, OL_PAYLOAD_GRADIENTS, unit,
                                      micro_batch, slot, arrival, bytes);
  ol_builder_await_drain(builder, filler, down);
  if (sums(builder))
    ol_builder_await_drain(builder, OL_LANE_GPU_TO_HOST,
                           add_to_sum(builder, OL_LANE_HOST_UPDATE, unit, micro_batch, arrival));
}

static void backward_to_host(OlGradients *gradients, OlBuilder *builder, guint unit,
                             guint micro_batch)
{
  guint slot = ol_ring_take(&gradients->gpu);
  run_backward(gradients, builder, unit, micro_batch, slot, FALSE);
  send_down(gradients, builder, unit, micro_batch, slot, OL_LANE_COMPUTE);
}

/* ZeRO 2 and 3: each micro-batch's gradient is summed over the ranks at once, and only this rank's
 * shard of the sum is kept. */
static void backward_to_shard(OlGradients *gradients, OlBuilder *builder, guint unit,
                              guint micro_batch)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  gboolean on_host = builder->config->placement.gradients == OL_TIER_HOST;
  guint slot = ol_ring_take(&gradients->gpu);
  guint sum = on_host || sums(builder) ? ol_ring_take(&gradients->summed) : (guint)homes->gradient;
  run_backward(gradients, builder, unit, micro_batch, slot, FALSE);
  OlDraft *scatter = ol_builder_add_collective(builder, OL_OP_REDUCE_SCATTER, OL_PAYLOAD_GRADIENTS,
                                               unit, micro_batch, slot, sum);
  ol_builder_await_drain(builder, OL_LANE_COMPUTE, scatter);
  if (on_host)
    send_down(gradients, builder, unit, micro_batch, sum, OL_LANE_PEER);
  else if (sums(builder))
    ol_builder_await_drain(builder, OL_LANE_PEER,
                           add_to_sum(builder, OL_LANE_COMPUTE, unit, micro_batch, sum));
}

void ol_gradients_backward(OlGradients *gradients, OlBuilder *builder, guint unit,
                           guint micro_batch)
{
  if (is_sharded(builder))
    backward_to_shard(gradients, builder, unit, micro_batch);
  else if (builder->config->placement.gradients == OL_TIER_GPU)
    backward_at_home(gradients, builder, unit, micro_batch);
  else
    backward_to_host(gradients, builder, unit, micro_batch);
}

/* A finished sum, rounded into a slot beside it. */
static guint add_cast(OlGradients *gradients, OlBuilder *builder, guint unit)
{
  OlLane lane = ol_update_lane(builder->config->placement.gradients);
  OlDraft *cast =
      ol_builder_add_node(builder, OL_OP_CAST, lane, OL_PAYLOAD_GRADIENTS, unit, OL_NONE);
  guint slot = ol_ring_take(&gradients->cast);
  cast->operands.buffer[OL_OPERAND_ACCUMULATOR] = builder->homes[unit].accumulator;
  cast->operands.buffer[OL_OPERAND_GRADIENT] = slot;
  return slot;
}

/* ZeRO 0 and 1: a whole gradient, summed over micro-batches, is summed over the ranks: all of it
 * for everybody, or a shard each. Returns the buffer of the sum. */
static guint sum_over_ranks(OlGradients *gradients, OlBuilder *builder, guint unit, guint source)
{
  if (!ol_builder_is_sharded(builder, OL_PAYLOAD_MASTER)) {
    ol_builder_add_collective(builder, OL_OP_ALL_REDUCE, OL_PAYLOAD_GRADIENTS, unit, OL_NONE,
                              source, source);
    return source;
  }
  guint sum = ol_ring_take(&gradients->summed);
  OlDraft *scatter = ol_builder_add_collective(builder, OL_OP_REDUCE_SCATTER, OL_PAYLOAD_GRADIENTS,
                                               unit, OL_NONE, source, sum);
  if (builder->homes[unit].accumulator != OL_NONE)
    ol_builder_await_drain(builder, OL_LANE_COMPUTE, scatter);
  return sum;
}

/* The finished whole gradient of all ranks; a clipping norm needs it before its update does. */
static guint sum_whole(OlGradients *gradients, OlBuilder *builder, guint unit)
{
  if (gradients->summed_at && gradients->summed_at[unit] != OL_NONE)
    return (guint)gradients->summed_at[unit];
  const OlUnitHomes *homes = &builder->homes[unit];
  if (homes->accumulator == OL_NONE)
    return sum_over_ranks(gradients, builder, unit, (guint)homes->gradient);
  gboolean fp32 = ol_builder_is_fp32(builder); /* then nothing is rounded */
  guint source = fp32 ? (guint)homes->accumulator : add_cast(gradients, builder, unit);
  return sum_over_ranks(gradients, builder, unit, source);
}

void ol_gradients_add_norm(OlGradients *gradients, OlBuilder *builder, guint unit)
{
  if (gradients->norms == OL_NONE)
    return;
  const OlUnitHomes *homes = &builder->homes[unit];
  int gradient = homes->gradient, accumulator = homes->accumulator;
  if (is_summed_whole(builder)) {
    gradients->summed_at[unit] = OL_NONE;
    gradient = gradients->summed_at[unit] = (int)sum_whole(gradients, builder, unit);
    accumulator = OL_NONE;
  }
  OlLane lane = ol_update_lane(builder->config->placement.gradients);
  OlDraft *norm =
      ol_builder_add_node(builder, OL_OP_NORM, lane, OL_PAYLOAD_GRADIENTS, (int)unit, OL_NONE);
  norm->operands.buffer[OL_OPERAND_GRADIENT] = gradient;
  norm->operands.buffer[OL_OPERAND_ACCUMULATOR] = accumulator;
  norm->operands.buffer[OL_OPERAND_NORMS] = gradients->norms;
}

void ol_gradients_finish_norm(OlGradients *gradients, OlBuilder *builder)
{
  if (gradients->norms != OL_NONE && builder->plan->graph->n_ranks > 1)
    ol_builder_add_norm_exchange(builder, (guint)gradients->norms);
}

OlFinished ol_gradients_bring(OlGradients *gradients, OlBuilder *builder, guint unit)
{
  OlTier home = builder->config->placement.gradients, to = ol_builder_update_tier(builder, unit);
  const OlUnitHomes *homes = &builder->homes[unit];
  gboolean whole_sum = is_summed_whole(builder);
  if (home == to && !whole_sum)
    return (OlFinished){homes->gradient, homes->accumulator, -1};
  guint source = (guint)homes->gradient;
  int filler = -1;
  if (whole_sum) {
    source = sum_whole(gradients, builder, unit);
    filler = OL_LANE_PEER;
  } else if (homes->accumulator != OL_NONE) {
    source = add_cast(gradients, builder, unit);
    filler = (int)ol_update_lane(home);
  }
  if (home == to)
    return (OlFinished){source, OL_NONE, filler};
  OlTrip trip;
  ol_carrier_bring(&gradients->way, builder, unit, OL_NONE, update_bytes(builder, unit), source,
                   home, to, gradients->waiting ? gradients->waiting[unit] : OL_NONE, filler,
                   &trip);
  int lane = to == OL_TIER_HOST ? OL_LANE_GPU_TO_HOST : OL_LANE_HOST_TO_GPU;
  return (OlFinished){trip.stop[to], OL_NONE, gradients->waiting ? -1 : lane};
}

OlFinished ol_gradients_waiting(const OlGradients *gradients, const OlBuilder *builder, guint unit)
{
  const OlUnitHomes *homes = &builder->homes[unit];
  if (gradients->waiting == NULL)
    return (OlFinished){homes->gradient, homes->accumulator, -1};
  return (OlFinished){gradients->waiting[unit], OL_NONE, -1};
}
