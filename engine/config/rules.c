/* Rules between keys (contracts.md, "Legal placements"), each with its reason. */
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/config/fields-private.h"
#include "engine/config/plan-size.h"
#include <inttypes.h>

/* The alphabet of generated sums: OL_TASK_SUMS_VOCABULARY of the model room, which lies above this
 * one; a test holds them equal. */
#define SUMS_VOCABULARY 16

/* Weights, or activations of one micro-batch, in numbers. At full size (thousands of times more)
 * and 4 B each that still fits 63 bits. */
#define MOST_NUMBERS ((double)(G_GUINT64_CONSTANT(1) << 44))
#define MOST_RANKS   4096

static void heads_divide_width(const OlRunConfig *config, OlFaults *faults)
{
  if (config->model.width % config->model.heads != 0)
    ol_faults_add(faults, "model.heads", _("must divide model.width: %u does not divide %u"),
                  config->model.heads, config->model.width);
}

static void model_has_bounds(const OlRunConfig *config, OlFaults *faults)
{
  double layers = config->model.layers, width = config->model.width;
  double sequence = config->model.sequence, tokens = sequence * config->batch.micro_batch;
  double weights =
      12 * layers * width * width + width * (sequence + 2.0 * config->model.vocabulary);
  double activations = layers * (16 * tokens * width + config->model.heads * sequence * tokens) +
                       tokens * config->model.vocabulary;
  if (weights > MOST_NUMBERS)
    ol_faults_add(faults, "model", _("%.3g weights are more than the 2^44 that the lab can plan"),
                  weights);
  if (activations > MOST_NUMBERS)
    ol_faults_add(faults, "batch.micro_batch",
                  _("%.3g activations a micro-batch are more than the 2^44 that the lab can plan; "
                    "shorten model.sequence or batch.micro_batch"),
                  activations);
}

static void sums_have_an_alphabet(const OlRunConfig *config, OlFaults *faults)
{
  if (config->task.kind == OL_TASK_SUMS && config->model.vocabulary < SUMS_VOCABULARY)
    ol_faults_add(faults, "model.vocabulary", _("task \"sums\" needs at least %d; it is %u"),
                  SUMS_VOCABULARY, config->model.vocabulary);
}

static void text_has_a_file(const OlRunConfig *config, OlFaults *faults)
{
  if (config->task.kind == OL_TASK_TEXT && !config->task.file)
    ol_faults_add(faults, "task.file", _("task \"text\" needs the name of a text file"));
  if (config->task.kind == OL_TASK_SUMS && config->task.file)
    ol_faults_add(faults, "task.file",
                  _("only task \"text\" reads a file; set task.kind to text, or this to null"));
}

static void no_gradients_on_disk(const OlRunConfig *config, OlFaults *faults)
{
  if (config->placement.gradients == OL_TIER_NVME)
    ol_faults_add(
        faults, "placement.gradients",
        _("must be \"gpu\" or \"host\"; nvme is refused: a gradient is read by the update "
          "of the same step, so a disk would only lengthen its way"));
}

static void states_lie_with_the_updater(const OlRunConfig *config, OlFaults *faults)
{
  if (config->placement.optimizer == OL_TIER_GPU && config->optimizer.runs_on == OL_RUNS_ON_HOST)
    ol_faults_add(
        faults, "optimizer.runs_on",
        _("must be \"gpu\" while placement.optimizer is gpu: a host update would have to "
          "fetch all states from the GPU and send them back; set optimizer.runs_on to gpu "
          "too"));
}

static void gpu_states_have_company(const OlRunConfig *config, OlFaults *faults)
{
  static const char *const reason =
      N_("must be \"gpu\" while placement.optimizer is gpu: the update "
         "there needs weights and gradients beside its states");
  if (config->placement.optimizer != OL_TIER_GPU)
    return;
  if (config->placement.gradients == OL_TIER_HOST)
    ol_faults_add(faults, "placement.gradients", "%s", _(reason));
  if (config->placement.weights != OL_TIER_GPU)
    ol_faults_add(faults, "placement.weights", "%s", _(reason));
}

/* A fraction of what is there already would change nothing and look as if it did. */
static void gpu_fraction_is_brought_back(const OlRunConfig *config, OlFaults *faults)
{
  if (config->placement.optimizer == OL_TIER_GPU && config->optimizer.gpu_fraction > 0)
    ol_faults_add(
        faults, "optimizer.gpu_fraction",
        _("must be 0 while placement.optimizer is gpu: it is the share of units that stay "
          "there when the others' states lie elsewhere"));
}

