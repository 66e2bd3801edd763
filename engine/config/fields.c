#define OL_FIELDS_OF OlRunConfig
#include "engine/config/field-rows-private.h"

#include <string.h>

static const char *const precisions[] = {"bf16", "fp32"};
static const char *const tasks[] = {"sums", "text"};
static const char *const tiers[] = {"gpu", "host", "nvme"};
static const char *const processors[] = {"gpu", "host"};
static const char *const orders[] = {"forward", "alternate"};
static const char *const recomputes[] = {"none", "selective", "full"};
static const char *const schedules[] = {"gpipe", "1f1b", "interleaved"};
static const char *const devices[] = {"virtual", "cuda"};
static const char *const clocks[] = {"null", "scale", "machine"};

/* Upper bounds are far beyond what anyone runs; they keep every product of sizes far below 2^63. */
static const OlField fields[] = {
    TEXT("name", name, FALSE, 200),
    COUNT("steps", steps, 1, 100000),
    LARGE_COUNT("seed", seed, 0, 9007199254740991.0), /* 2^53 - 1 */
    CHOICE("precision", precision, precisions),
    COUNT("model.layers", model.layers, 1, 1000),
    COUNT("model.width", model.width, 1, 65536),
    COUNT("model.heads", model.heads, 1, 1024),
    COUNT("model.sequence", model.sequence, 1, 1000000),
    COUNT("model.vocabulary", model.vocabulary, 2, 1000000),
    CHOICE("task.kind", task.kind, tasks),
    PLACE("task.file", task.file),
    COUNT("batch.micro_batch", batch.micro_batch, 1, 100000),
    COUNT("batch.micro_batches", batch.micro_batches, 1, 10000),
    CHOICE("placement.weights", placement.weights, tiers),
    CHOICE("placement.gradients", placement.gradients, tiers),
    CHOICE("placement.optimizer", placement.optimizer, tiers),
    CHOICE_OF("placement.activations", placement.activations, FALSE, tiers, 2),
    NUMBER("optimizer.learning_rate", optimizer.learning_rate, 0, 10),
    NUMBER("optimizer.beta1", optimizer.beta1, 0, 0.99999),
    NUMBER("optimizer.beta2", optimizer.beta2, 0, 0.999999),
    NUMBER("optimizer.epsilon", optimizer.epsilon, 1e-15, 1),
    NUMBER("optimizer.weight_decay", optimizer.weight_decay, 0, 10),
    NUMBER("optimizer.clip_norm", optimizer.clip_norm, 0, 1e6),
    CHOICE("optimizer.runs_on", optimizer.runs_on, processors),
    NUMBER("optimizer.gpu_fraction", optimizer.gpu_fraction, 0, 1),
    FLAG("optimizer.delayed", optimizer.delayed),
    COUNT_OR_NULL("optimizer.threads", optimizer.threads, 1, 4096),
    COUNT("overlap.prefetch", overlap.prefetch, 0, 1000),
    FLAG("overlap.write_back", overlap.write_back),
    FLAG("overlap.pinned", overlap.pinned),
    CHOICE("overlap.order", overlap.order, orders),
    CHOICE("recompute", recompute, recomputes),
    COUNT("parallel.data", parallel.data, 1, 4096),
    COUNT("parallel.zero", parallel.zero, 0, 3),
    COUNT("parallel.tensor", parallel.tensor, 1, 4096),
    COUNT("parallel.pipeline", parallel.pipeline, 1, 4096),
    CHOICE("parallel.schedule", parallel.schedule, schedules),
    COUNT("parallel.chunks", parallel.chunks, 1, 1000),
    CHOICE("hardware.device", hardware.device, devices),
    CHOICE_OF("hardware.clock", hardware.clock, TRUE, clocks, G_N_ELEMENTS(clocks)),
    NAME("hardware.profile", hardware.profile, FALSE),
    NAME("hardware.stands_for", hardware.stands_for, TRUE),
    NUMBER_OR_NULL("hardware.slowdown", hardware.slowdown, 1e-6, 1e9),
    COUNT("hardware.compute_threads", hardware.compute_threads, 1, 256),
    NUMBER_OR_NULL("hardware.gpu_mib", hardware.gpu_mib, 0.001, 1e9),
    NUMBER_OR_NULL("hardware.host_mib", hardware.host_mib, 0.001, 1e9),
    NUMBER_OR_NULL("hardware.nvme_mib", hardware.nvme_mib, 0.001, 1e9),
    PLACE("hardware.nvme_folder", hardware.nvme_folder),
    COUNT_OR_NULL("hardware.nvme_depth", hardware.nvme_depth, 1, 256),
    COUNT_OR_NULL("hardware.nvme_block_kib", hardware.nvme_block_kib, 4, 65536),
};

const OlField *ol_fields_get(guint *n)
{
  *n = G_N_ELEMENTS(fields);
  return fields;
}

const OlField *ol_field_find(const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
    if (strcmp(fields[i].path, path) == 0)
      return &fields[i];
  return NULL;
}

gboolean ol_field_is_group(const char *name)
{
  gsize length = strlen(name);
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
    if (strncmp(fields[i].path, name, length) == 0 && fields[i].path[length] == '.')
      return TRUE;
  return FALSE;
}

/* Insertions, deletions, changes and swaps of neighbours that turn `a` into `b` (Damerau and
 * Levenshtein), for short words. */
static guint edit_distance(const char *a, const char *b)
{
  guint cost[64][64]; /* of the first i letters of `a` into the first j of `b` */
  gsize height = strlen(a), width = strlen(b);
  if (height >= G_N_ELEMENTS(cost) || width >= G_N_ELEMENTS(cost))
    return G_MAXUINT;
  for (gsize i = 0; i <= height; i++) {
    for (gsize j = 0; j <= width; j++) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      guint changed = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = MIN(changed, MIN(cost[i - 1][j], cost[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = MIN(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[height][width];
}

static const char *last_word(const char *path)
{
  const char *point = strrchr(path, '.');
  return point ? point + 1 : path;
}

char *ol_field_dup_near_miss(const char *path)
{
  const char *word = last_word(path);
  guint best = MIN(3, strlen(word) / 3 + 1); /* what is farther off is another word */
  g_autofree char *found = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
    const char *known = fields[i].path;
    const char *point = strchr(known, '.');
    g_autofree char *group = point ? g_strndup(known, point - known) : NULL;
    guint whole = edit_distance(path, known);
    guint same_word = edit_distance(word, last_word(known));
    guint same_group = group ? edit_distance(path, group) : G_MAXUINT;
    guint distance = MIN(whole, same_word);
    if (MIN(distance, same_group) >= best)
      continue;
    best = MIN(distance, same_group);
    g_free(found);
    found = same_group < distance ? g_steal_pointer(&group) : g_strdup(known);
  }
  return g_steal_pointer(&found);
}

char *ol_field_dup_known(const char *path)
{
  const char *point = strchr(path, '.');
  g_autofree char *group = point ? g_strndup(path, point - path) : NULL;
  gsize inside = group && ol_field_is_group(group) ? strlen(group) + 1 : 0;
  g_autoptr(GString) known = g_string_new(NULL);
  const char *last = "";
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
    if (inside > 0 && strncmp(fields[i].path, path, inside) != 0)
      continue;
    const char *key = fields[i].path + inside;
    gsize length = strcspn(key, ".");
    if (strncmp(key, last, length + 1) == 0)
      continue; /* another key of the same group */
    g_string_append_printf(known, "%s%.*s", known->len > 0 ? ", " : "", (int)length, key);
    last = key;
  }
  return g_string_free(g_steal_pointer(&known), FALSE);
}
