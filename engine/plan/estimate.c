#include "engine/plan/estimate.h"

#include "engine/plan/builder.h"

#include <math.h>

/* One rank, and its units. */
typedef struct {
  const OlRunConfig *config;
  const OlShape *shape;
  guint data_index, stage, slice;
  const OlChunk *chunks; /* [parallel.chunks] */
  OlEstimate *estimate;
} Rank;

static guint count_units(const Rank *rank)
{
  const OlChunk *last = &rank->chunks[rank->config->parallel.chunks - 1];
  return last->before + last->end - last->first;
}

static guint nth_unit(const Rank *rank, guint n)
{
  const OlChunk *chunk = rank->chunks;
  while (n >= chunk->before + chunk->end - chunk->first)
    chunk++;
  return chunk->first + n - chunk->before;
}

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
static void add_homes(const Rank *rank, guint unit, guint place)
{
  const OlRunConfig *config = rank->config;
  guint e = rank->shape->element_bytes;
  guint on_gpu = (guint)llround(config->optimizer.gpu_fraction * count_units(rank));
  OlTier states = place < on_gpu ? OL_TIER_GPU : config->placement.optimizer;
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

/* Bytes that one micro-batch keeps of a chunk, from its forward to its backward. */
typedef struct {
  guint64 on_gpu, on_host;
} Kept;

/* Of a unit: inside, and its output unless the next stage has it. With activations on the host,
 * blocks' insides lie there, or with full recompute their inputs. */
static void add_activations(const Rank *rank, const OlChunk *chunk, guint unit, Kept *kept)
{
  gboolean host = rank->config->placement.activations == OL_TIER_HOST;
  gboolean boundaries = rank->config->recompute == OL_RECOMPUTE_FULL;
  guint64 inner = inner_bytes(rank, unit);
  guint64 output = unit + 1 < chunk->end ? ol_shape_boundary_bytes(rank->shape, unit) : 0;
  *(host && is_block(rank, unit) ? &kept->on_host : &kept->on_gpu) += inner;
  *(host && boundaries ? &kept->on_host : &kept->on_gpu) += output;
}

/* A later stage keeps its input; the last one the targets' ids, too, which the first has anyway. */
static Kept kept_of(const Rank *rank, const OlChunk *chunk)
{
  Kept kept = {0};
  for (guint u = chunk->first; u < chunk->end; u++)
    add_activations(rank, chunk, u, &kept);
  if (chunk->first > 0)
    kept.on_gpu += ol_shape_boundary_bytes(rank->shape, chunk->first - 1);
  if (chunk->first > 0 && chunk->end == rank->shape->n_units)
    kept.on_gpu += ol_shape_inner_bytes(rank->shape, 0);
  return kept;
}

/* Forwards before the first backward (2104.04473 section 2.2). */
static guint forwards_ahead(const Rank *rank)
{
  guint p = rank->config->parallel.pipeline, v = rank->config->parallel.chunks;
  guint m = rank->config->batch.micro_batches, after = p - 1 - rank->stage;
  if (p > 1 && rank->config->parallel.schedule == OL_SCHEDULE_GPIPE)
    return m - 1;
  return MIN(m * v - 1, v == 1 ? after : 2 * after + (v - 1) * p);
}

/* Of the first n turns of a direction those of its i-th chunk: p micro-batches go through chunk
 * after chunk, then the next p. */
static guint turns_of_chunk(const Rank *rank, guint i, guint n)
{
  guint p = rank->config->parallel.pipeline, group = p * rank->config->parallel.chunks;
  guint rest = n % group;
  return n / group * p + (rest > i * p ? MIN(rest - i * p, p) : 0);
}

/* Micro-batches between their forward and backward once `backwards` were, and one forward more than
 * runs ahead of them. */
static guint in_flight(const Rank *rank, guint chunk, guint backwards)
{
  guint v = rank->config->parallel.chunks;
  return turns_of_chunk(rank, chunk, backwards + forwards_ahead(rank) + 1) -
         turns_of_chunk(rank, v - 1 - chunk, backwards);
}

/* After a round through all chunks it is all the same again. */
static void estimate_activations(const Rank *rank)
{
  guint v = rank->config->parallel.chunks, round = v * rank->config->parallel.pipeline;
  guint pairs = v * rank->config->batch.micro_batches - forwards_ahead(rank);
  g_autofree guint *most = g_new0(guint, v);
  for (guint i = 0; i < MIN(round, pairs); i++) {
    guint64 kept = 0;
    for (guint c = 0; c < v; c++) {
      guint now = in_flight(rank, c, i);
      kept += now * kept_of(rank, &rank->chunks[c]).on_gpu;
      most[c] = MAX(most[c], now);
    }
    rank->estimate->kept = MAX(rank->estimate->kept, kept);
  }
  for (guint c = 0; c < v; c++)
    rank->estimate->home[OL_TIER_HOST][OL_PAYLOAD_ACTIVATIONS] +=
        most[c] * kept_of(rank, &rank->chunks[c]).on_host;
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
  guint messages = 0;
  for (guint c = 0; c < rank->config->parallel.chunks; c++)
    messages += (rank->chunks[c].first > 0) + (rank->chunks[c].end < rank->shape->n_units);
  rank->estimate->stages = (guint64)messages * rank->config->batch.micro_batches *
                           ol_shape_boundary_bytes(rank->shape, 0);
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
  for (guint i = 0; i < count_units(rank) && slices > 1; i++)
    if (is_block(rank, nth_unit(rank, i)))
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
  for (guint u = 0; u < rank->shape->n_units; u++)
    others += config->parallel.tensor * chunks(rank->shape->units[u].parameters);
  for (guint i = 0; i < count_units(rank); i++) {
    guint64 all = rank->shape->units[nth_unit(rank, i)].parameters;
    others -= chunks(sharded                 ? part_of(rank, nth_unit(rank, i)).count
                     : rank->data_index == 0 ? all
                                             : 0);
  }
  rank->estimate->norms = 8 * others;
}

OlEstimate ol_estimate(const OlRunConfig *config, guint number)
{
  OlEstimate estimate = {0};
  g_autoptr(OlShape) shape = ol_shape_new(config);
  guint stage = number / config->parallel.tensor % config->parallel.pipeline;
  g_autofree OlChunk *its = ol_stages_dup_chunks(shape, config, stage);
  Rank rank = {.config = config,
               .shape = shape,
               .data_index = ol_plan_data_index(config, number),
               .stage = stage,
               .slice = ol_plan_slice(config, number),
               .chunks = its,
               .estimate = &estimate};
  for (guint i = 0; i < count_units(&rank); i++) {
    add_homes(&rank, nth_unit(&rank, i), i);
    add_data_traffic(&rank, nth_unit(&rank, i));
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
