#include "engine/config/deepspeed-keys-private.h"

#include "engine/base/intl.h"

#define OL_FIELDS_OF OlDeepSpeed
#include "engine/config/field-rows-private.h"

#include <string.h>

#define OPTIMIZER "zero_optimization.offload_optimizer."
#define PARAM     "zero_optimization.offload_param."

#define MOST_DEPTH 256   /* that hardware.nvme_depth allows */
#define MOST_PAGES 16384 /* of 4 KiB: the 64 MiB that hardware.nvme_block_kib allows */

gboolean ol_deepspeed_offloads_optimizer(const OlDeepSpeed *deepspeed)
{
  return deepspeed->offload_optimizer.device != OL_DEEPSPEED_NONE;
}

gboolean ol_deepspeed_offloads_weights(const OlDeepSpeed *deepspeed)
{
  return deepspeed->stage == 3 && deepspeed->offload_param.device != OL_DEEPSPEED_NONE;
}

gboolean ol_deepspeed_states_on_nvme(const OlDeepSpeed *deepspeed)
{
  return deepspeed->offload_optimizer.device == OL_DEEPSPEED_NVME;
}

gboolean ol_deepspeed_is_pinned(const OlDeepSpeed *deepspeed)
{
  gboolean pinned = TRUE;
  if (ol_deepspeed_offloads_optimizer(deepspeed))
    pinned &= deepspeed->offload_optimizer.pin_memory;
  if (ol_deepspeed_offloads_weights(deepspeed))
    pinned &= deepspeed->offload_param.pin_memory;
  return pinned;
}

guint ol_deepspeed_drive_depth(const OlDeepSpeed *deepspeed)
{
  return CLAMP(deepspeed->aio.queue_depth, 1, MOST_DEPTH);
}

guint ol_deepspeed_drive_block_kib(const OlDeepSpeed *deepspeed)
{
  guint64 pages = (deepspeed->aio.block_size + 4095) / 4096;
  return (guint)CLAMP(pages, 1, MOST_PAGES) * 4;
}

static gboolean always(const OlDeepSpeed *deepspeed)
{
  return TRUE;
}

static gboolean at_stage_3(const OlDeepSpeed *deepspeed)
{
  return deepspeed->stage == 3;
}

static gboolean states_pinned_as_asked(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_offloads_optimizer(deepspeed) &&
         deepspeed->offload_optimizer.pin_memory == ol_deepspeed_is_pinned(deepspeed);
}

static gboolean weights_pinned_as_asked(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_offloads_weights(deepspeed) &&
         deepspeed->offload_param.pin_memory == ol_deepspeed_is_pinned(deepspeed);
}

static gboolean reads_ahead(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_states_on_nvme(deepspeed) && deepspeed->offload_optimizer.pipeline_read;
}

/* What it gives the lab is then what was asked for, to the block. */
static gboolean depth_is_taken(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_uses_nvme(deepspeed) &&
         ol_deepspeed_drive_depth(deepspeed) == deepspeed->aio.queue_depth;
}

static gboolean block_is_taken(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_uses_nvme(deepspeed) &&
         (guint64)ol_deepspeed_drive_block_kib(deepspeed) * 1024 == deepspeed->aio.block_size;
}

static gboolean shares_the_update(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_offloads_optimizer(deepspeed) && deepspeed->stage == 3;
}

static gboolean fp16_is_off(const OlDeepSpeed *deepspeed)
{
  return deepspeed->fp16 != TRUE;
}

gboolean ol_deepspeed_uses_nvme(const OlDeepSpeed *deepspeed)
{
  return ol_deepspeed_states_on_nvme(deepspeed) ||
         (ol_deepspeed_offloads_weights(deepspeed) &&
          deepspeed->offload_param.device == OL_DEEPSPEED_NVME);
}

static const char *const devices[] = {"none", "cpu", "nvme"};

static const char why_pinned[] = N_(
    "the lab pins all copies or none, and only for what is offloaded: overlap.pinned is true when "
    "every block that offloads asks for it");
