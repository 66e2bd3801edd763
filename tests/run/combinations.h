/* Every legal way to place, overlap and recompute: the table that design sentence 3 is held on.
 *
 * A combination gives each key one of its values. What is legal is said here again, in the test's
 * own words (contracts.md, "Legal placements"), so that the config's rules are held too. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  KEY_WEIGHTS,
  KEY_GRADIENTS,
  KEY_OPTIMIZER,
  KEY_ACTIVATIONS,
  KEY_RUNS_ON,
  KEY_PREFETCH,
  KEY_WRITE_BACK,
  KEY_PINNED,
  KEY_ORDER,
  KEY_RECOMPUTE,
  KEY_MICRO_BATCHES,
  N_PLACING_KEYS, /* those above; the ones below are left at their first value in the full table */
  KEY_GPU_FRACTION = N_PLACING_KEYS,
  KEY_CLIP,
  KEY_DELAYED,
  KEY_PRECISION,
  KEY_STEPS,
  N_KEYS
} CombinationKey;

typedef struct {
  guint8 value[N_KEYS]; /* which of the key's values */
} Combination;

/* All of them (n: how many keys vary, from the first on), legal or not: OlCombination. */
GArray *combinations_all(guint n_keys);
/* Legal ones in which every legal meeting of `strength` values of as many keys occurs; always the
 * same ones. */
GArray *combinations_sample(guint n_keys, guint strength);

gboolean combination_is_legal(const Combination *combination);
/* "key=value" each, ending with NULL; `more` (may be NULL) goes in front. Free with g_strfreev().
 */
char **combination_dup_assignments(const Combination *combination, const char *const *more);
char *combination_dup_words(const Combination *combination);

/* Those that must end with the same weights have the same number; the plainest of them. */
guint combination_group(const Combination *combination);
Combination combination_reference(const Combination *combination);
#define N_COMBINATION_GROUPS 48u

G_END_DECLS