static void fp32_stays_on_gpu(const OlRunConfig *config, OlFaults *faults)
{
  if (config->precision != OL_PRECISION_FP32)
    return;
  if (config->placement.optimizer != OL_TIER_GPU || config->placement.weights != OL_TIER_GPU)
    ol_faults_add(
        faults, "placement.optimizer",
        _("with precision fp32 optimizer and weights must both be \"gpu\": the weights are "
          "their own master copy and cannot lie in two places"));
}

static void delayed_has_overlap(const OlRunConfig *config, OlFaults *faults)
{
  if (config->optimizer.delayed && config->overlap.prefetch == 0)
    ol_faults_add(
        faults, "optimizer.delayed",
        _("must be false while overlap.prefetch is 0: then nothing may lie under the next "
          "step"));
}

static void delayed_lies_on_the_host(const OlRunConfig *config, OlFaults *faults)
{
  if (!config->optimizer.delayed)
    return;
  if (config->optimizer.runs_on == OL_RUNS_ON_GPU || config->optimizer.gpu_fraction > 0)
    ol_faults_add(
        faults, "optimizer.delayed",
        _("must be false while any unit is updated on the GPU: an update there cannot lie "
          "under the next step's compute; set optimizer.runs_on to host and "
          "optimizer.gpu_fraction to 0"));
}

static void blocks_are_aligned(const OlRunConfig *config, OlFaults *faults)
{
  if (config->hardware.nvme_block_kib % 4 != 0)
    ol_faults_add(faults, "hardware.nvme_block_kib",
                  _("must be a multiple of 4, as a drive's blocks are aligned; it is %u"),
                  config->hardware.nvme_block_kib);
}

/* What is whole on every rank is summed and gathered between GPUs, so it must lie there. */
static void replicas_lie_on_gpus(const OlRunConfig *config, OlFaults *faults)
{
  if (config->parallel.data == 1)
    return;
  if (config->parallel.zero < 2 && config->placement.gradients != OL_TIER_GPU)
    ol_faults_add(
        faults, "placement.gradients",
        _("must be \"gpu\" with several data ranks and ZeRO %u: whole gradients are summed "
          "between GPUs; set parallel.zero to 2 or 3 to keep a shard on the host"),
        config->parallel.zero);
  if (config->parallel.zero < 3 && config->placement.weights != OL_TIER_GPU)
    ol_faults_add(
        faults, "placement.weights",
        _("must be \"gpu\" with several data ranks and ZeRO %u: whole weights are gathered "
          "between GPUs; set parallel.zero to 3 to keep a shard elsewhere"),
        config->parallel.zero);
}

static void cuda_keeps_real_time(const OlRunConfig *config, OlFaults *faults)
{
  if (config->hardware.device == OL_DEVICE_CUDA && config->hardware.clock == OL_CLOCK_SCALE)
    ol_faults_add(
        faults, "hardware.clock",
        _("must be null or \"machine\" on device cuda: a real GPU cannot be slowed to scale"));
}

static void ranks_have_bounds(const OlRunConfig *config, OlFaults *faults)
{
  guint64 sheets = (guint64)config->parallel.data * config->parallel.tensor;
  guint64 ranks = sheets * config->parallel.pipeline;
  if (ranks > MOST_RANKS)
    ol_faults_add(faults, "parallel",
                  _("data × tensor × pipeline must be at most %u ranks; it is %" PRIu64),
                  MOST_RANKS, ranks);
}

static void plan_has_bounds(const OlRunConfig *config, OlFaults *faults)
{
  double bytes = ol_plan_size_bytes(config);
  g_autofree char *asked = ol_measure_dup_bytes(bytes);
  g_autofree char *most = ol_measure_dup_bytes(OL_PLAN_SIZE_MOST_BYTES);
  if (bytes > OL_PLAN_SIZE_MOST_BYTES)
    ol_faults_add(
        faults, "batch.micro_batches",
        _("the plan of a step would take up to %s of this machine's memory, and at most %s "
          "are planned: it grows with batch.micro_batches × model.layers × parallel.data × "
          "parallel.tensor; make one of them smaller"),
        asked, most);
}

static void slices_are_whole(const OlRunConfig *config, OlFaults *faults)
{
  if (config->model.heads % config->parallel.tensor != 0)
    ol_faults_add(faults, "parallel.tensor", _("must divide model.heads: %u does not divide %u"),
                  config->parallel.tensor, config->model.heads);
}

static void stages_have_layers(const OlRunConfig *config, OlFaults *faults)
{
  guint64 stages = (guint64)config->parallel.pipeline * config->parallel.chunks;
  if (stages > config->model.layers)
    ol_faults_add(faults, "parallel.pipeline",
                  _("pipeline × chunks must be at most model.layers, %u; it is %" PRIu64),
                  config->model.layers, stages);
}

