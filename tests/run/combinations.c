#include "tests/run/combinations.h"

#include <string.h>

static const struct {
  const char *path;
  const char *values[4]; /* the first is the plainest */
} keys[N_KEYS] = {
    [KEY_WEIGHTS] = {"placement.weights", {"gpu", "host", "nvme"}},
    [KEY_GRADIENTS] = {"placement.gradients", {"gpu", "host"}},
    [KEY_OPTIMIZER] = {"placement.optimizer", {"gpu", "host", "nvme"}},
    [KEY_ACTIVATIONS] = {"placement.activations", {"gpu", "host"}},
    [KEY_RUNS_ON] = {"optimizer.runs_on", {"gpu", "host"}},
    [KEY_PREFETCH] = {"overlap.prefetch", {"0", "1", "2"}},
    [KEY_WRITE_BACK] = {"overlap.write_back", {"true", "false"}},
    [KEY_PINNED] = {"overlap.pinned", {"true", "false"}},
    [KEY_ORDER] = {"overlap.order", {"forward", "alternate"}},
    [KEY_RECOMPUTE] = {"recompute", {"none", "selective", "full"}},
    [KEY_MICRO_BATCHES] = {"batch.micro_batches", {"1", "2"}},
    [KEY_GPU_FRACTION] = {"optimizer.gpu_fraction", {"0", "0.4"}},
    [KEY_CLIP] = {"optimizer.clip_norm", {"0", "0.5"}},
    [KEY_DELAYED] = {"optimizer.delayed", {"false", "true"}},
    [KEY_PRECISION] = {"precision", {"bf16", "fp32"}},
    [KEY_STEPS] = {"steps", {"4", "3", "1"}},
};

static guint count_values(guint key)
{
  guint n = 0;
  while (n < G_N_ELEMENTS(keys[key].values) && keys[key].values[n])
    n++;
  return n;
}

static gboolean is(const Combination *combination, CombinationKey key, const char *value)
{
  return strcmp(keys[key].values[combination->value[key]], value) == 0;
}

gboolean combination_is_legal(const Combination *c)
{
  gboolean states_on_gpu = is(c, KEY_OPTIMIZER, "gpu");
  if (states_on_gpu && (!is(c, KEY_RUNS_ON, "gpu") || !is(c, KEY_GRADIENTS, "gpu") ||
                        !is(c, KEY_WEIGHTS, "gpu") || !is(c, KEY_GPU_FRACTION, "0")))
    return FALSE;
  if (is(c, KEY_DELAYED, "true") &&
      (is(c, KEY_PREFETCH, "0") || is(c, KEY_RUNS_ON, "gpu") || !is(c, KEY_GPU_FRACTION, "0")))
    return FALSE;
  return is(c, KEY_PRECISION, "bf16") || states_on_gpu;
}

/* Counts like an odometer. FALSE after the last one. */
static gboolean advance(Combination *combination, guint n_keys)
{
  for (guint key = 0; key < n_keys; key++) {
    if (++combination->value[key] < count_values(key))
      return TRUE;
    combination->value[key] = 0;
  }
  return FALSE;
}

GArray *combinations_all(guint n_keys)
{
  GArray *all = g_array_new(FALSE, FALSE, sizeof(Combination));
  Combination combination = {{0}};
  do
    g_array_append_val(all, combination);
  while (advance(&combination, n_keys));
  return all;
}

/* ---- a sample ---- */

#define MOST_VALUES 3u

/* Meetings of two or three values: [key][value] of each, as one number. */
typedef struct {
  guint n_keys, strength;
  guint8 *met;
} Meetings;

static guint place(const Combination *combination, guint key)
{
  return key * MOST_VALUES + combination->value[key];
}

/* How many meetings of the combination are new; books them when asked to. */
static guint count_new(Meetings *meetings, const Combination *c, gboolean book)
{
  const guint side = N_KEYS * MOST_VALUES;
  guint n = meetings->n_keys, found = 0;
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++)
      for (guint d = meetings->strength == 3 ? b + 1 : b; d < (meetings->strength == 3 ? n : b + 1);
           d++) {
        guint8 *met = &meetings->met[(place(c, a) * side + place(c, b)) * side + place(c, d)];
        found += !*met;
        *met |= book;
      }
  return found;
}

