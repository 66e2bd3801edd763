/* A small reader of a DeepSpeed JSON, for recipes shown beside a run: what it says about ZeRO,
 * offloading, the drive and the batch, and which keys of the lab mean the same.
 *
 * Comments (//, slash-star, #) and trailing commas are allowed, as DeepSpeed allows them. A key of
 * the wrong type or beyond its range is an error with its key path. A key that changes nothing in
 * the lab, or not all that it asks for, is listed in `unused` with the reason, so that nothing is
 * dropped in silence.
 *
 * Names, defaults and ranges: DeepSpeed's docs/_pages/config-json.md, runtime/zero/config.py and
 * runtime/zero/offload_config.py. "auto" is allowed where the Hugging Face Trainer fills it in and
 * the lab has a value of its own: the batch, gradient_clipping and bf16 and fp16 enabled. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum {
  OL_DEEPSPEED_NONE,
  OL_DEEPSPEED_CPU,
  OL_DEEPSPEED_NVME,
} OlDeepSpeedDevice;

typedef struct {
  char *path; /* "zero_optimization.sub_group_size"; of an unknown object, the object's */
  char *why;  /* why it changes nothing in the lab */
} OlDeepSpeedUnused;

typedef struct {
  guint stage; /* zero_optimization.stage, 0 … 3 */
  struct {
    OlDeepSpeedDevice device;
    char *nvme_path; /* NULL: left out */
    gboolean pin_memory;
    guint buffer_count; /* tensors that the pool holds: Adam needs 4 a tile */
    gboolean pipeline_read, pipeline_write, fast_init;
    double ratio; /* share of the states that the CPU updates, 0 … 1 */
  } offload_optimizer;
  struct {
    OlDeepSpeedDevice device;
    char *nvme_path;
    gboolean pin_memory;
    guint buffer_count;
    guint64 buffer_size; /* elements */
  } offload_param;
  struct {
    guint64 block_size; /* bytes */
    guint queue_depth, intra_op_parallelism;
    gboolean single_submit, overlap_events;
  } aio;
  double gradient_clipping;             /* -1: left out or "auto" */
  guint gradient_accumulation_steps;    /* 0: left out or "auto" */
  guint train_micro_batch_size_per_gpu; /* the same */
  int bf16, fp16;                       /* enabled: 1, 0, or -1: left out or "auto" */

  OlDeepSpeedUnused *unused; /* in the file's order */
  guint n_unused;
} OlDeepSpeed;

/* Parses `text` (`length` bytes, -1: to the NUL). `where` names the source in messages.
 * OL_ERROR_BAD_INPUT with every fault found, one line each; NULL on error. Refused as by DeepSpeed:
 * offload_optimizer at stage 0, on nvme below stage 3, a ratio below 1 below stage 3, bf16 and fp16
 * together. Refused by the lab alone: one setting under its newer and its older name. */
OlDeepSpeed *ol_deepspeed_parse(const char *text, gssize length, const char *where, GError **error);
void ol_deepspeed_free(OlDeepSpeed *deepspeed);

/* The lab's keys that it means, for ol_run_config_with(), which checks them with the config that
 * they change. Caller unrefs.
 *
 *   parallel.zero           stage
 *   placement.optimizer     offload_optimizer.device: none gpu, cpu host, nvme nvme
 *   optimizer.runs_on       host when offloaded, wherever the states lie ("optimizer computation is
 *                           offload to CPU regardless of device option", offload_config.py)
 *   placement.gradients     host when offloaded at stage 2 or 3: each leaves the GPU as soon as it
 *                           is reduced (ZeRO-Offload, arXiv 2101.06840, section 4); else gpu
 *   placement.weights       offload_param.device, at stage 3 only (docs: "Valid only with stage 3")
 *   optimizer.gpu_fraction  1 - ratio, at stage 3 (ZeRO-Offload++, "Twin-Flow"); else 0
 *   overlap.pinned          pin_memory of all blocks that offload: the lab pins all copies or none
 *   overlap.prefetch        with nvme states: pipeline_read, "overlap read of next tile with
 *                           computation of current tile", is 1 ahead, or as many as the pool holds
 *                           beside the current one: buffer_count / 4 - 1. Without pipeline_read 0,
 *                           which in the lab serialises the rest of the step too
 *   overlap.write_back      with nvme states: pipeline_write
 *   hardware.nvme_block_kib, hardware.nvme_depth
 *                           aio.block_size and aio.queue_depth, when anything lies on nvme
 *   optimizer.clip_norm, batch.micro_batch, batch.micro_batches
 *                           gradient_clipping, train_micro_batch_size_per_gpu,
 *                           gradient_accumulation_steps, each when it is given
 *   precision               bf16 when bf16 or fp16 is enabled (as many bytes); fp32 when one is
 *                           given and none enabled
 *
 * nvme_path is not taken: a recipe from elsewhere must not choose where the lab writes. That is
 * hardware.nvme_folder. */
JsonObject *ol_deepspeed_to_set(const OlDeepSpeed *deepspeed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlDeepSpeed, ol_deepspeed_free)

G_END_DECLS