/* Chunks and interleaving are one thing: a rank's stages lie apart in the model, and micro-batches
 * come round to it once for each. */
static void interleaved_has_chunks(const OlRunConfig *config, OlFaults *faults)
{
  gboolean interleaved = config->parallel.schedule == OL_SCHEDULE_INTERLEAVED;
  if (interleaved && config->parallel.pipeline == 1)
    ol_faults_add(faults, "parallel.schedule",
                  _("must be gpipe or 1f1b while parallel.pipeline is 1: one rank has nothing to "
                    "interleave with; set parallel.pipeline to 2 or more for interleaved"));
  else if (interleaved && config->parallel.chunks == 1)
    ol_faults_add(
        faults, "parallel.chunks",
        _("must be 2 or more with parallel.schedule interleaved: a rank with one chunk has "
          "nothing to interleave; set parallel.schedule to 1f1b for that"));
  if (!interleaved && config->parallel.chunks > 1)
    ol_faults_add(faults, "parallel.chunks",
                  _("must be 1 unless parallel.schedule is interleaved: the other schedules give a "
                    "rank one stage; it is %u"),
                  config->parallel.chunks);
}

/* 2104.04473 section 2.2: a group of micro-batches, one for each rank, goes through a chunk before
 * the first of them is back for the next. */
static void interleaved_has_whole_groups(const OlRunConfig *config, OlFaults *faults)
{
  if (config->parallel.schedule == OL_SCHEDULE_INTERLEAVED &&
      config->batch.micro_batches % config->parallel.pipeline != 0)
    ol_faults_add(
        faults, "batch.micro_batches",
        _("must be a multiple of parallel.pipeline, %u, with parallel.schedule "
          "interleaved, as micro-batches go from chunk to chunk in groups of one for each "
          "rank; it is %u"),
        config->parallel.pipeline, config->batch.micro_batches);
}

#define MOST_KEYS 12

static const struct {
  void (*check)(const OlRunConfig *config, OlFaults *faults);
  const char *keys[MOST_KEYS]; /* that it reads */
} rules[] = {
    {heads_divide_width, {"model.width", "model.heads"}},
    {model_has_bounds,
     {"model.layers", "model.width", "model.heads", "model.sequence", "model.vocabulary",
      "batch.micro_batch"}},
    {sums_have_an_alphabet, {"task.kind", "model.vocabulary"}},
    {text_has_a_file, {"task.kind", "task.file"}},
    {no_gradients_on_disk, {"placement.gradients"}},
    {states_lie_with_the_updater, {"placement.optimizer", "optimizer.runs_on"}},
    {gpu_states_have_company, {"placement.optimizer", "placement.gradients", "placement.weights"}},
    {gpu_fraction_is_brought_back, {"placement.optimizer", "optimizer.gpu_fraction"}},
    {fp32_stays_on_gpu, {"precision", "placement.optimizer", "placement.weights"}},
    {delayed_has_overlap, {"optimizer.delayed", "overlap.prefetch"}},
    {delayed_lies_on_the_host,
     {"optimizer.delayed", "optimizer.runs_on", "optimizer.gpu_fraction"}},
    {blocks_are_aligned, {"hardware.nvme_block_kib"}},
    {replicas_lie_on_gpus,
     {"parallel.data", "parallel.zero", "placement.gradients", "placement.weights"}},
    {cuda_keeps_real_time, {"hardware.device", "hardware.clock"}},
    {ranks_have_bounds, {"parallel.data", "parallel.tensor", "parallel.pipeline"}},
    {plan_has_bounds,
     {"parallel.data", "parallel.tensor", "parallel.pipeline", "parallel.chunks", "parallel.zero",
      "model.layers", "batch.micro_batches", "placement.weights", "placement.gradients",
      "placement.activations", "recompute", "overlap.order"}},
    {slices_are_whole, {"parallel.tensor", "model.heads"}},
    {interleaved_has_chunks, {"parallel.schedule", "parallel.pipeline", "parallel.chunks"}},
    {interleaved_has_whole_groups,
     {"parallel.schedule", "parallel.pipeline", "batch.micro_batches"}},
    {stages_have_layers, {"parallel.pipeline", "parallel.chunks", "model.layers"}},
};

void ol_rules_check(const OlRunConfig *config, OlFaults *faults)
{
  for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
    gboolean known = TRUE;
    for (guint k = 0; k < MOST_KEYS && rules[i].keys[k]; k++)
      known &= !ol_faults_has(faults, rules[i].keys[k]);
    if (known)
      rules[i].check(config, faults);
  }
}
