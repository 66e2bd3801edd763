/* The allocator against a model that keeps a byte map of units and looks at every hole. */
#include "engine/memory/offsets.h"
#include "tests/suite.h"

#define UNIT OL_OFFSETS_ALIGNMENT

/* One entry a unit: 0 free, else taken. */
typedef struct {
  guint n;
  guint8 *taken;
} Model;

/* The smallest hole that fits, the first among equals; -1 when none. */
static int model_best_fit(const Model *model, guint units)
{
  int best = -1;
  guint best_length = G_MAXUINT;
  for (guint i = 0; i < model->n;) {
    guint length = 0;
    while (i + length < model->n && !model->taken[i + length])
      length++;
    if (length >= units && length < best_length) {
      best = (int)i;
      best_length = length;
    }
    i += MAX(length, 1);
  }
  return best;
}

static guint model_largest_hole(const Model *model)
{
  guint largest = 0, length = 0;
  for (guint i = 0; i < model->n; i++) {
    length = model->taken[i] ? 0 : length + 1;
    largest = MAX(largest, length);
  }
  return largest;
}

static guint model_in_use(const Model *model)
{
  guint n = 0;
  for (guint i = 0; i < model->n; i++)
    n += model->taken[i];
  return n;
}

typedef struct {
  guint64 offset;
  guint units;
} Block;

START_TEST(agrees_with_the_model)
{
  enum { UNITS = 300, MOVES = 4000 };
  g_autoptr(OlOffsets) offsets = ol_offsets_new((guint64)UNITS * UNIT + 17);
  guint8 taken[UNITS] = {0};
  Model model = {UNITS, taken};
  g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(Block));
  g_autoptr(GRand) random = g_rand_new_with_seed(1000 + _i);
  guint64 highest = 0;
  guint refused = 0;

  for (guint move = 0; move < MOVES; move++) {
    if (blocks->len == 0 || g_rand_int_range(random, 0, 100) < 55) {
      guint units = g_rand_int_range(random, 1, _i % 2 ? 40 : 6);
      guint64 bytes = (guint64)units * UNIT - g_rand_int_range(random, 0, UNIT);
      int expected = model_best_fit(&model, units);
      guint64 got = ol_offsets_acquire(offsets, bytes);
      if (expected < 0) {
        ck_assert_uint_eq(got, OL_OFFSETS_FULL);
        refused++;
        continue;
      }
      ck_assert_uint_eq(got, (guint64)expected * UNIT);
      for (guint i = 0; i < units; i++)
        taken[expected + i] = 1;
      highest = MAX(highest, got + (guint64)units * UNIT);
      Block block = {got, units};
      g_array_append_val(blocks, block);
    } else {
      guint i = g_rand_int_range(random, 0, blocks->len);
      Block block = g_array_index(blocks, Block, i);
      ol_offsets_release(offsets, block.offset);
      for (guint j = 0; j < block.units; j++)
        taken[block.offset / UNIT + j] = 0;
      g_array_remove_index_fast(blocks, i);
    }
    ck_assert_uint_eq(ol_offsets_get_in_use(offsets), (guint64)model_in_use(&model) * UNIT);
    ck_assert_uint_eq(ol_offsets_get_largest_hole(offsets),
                      (guint64)model_largest_hole(&model) * UNIT);
    ck_assert_uint_eq(ol_offsets_get_highest(offsets), highest);
  }
  ck_assert_uint_gt(refused, 0); /* the sequence did meet a full tier */
}
END_TEST

START_TEST(rounds_up_and_refuses)
{
  g_autoptr(OlOffsets) offsets = ol_offsets_new(10 * UNIT);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, 0), 0); /* one unit */
  ck_assert_uint_eq(ol_offsets_acquire(offsets, 1), UNIT);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, UNIT), 2 * UNIT);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, UNIT + 1), 3 * UNIT);
  ck_assert_uint_eq(ol_offsets_get_in_use(offsets), 5 * UNIT);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, 5 * UNIT + 1), OL_OFFSETS_FULL);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, G_MAXUINT64), OL_OFFSETS_FULL);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, G_MAXUINT64 - UNIT), OL_OFFSETS_FULL);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, 5 * UNIT), 5 * UNIT);
  ck_assert_uint_eq(ol_offsets_get_largest_hole(offsets), 0);
  ck_assert_uint_eq(ol_offsets_acquire(offsets, 0), OL_OFFSETS_FULL);
}
END_TEST

START_TEST(odd_and_extreme_capacities)
{
  static const struct {
    guint64 capacity, usable;
  } cases[] = {{0, 0},
               {1, 0},
               {UNIT - 1, 0},
               {UNIT, UNIT},
               {2 * UNIT - 1, UNIT},
               {G_MAXUINT64, G_MAXUINT64 - (UNIT - 1)}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(OlOffsets) offsets = ol_offsets_new(cases[i].capacity);
    ck_assert_uint_eq(ol_offsets_get_capacity(offsets), cases[i].capacity);
    ck_assert_uint_eq(ol_offsets_get_largest_hole(offsets), cases[i].usable);
    ck_assert_uint_eq(ol_offsets_acquire(offsets, 1), cases[i].usable ? 0 : OL_OFFSETS_FULL);
  }
}
END_TEST

/* Ten thousand blocks released in a bad order must not take quadratic time or leave a hole. */
START_TEST(many_blocks_join_again)
{
  enum { N = 10000 };
  g_autoptr(OlOffsets) offsets = ol_offsets_new((guint64)N * UNIT);
  for (guint i = 0; i < N; i++)
    ck_assert_uint_eq(ol_offsets_acquire(offsets, 1), (guint64)i * UNIT);
  for (guint stride = 0; stride < 7; stride++) {
    for (guint i = stride; i < N; i += 7)
      ol_offsets_release(offsets, (guint64)i * UNIT);
  }
  ck_assert_uint_eq(ol_offsets_get_in_use(offsets), 0);
  ck_assert_uint_eq(ol_offsets_get_largest_hole(offsets), (guint64)N * UNIT);
  ck_assert_uint_eq(ol_offsets_get_highest(offsets), (guint64)N * UNIT);
}
END_TEST

static void count_critical(const char *domain, GLogLevelFlags level, const char *message,
                           gpointer count)
{
  ++*(guint *)count;
}

START_TEST(foreign_release_is_told)
{
  guint criticals = 0;
  g_autoptr(OlOffsets) offsets = ol_offsets_new(4 * UNIT);
  ol_offsets_acquire(offsets, 2 * UNIT);
  g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
  g_log_set_default_handler(count_critical, &criticals);
  ol_offsets_release(offsets, UNIT);
  ck_assert_uint_eq(criticals, 1);
  ck_assert_uint_eq(ol_offsets_get_in_use(offsets), 2 * UNIT);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("offsets");
  tcase_set_timeout(tests, 30);
  tcase_add_loop_test(tests, agrees_with_the_model, 0, 12);
  tcase_add_test(tests, rounds_up_and_refuses);
  tcase_add_test(tests, odd_and_extreme_capacities);
  tcase_add_test(tests, many_blocks_join_again);
  tcase_add_test(tests, foreign_release_is_told);
  return run_suite("offsets", tests);
}
