#include "engine/plan/estimate.h"

#include "engine/plan/builder.h"

#include <math.h>

/* One rank, and the units of its stage. */
typedef struct {
  const OlRunConfig *config;
  const OlShape *shape;
  guint data_index, stage, slice;
  guint first, end; /* units */
  OlEstimate *estimate;
} Rank;

static OlShard part_of(const Rank *rank, guint unit)
{
  return ol_shape_shard(rank->shape, unit, rank->config->parallel.data, rank->data_index);
}

/* ---- homes ---- */

static void add_home(const Rank *rank, OlTier tier, OlPayload payload, guint unit, guint bytes)
{
  guint64 elements = rank->shape->units[unit].parameters, padding = 0;
  if (ol_plan_is_sharded(rank->config, payload)) {
    OlShard part = part_of(rank, unit);
    elements = part.padded;
    padding = part.padded - part.count;
  }
  rank->estimate->home[tier][payload] += elements * bytes;
  rank->estimate->padding[tier][payload] += padding * bytes;
}

/* Weights and gradients of two bytes (a sum of several micro-batches of four), states of twelve. */
static void add_homes(const Rank *rank, guint unit)
{
  const OlRunConfig *config = rank->config;
  guint e = rank->shape->element_bytes;
  guint on_gpu = (guint)llround(config->optimizer.gpu_fraction * (rank->end - rank->first));
  OlTier states = unit - rank->first < on_gpu ? OL_TIER_GPU : config->placement.optimizer;
  add_home(rank, config->placement.weights, OL_PAYLOAD_WEIGHTS, unit, e);
  add_home(rank, config->placement.gradients, OL_PAYLOAD_GRADIENTS, unit,
           config->batch.micro_batches > 1 ? 4 : e);
  if (config->precision == OL_PRECISION_BF16)
    add_home(rank, states, OL_PAYLOAD_MASTER, unit, 4);
  add_home(rank, states, OL_PAYLOAD_MOMENT1, unit, 4);
  add_home(rank, states, OL_PAYLOAD_MOMENT2, unit, 4);
}

/* ---- activations ---- */

static gboolean is_block(const Rank *rank, guint unit)
{
  return rank->shape->units[unit].kind == OL_UNIT_BLOCK;
}

/* Inside a unit: all of it, all but the attention probabilities, or nothing of a block. */
static guint64 inner_bytes(const Rank *rank, guint unit)
{
  guint64 all = ol_shape_inner_bytes(rank->shape, unit);
  if (!is_block(rank, unit) || rank->config->recompute == OL_RECOMPUTE_NONE)
    return all;
  return rank->config->recompute == OL_RECOMPUTE_FULL
             ? 0
             : all - ol_shape_probabilities_bytes(rank->shape, unit);
}

/* What one micro-batch keeps of a unit: inside, and its output unless the next stage has it. With
 * activations on the host, blocks' insides lie there, or with full recompute their inputs. */
static void add_activations(const Rank *rank, guint unit, guint64 *on_gpu, guint64 *on_host)
{
  gboolean host = rank->config->placement.activations == OL_TIER_HOST;
  gboolean boundaries = rank->config->recompute == OL_RECOMPUTE_FULL;
  guint64 inner = inner_bytes(rank, unit);
  guint64 output = unit + 1 < rank->end ? ol_shape_boundary_bytes(rank->shape, unit) : 0;
  *(host && is_block(rank, unit) ? on_host : on_gpu) += inner;
  *(host && boundaries ? on_host : on_gpu) += output;
}

/* A later stage keeps its input; the last one the targets' ids, too, which the first has anyway. */
static void add_arrivals(const Rank *rank, guint64 *on_gpu)
{
  if (rank->stage == 0)
    return;
  *on_gpu += ol_shape_boundary_bytes(rank->shape, rank->first - 1);
  if (rank->end == rank->shape->n_units)
    *on_gpu += ol_shape_inner_bytes(rank->shape, 0);
}

/* gpipe keeps all micro-batches, 1f1b as many as there are stages from this one on. */
static guint in_flight(const Rank *rank)
{
  guint stages = rank->config->parallel.pipeline, m = rank->config->batch.micro_batches;
  gboolean all = stages > 1 && rank->config->parallel.schedule == OL_SCHEDULE_GPIPE;
  return all ? m : MIN(stages - rank->stage, m);
}

static void estimate_activations(const Rank *rank)
{
  guint64 on_gpu = 0, on_host = 0;
  for (guint u = rank->first; u < rank->end; u++)
    add_activations(rank, u, &on_gpu, &on_host);
  add_arrivals(rank, &on_gpu);
  rank->estimate->kept = on_gpu * in_flight(rank);
  rank->estimate->home[OL_TIER_HOST][OL_PAYLOAD_ACTIVATIONS] = on_host * in_flight(rank);
}

