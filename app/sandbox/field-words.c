#include "app/sandbox/field-words.h"

#include "engine/base/intl.h"
#include <string.h>

#define NO_SLIDER 0, 0, 0

static const OlFieldWords rows[] = {
    {"model.layers", OL_FORM_MODEL, N_("Layers"), NULL, NULL, 1, 48, 128, FALSE},
    {"model.width", OL_FORM_MODEL, N_("Width"), NULL, NULL, 16, 512, 24576, FALSE},
    {"model.heads", OL_FORM_MODEL, N_("Heads"), NULL, NULL, 1, 32, 128, FALSE},
    {"model.sequence", OL_FORM_MODEL, N_("Sequence"), N_("tokens"), NULL, 8, 1024, 131072, FALSE},
    {"model.vocabulary", OL_FORM_MODEL, N_("Vocabulary"), N_("tokens"), NULL, 16, 1024, 262144,
     FALSE},
    {"precision", OL_FORM_MODEL, N_("Precision"), NULL, NULL, NO_SLIDER, FALSE},
    {"batch.micro_batch", OL_FORM_BATCH, N_("Micro-batch"), N_("samples"), NULL, 1, 64, 256, FALSE},
    {"batch.micro_batches", OL_FORM_BATCH, N_("Micro-batches a step"), NULL, NULL, 1, 32, 128,
     FALSE},
    {"task.kind", OL_FORM_BATCH, N_("Task"), NULL, NULL, NO_SLIDER, TRUE},
    {"task.file", OL_FORM_BATCH, N_("Text file"), NULL, N_("none"), NO_SLIDER, TRUE},
    {"placement.weights", OL_FORM_PLACEMENT, N_("Weights"), NULL, NULL, NO_SLIDER, FALSE},
    {"placement.gradients", OL_FORM_PLACEMENT, N_("Gradients"), NULL, NULL, NO_SLIDER, FALSE},
    {"placement.optimizer", OL_FORM_PLACEMENT, N_("Optimizer states"), NULL, NULL, NO_SLIDER,
     FALSE},
    {"placement.activations", OL_FORM_PLACEMENT, N_("Activations"), NULL, NULL, NO_SLIDER, FALSE},
    {"optimizer.runs_on", OL_FORM_OPTIMIZER, N_("Runs on"), NULL, NULL, NO_SLIDER, FALSE},
    {"optimizer.gpu_fraction", OL_FORM_OPTIMIZER, N_("Share updated on the GPU"), NULL, NULL, 0, 1,
     1, FALSE},
    {"optimizer.delayed", OL_FORM_OPTIMIZER, N_("Update one step late"), NULL, NULL, NO_SLIDER,
     FALSE},
    {"optimizer.threads", OL_FORM_OPTIMIZER, N_("Host threads"), NULL, N_("all"), 1, 128, 128,
     FALSE},
    {"optimizer.clip_norm", OL_FORM_OPTIMIZER, N_("Clip at norm"), NULL, NULL, 0, 10, 10, FALSE},
    {"optimizer.learning_rate", OL_FORM_OPTIMIZER, N_("Learning rate"), NULL, NULL, 1e-5, 0.1, 0.1,
     TRUE},
    {"optimizer.beta1", OL_FORM_OPTIMIZER, N_("Beta 1"), NULL, NULL, NO_SLIDER, TRUE},
    {"optimizer.beta2", OL_FORM_OPTIMIZER, N_("Beta 2"), NULL, NULL, NO_SLIDER, TRUE},
    {"optimizer.epsilon", OL_FORM_OPTIMIZER, N_("Epsilon"), NULL, NULL, NO_SLIDER, TRUE},
    {"optimizer.weight_decay", OL_FORM_OPTIMIZER, N_("Weight decay"), NULL, NULL, 0, 1, 1, TRUE},
    {"overlap.prefetch", OL_FORM_OVERLAP, N_("Prefetch"), N_("units ahead"), NULL, 0, 12, 24,
     FALSE},
    {"overlap.write_back", OL_FORM_OVERLAP, N_("Write back meanwhile"), NULL, NULL, NO_SLIDER,
     FALSE},
    {"overlap.pinned", OL_FORM_OVERLAP, N_("Pinned host memory"), NULL, NULL, NO_SLIDER, FALSE},
    {"overlap.order", OL_FORM_OVERLAP, N_("Order of units"), NULL, NULL, NO_SLIDER, FALSE},
    {"recompute", OL_FORM_RECOMPUTE, N_("Recompute"), NULL, NULL, NO_SLIDER, FALSE},
    {"parallel.data", OL_FORM_PARALLEL, N_("Data ranks"), NULL, NULL, 1, 8, 512, FALSE},
    {"parallel.zero", OL_FORM_PARALLEL, N_("ZeRO stage"), NULL, NULL, 0, 3, 3, FALSE},
    {"parallel.tensor", OL_FORM_PARALLEL, N_("Tensor ranks"), NULL, NULL, 1, 8, 16, FALSE},
    {"parallel.pipeline", OL_FORM_PARALLEL, N_("Pipeline stages"), NULL, NULL, 1, 8, 64, FALSE},
    {"parallel.schedule", OL_FORM_PARALLEL, N_("Schedule"), NULL, NULL, NO_SLIDER, FALSE},
    {"parallel.chunks", OL_FORM_PARALLEL, N_("Chunks a stage"), NULL, NULL, 1, 6, 12, FALSE},
    {"hardware.profile", OL_FORM_HARDWARE, N_("Machine"), NULL, NULL, NO_SLIDER, FALSE},
    {"hardware.stands_for", OL_FORM_HARDWARE, N_("Stands for"), NULL, N_("nothing"), NO_SLIDER,
     TRUE},
    {"hardware.gpu_mib", OL_FORM_HARDWARE, N_("GPU memory"), "MiB", N_("the machine's"), 1, 1024,
     1048576, FALSE},
    {"hardware.host_mib", OL_FORM_HARDWARE, N_("Host memory"), "MiB", N_("the machine's"), 1, 4096,
     4194304, FALSE},
    {"hardware.nvme_mib", OL_FORM_HARDWARE, N_("Drive"), "MiB", N_("the machine's"), 1, 16384,
     67108864, FALSE},
    {"hardware.device", OL_FORM_HARDWARE, N_("Device"), NULL, NULL, NO_SLIDER, TRUE},
    {"hardware.clock", OL_FORM_HARDWARE, N_("Clock"), NULL, N_("the device's"), NO_SLIDER, TRUE},
    {"hardware.slowdown", OL_FORM_HARDWARE, N_("Slow-down"), NULL, N_("chosen"), 1, 1e6, 1e6, TRUE},
    {"hardware.compute_threads", OL_FORM_HARDWARE, N_("Threads of the products"), NULL, NULL, 1, 16,
     16, TRUE},
    {"hardware.nvme_folder", OL_FORM_HARDWARE, N_("Folder of the drive"), NULL,
     N_("the cache folder"), NO_SLIDER, TRUE},
    {"hardware.nvme_depth", OL_FORM_HARDWARE, N_("Blocks in flight"), NULL, N_("the disk's own"), 1,
     64, 64, TRUE},
    {"hardware.nvme_block_kib", OL_FORM_HARDWARE, N_("Block"), "KiB", N_("the disk's own"), 4, 4096,
     4096, TRUE},
    {"name", OL_FORM_RUN, N_("Name"), NULL, NULL, NO_SLIDER, FALSE},
    {"steps", OL_FORM_RUN, N_("Steps"), NULL, NULL, 1, 64, 16, FALSE},
    {"seed", OL_FORM_RUN, N_("Seed"), NULL, NULL, NO_SLIDER, TRUE},
};