static const char why_nvme[] = N_("it matters with device nvme only");
static const char why_depth[] =
    N_("it matters with device nvme only; the lab has at most 256 blocks in flight each way");
static const char why_block[] =
    N_("it matters with device nvme only; the lab's blocks are whole 4 KiB, 64 MiB at most");
static const char why_folder[] =
    N_("a recipe does not choose where the lab writes: set hardware.nvme_folder");
static const char why_ring[] =
    N_("the lab's rings hold whole units, not tensors: overlap.prefetch");
static const char why_drive[] = N_("the lab chooses how it drives its own disk");
static const char why_scale[] = N_("the lab's bf16 needs no loss scale");
static const char why_units[] =
    N_("the lab moves whole units: a block's weights, gradients or states");

static const OlDeepSpeedKey keys[] = {
    {COUNT("zero_optimization.stage", stage, 0, 3), FALSE, always, NULL},

    {CHOICE(OPTIMIZER "device", offload_optimizer.device, devices), FALSE, always, NULL},
    {TEXT(OPTIMIZER "nvme_path", offload_optimizer.nvme_path, TRUE, 4096), FALSE, NULL, why_folder},
    {FLAG(OPTIMIZER "pin_memory", offload_optimizer.pin_memory), FALSE, states_pinned_as_asked,
     why_pinned},
    {COUNT(OPTIMIZER "buffer_count", offload_optimizer.buffer_count, 0, 1e6), FALSE, reads_ahead,
     N_("it matters with device nvme and pipeline_read only; the lab always has the slots it "
        "needs")},
    {FLAG(OPTIMIZER "pipeline_read", offload_optimizer.pipeline_read), FALSE,
     ol_deepspeed_states_on_nvme, why_nvme},
    {FLAG(OPTIMIZER "pipeline_write", offload_optimizer.pipeline_write), FALSE,
     ol_deepspeed_states_on_nvme, why_nvme},
    {FLAG(OPTIMIZER "fast_init", offload_optimizer.fast_init), FALSE, NULL,
     N_("the lab fills the drive before the first step and counts no time for it")},
    {NUMBER(OPTIMIZER "ratio", offload_optimizer.ratio, 0, 1), FALSE, shares_the_update,
     N_("it shares an offloaded update between CPU and GPU, at stage 3 only")},

    {CHOICE(PARAM "device", offload_param.device, devices), FALSE, at_stage_3,
     N_("weights are offloaded at stage 3 only")},
    {TEXT(PARAM "nvme_path", offload_param.nvme_path, TRUE, 4096), FALSE, NULL, why_folder},
    {FLAG(PARAM "pin_memory", offload_param.pin_memory), FALSE, weights_pinned_as_asked,
     why_pinned},
    {COUNT(PARAM "buffer_count", offload_param.buffer_count, 0, 1e6), FALSE, NULL, why_ring},
    {LARGE_COUNT(PARAM "buffer_size", offload_param.buffer_size, 0, 1e15), FALSE, NULL, why_ring},

    {LARGE_COUNT("aio.block_size", aio.block_size, 1, 1e12), FALSE, block_is_taken, why_block},
    {COUNT("aio.queue_depth", aio.queue_depth, 1, 1e6), FALSE, depth_is_taken, why_depth},
    {COUNT("aio.intra_op_parallelism", aio.intra_op_parallelism, 1, 4096), FALSE, NULL, why_drive},
    /* its older name */
    {COUNT("aio.thread_count", aio.intra_op_parallelism, 1, 4096), FALSE, NULL, why_drive},
    {FLAG("aio.single_submit", aio.single_submit), FALSE, NULL, why_drive},
    {FLAG("aio.overlap_events", aio.overlap_events), FALSE, NULL, why_drive},

    {NUMBER("gradient_clipping", gradient_clipping, 0, 1e6), TRUE, always, NULL},
    {COUNT("gradient_accumulation_steps", gradient_accumulation_steps, 1, 1e6), TRUE, always, NULL},
    {COUNT("train_micro_batch_size_per_gpu", train_micro_batch_size_per_gpu, 1, 1e6), TRUE, always,
     NULL},
    {FLAG("bf16.enabled", bf16), TRUE, always, NULL},
    {FLAG("bfloat16.enabled", bf16), TRUE, always, NULL}, /* its older name */
    {FLAG("fp16.enabled", fp16), TRUE, fp16_is_off,
     N_("the lab's 16 bits are bf16: as many bytes, and no loss scale")},
};