/* ---- traffic ---- */

/* A reduce-scatter brings the rank's part of every other rank's gradient, an all-gather all parts
 * but its own; an all-reduce is both. */
static void add_data_traffic(const Rank *rank, guint unit)
{
  guint ranks = rank->config->parallel.data, zero = rank->config->parallel.zero;
  guint m = rank->config->batch.micro_batches;
  if (ranks == 1)
    return;
  guint64 part = part_of(rank, unit).count, all = rank->shape->units[unit].parameters;
  guint scatters = zero >= 2 ? m : 1;
  guint gathers = zero == 3 ? 2 * m : 1;
  rank->estimate->data +=
      (scatters * part * (ranks - 1) + gathers * (all - part)) * rank->shape->element_bytes;
}

static void estimate_stage_traffic(const Rank *rank)
{
  guint beside = (rank->stage > 0) + (rank->stage + 1 < rank->config->parallel.pipeline);
  rank->estimate->stages =
      (guint64)beside * rank->config->batch.micro_batches * ol_shape_boundary_bytes(rank->shape, 0);
}

/* Two sums a block each way, and one more where it is made again in full: of each the rank's share
 * from all others, and all shares but its own. Shares are of 64 bytes. */
static void estimate_slice_traffic(const Rank *rank)
{
  guint slices = rank->config->parallel.tensor;
  guint sums = rank->config->recompute == OL_RECOMPUTE_FULL ? 5 : 4;
  guint64 all = ol_shape_boundary_bytes(rank->shape, 0), lines = (all + 63) / 64;
  guint64 share = (lines + slices - 1) / slices * 64;
  guint64 first = MIN(rank->slice * share, all), own = MIN(share, all - first);
  for (guint u = rank->first; u < rank->end && slices > 1; u++)
    if (is_block(rank, u))
      rank->estimate->slices +=
          rank->config->batch.micro_batches * sums * (own * (slices - 1) + all - own);
}

static guint64 chunks(guint64 elements)
{
  return (elements + OL_SHARD_ALIGNMENT - 1) / OL_SHARD_ALIGNMENT;
}

/* A sum of 8 bytes for every chunk of another rank's gradients. Where all data ranks have the same
 * gradients, the first makes the sums. */
static void estimate_norm_traffic(const Rank *rank)
{
  const OlRunConfig *config = rank->config;
  guint ranks = config->parallel.data * config->parallel.pipeline * config->parallel.tensor;
  gboolean sharded = ol_plan_is_sharded(config, OL_PAYLOAD_MASTER);
  guint64 others = 0;
  if (config->optimizer.clip_norm == 0 || ranks == 1)
    return;
  for (guint u = 0; u < rank->shape->n_units; u++) {
    guint64 all = rank->shape->units[u].parameters, own = 0;
    if (u >= rank->first && u < rank->end)
      own = sharded ? part_of(rank, u).count : rank->data_index == 0 ? all : 0;
    others += rank->config->parallel.tensor * chunks(all) - chunks(own);
  }
  rank->estimate->norms = 8 * others;
}

OlEstimate ol_estimate(const OlRunConfig *config, guint number)
{
  OlEstimate estimate = {0};
  g_autoptr(OlShape) shape = ol_shape_new(config);
  guint stages = config->parallel.pipeline, stage = number / config->parallel.tensor % stages;
  g_autofree guint *first = g_new(guint, stages + 1);
  ol_stages_divide(shape, stages, first);
  Rank rank = {.config = config,
               .shape = shape,
               .data_index = ol_plan_data_index(config, number),
               .stage = stage,
               .slice = ol_plan_slice(config, number),
               .first = first[stage],
               .end = first[stage + 1],
               .estimate = &estimate};
  for (guint u = rank.first; u < rank.end; u++) {
    add_homes(&rank, u);
    add_data_traffic(&rank, u);
  }
  estimate_activations(&rank);
  estimate_stage_traffic(&rank);
  estimate_slice_traffic(&rank);
  estimate_norm_traffic(&rank);
  return estimate;
}

/* ---- formulas of the papers ---- */

double ol_estimate_zero_bytes(double parameters, guint ranks, guint zero)
{
  static const double whole[] = {16, 4, 2, 0}, sharded[] = {0, 12, 14, 16};
  g_return_val_if_fail(zero < G_N_ELEMENTS(whole) && ranks > 0, NAN);
  return whole[zero] * parameters + sharded[zero] * parameters / ranks;
}

double ol_estimate_zero_traffic(double parameters, guint ranks, guint zero)
{
  return (zero == 3 ? 3 : 2) * parameters * (ranks - 1) / ranks;
}

double ol_estimate_bubble(guint stages, guint micro_batches, guint chunks_a_stage)
{
  double idle = stages - 1;
  return idle / ((double)chunks_a_stage * micro_batches + idle);
}