static const char *const group_titles[OL_N_FORM_GROUPS] = {
    N_("Model"),     N_("Batch and task"), N_("Where things lie"), N_("Optimizer"),   N_("Overlap"),
    N_("Recompute"), N_("Parallel"),       N_("Hardware"),         N_("Run and name")};

const char *ol_form_group_title(OlFormGroup group)
{
  return _(group_titles[group]);
}

const OlFieldWords *ol_field_words_get(guint *n)
{
  *n = G_N_ELEMENTS(rows);
  return rows;
}

const OlFieldWords *ol_field_words_find(const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
    if (strcmp(rows[i].path, path) == 0)
      return &rows[i];
  return NULL;
}

/* Names in their language, and those that are written otherwise than with a capital. */
static const struct {
  const char *nick, *word;
} names[] = {{"gpu", N_("GPU")},
             {"nvme", N_("NVMe")},
             {"1f1b", "1F1B"},
             {"gpipe", "GPipe"},
             {"bf16", "bf16"},
             {"fp32", "fp32"},
             {"cuda", "CUDA"},
             {"true", N_("yes")},
             {"false", N_("no")},
             {"null", N_("default")},
             {"host", N_("Host")},
             {"none", N_("None")},
             {"selective", N_("Selective")},
             {"full", N_("Full")},
             {"forward", N_("Forward")},
             {"alternate", N_("Alternate")},
             {"interleaved", N_("Interleaved")},
             {"virtual", N_("Virtual")},
             {"scale", N_("Scale")},
             {"machine", N_("Machine")},
             {"sums", N_("Sums")},
             {"text", N_("Text")}};

char *ol_field_words_dup_value(const OlField *field, const char *typed)
{
  const OlFieldWords *words = ol_field_words_find(field->path);
  gboolean is_null = strcmp(typed, "null") == 0;

  if (is_null && words && words->null_word)
    return g_strdup(_(words->null_word));
  if (field->kind != OL_FIELD_CHOICE && field->kind != OL_FIELD_FLAG)
    return g_strdup(typed);
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    if (strcmp(names[i].nick, typed) == 0)
      return g_strdup(_(names[i].word));
  g_autofree char *first = g_utf8_strup(typed, 1);
  return g_strconcat(first, *typed ? g_utf8_next_char(typed) : "", NULL);
}