/* Keys that are met in many recipes; the rest has no reason of its own. */
static const struct {
  const char *path, *why;
} not_read[] = {
    {"train_batch_size", N_("it follows from micro-batch, accumulation steps and ranks")},
    {"optimizer", N_("the lab trains with AdamW: set optimizer.learning_rate and its neighbours")},
    {"scheduler", N_("the lab keeps the learning rate constant")},
    {"activation_checkpointing", N_("in the lab that is recompute and placement.activations")},
    {"fp16.loss_scale", why_scale},
    {"fp16.initial_scale_power", why_scale},
    {"fp16.loss_scale_window", why_scale},
    {"fp16.hysteresis", why_scale},
    {"fp16.min_loss_scale", why_scale},
    {"steps_per_print", N_("the lab records every step")},
    {"wall_clock_breakdown", N_("the lab records every node of every step")},
    {"zero_optimization.overlap_comm", N_("in the lab that is overlap.prefetch")},
    {"zero_optimization.sub_group_size", why_units},
    {"zero_optimization.reduce_bucket_size", why_units},
    {"zero_optimization.allgather_bucket_size", why_units},
    {"zero_optimization.stage3_prefetch_bucket_size", why_units},
    {"zero_optimization.stage3_max_live_parameters", why_units},
    {"zero_optimization.stage3_max_reuse_distance", why_units},
    {"zero_optimization.stage3_param_persistence_threshold", N_("the lab moves tiny tensors too")},
    {"zero_optimization.cpu_offload",
     N_("an old spelling: write \"offload_optimizer\": {\"device\": "
        "\"cpu\"}")},
    {"zero_optimization.cpu_offload_param",
     N_("an old spelling: write \"offload_param\": {\"device\": \"cpu\"}")},
    {PARAM "max_in_cpu", why_ring},
};

const OlDeepSpeedKey *ol_deepspeed_key_find(const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
    if (strcmp(keys[i].field.path, path) == 0)
      return &keys[i];
  return NULL;
}

static gboolean is_block_of(const char *path, const char *key)
{
  gsize length = strlen(path);
  return strncmp(key, path, length) == 0 && key[length] == '.';
}

gboolean ol_deepspeed_is_block(const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
    if (is_block_of(path, keys[i].field.path))
      return TRUE;
  return FALSE;
}

/* Where `word` stands in a key that is read: "zero_optimization.offload_param" for "offload_param",
 * the whole key for its last word. NULL when in none. */
static char *dup_right_place(const char *word)
{
  gsize length = strlen(word);
  for (guint i = 0; length > 0 && i < G_N_ELEMENTS(keys); i++) {
    const char *path = keys[i].field.path;
    for (const char *at = path; at; at = strchr(at, '.')) {
      at += *at == '.';
      if (strncmp(at, word, length) == 0 && (at[length] == '.' || at[length] == '\0'))
        return g_strndup(path, at + length - path);
    }
  }
  return NULL;
}

char *ol_deepspeed_dup_why_not_read(const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS(not_read); i++)
    if (strcmp(not_read[i].path, path) == 0)
      return g_strdup(_(not_read[i].why));
  const char *quoted = strchr(path, '"');
  if (quoted)
    return g_strdup(strchr(quoted, '.')
                        ? _("a dot in a key is no path: write the key inside its block")
                        : _("a key without a name means nothing"));
  const char *point = strrchr(path, '.');
  g_autofree char *place = dup_right_place(point ? point + 1 : path);
  if (place)
    return g_strdup_printf(_("it is unknown here; did you mean %s?"), place);
  return g_strdup(_("the lab has no such setting"));
}