/* A fixed shuffle (a linear congruential generator, Knuth's MMIX). */
static void shuffle(GArray *all)
{
  guint64 state = 7;
  for (guint i = all->len; i > 1; i--) {
    state =
        state * G_GUINT64_CONSTANT(6364136223846793005) + G_GUINT64_CONSTANT(1442695040888963407);
    guint k = (guint)((state >> 33) % i);
    Combination *x = &g_array_index(all, Combination, i - 1),
                *y = &g_array_index(all, Combination, k);
    Combination swapped = *x;
    *x = *y;
    *y = swapped;
  }
}

static GArray *legal_ones(guint n_keys)
{
  g_autoptr(GArray) all = combinations_all(n_keys);
  GArray *legal = g_array_new(FALSE, FALSE, sizeof(Combination));
  for (guint i = 0; i < all->len; i++)
    if (combination_is_legal(&g_array_index(all, Combination, i)))
      g_array_append_val(legal, g_array_index(all, Combination, i));
  return legal;
}

/* Takes from the first `n` those that show at least that many new meetings. */
static void take(GArray *sample, const GArray *from, guint n, Meetings *meetings, guint least)
{
  for (guint i = 0; i < n; i++) {
    const Combination *combination = &g_array_index(from, Combination, i);
    if (count_new(meetings, combination, FALSE) < least)
      continue;
    count_new(meetings, combination, TRUE);
    g_array_append_val(sample, *combination);
  }
}

/* Those that show most come first, so that few are needed; a part of all is enough to find them.
 */
GArray *combinations_sample(guint n_keys, guint strength)
{
  g_autoptr(GArray) legal = legal_ones(n_keys);
  const guint side = N_KEYS * MOST_VALUES;
  g_autofree guint8 *met = g_new0(guint8, side * side * side);
  Meetings meetings = {n_keys, strength, met};
  GArray *sample = g_array_new(FALSE, FALSE, sizeof(Combination));
  shuffle(legal);
  for (guint least = n_keys * n_keys * n_keys; least > 1; least = least * 2 / 3)
    take(sample, legal, MIN(legal->len, 2000), &meetings, least);
  take(sample, legal, legal->len, &meetings, 1);
  return sample;
}

/* ---- in words ---- */

char **combination_dup_assignments(const Combination *combination, const char *const *more)
{
  GPtrArray *all = g_ptr_array_new();
  for (guint i = 0; more && more[i]; i++)
    g_ptr_array_add(all, g_strdup(more[i]));
  for (guint key = 0; key < N_KEYS; key++)
    g_ptr_array_add(
        all, g_strdup_printf("%s=%s", keys[key].path, keys[key].values[combination->value[key]]));
  g_ptr_array_add(all, NULL);
  return (char **)g_ptr_array_free(all, FALSE);
}

char *combination_dup_words(const Combination *combination)
{
  g_auto(GStrv) assignments = combination_dup_assignments(combination, NULL);
  return g_strjoinv(" ", assignments);
}

/* ---- groups ---- */

/* What changes numbers. */
static const CombinationKey group_keys[] = {KEY_MICRO_BATCHES, KEY_CLIP, KEY_DELAYED, KEY_PRECISION,
                                            KEY_STEPS};

guint combination_group(const Combination *combination)
{
  guint group = 0;
  for (guint i = 0; i < G_N_ELEMENTS(group_keys); i++)
    group = group * count_values(group_keys[i]) + combination->value[group_keys[i]];
  g_assert(group < N_COMBINATION_GROUPS);
  return group;
}

Combination combination_reference(const Combination *combination)
{
  Combination reference = {{0}};
  for (guint i = 0; i < G_N_ELEMENTS(group_keys); i++)
    reference.value[group_keys[i]] = combination->value[group_keys[i]];
  if (is(combination, KEY_DELAYED, "true"))
    reference.value[KEY_OPTIMIZER] = reference.value[KEY_RUNS_ON] = reference.value[KEY_PREFETCH] =
        1;
  return reference;
}
