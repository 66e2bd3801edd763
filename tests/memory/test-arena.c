#include "engine/base/bf16.h"
#include "engine/base/error.h"
#include "engine/memory/arena.h"
#include "engine/memory/offsets.h"
#include "tests/suite.h"

#include <math.h>

#define UNIT OL_OFFSETS_ALIGNMENT

/* Criticals that a test provokes are counted, not printed. */
static void count_critical(const char *domain, GLogLevelFlags level, const char *message,
                           gpointer count)
{
  ++*(guint *)count;
}

static OlArena *new_arena(guint64 capacity, void *base, gboolean poison)
{
  g_autoptr(GError) error = NULL;
  OlArena *arena = ol_arena_new(
      &(OlArenaOptions){.tier = OL_TIER_HOST, .capacity = capacity, .base = base, .poison = poison},
      &error);
  ck_assert_msg(arena != NULL, "%s", error ? error->message : "no error set");
  return arena;
}

START_TEST(blocks_are_aligned_zeroed_and_bounded)
{
  g_autoptr(OlArena) arena = new_arena(8 * UNIT + 100, NULL, FALSE);
  guint64 in_use = 0;
  char *block;

  for (guint i = 0; i < 8; i++) {
    block = ol_arena_acquire(arena, UNIT - i);
    ck_assert_ptr_nonnull(block);
    ck_assert_uint_eq((guintptr)block % UNIT, 0);
    ck_assert_uint_eq(ol_arena_get_offset(arena, block), (guint64)i * UNIT);
    ck_assert(ol_arena_contains(arena, block, UNIT));
    for (guint byte = 0; byte < UNIT; byte++)
      ck_assert_int_eq(block[byte], 0);
    memset(block, 0x5a, UNIT); /* all of it can be written */
    ck_assert_uint_eq(ol_arena_get_in_use(arena), in_use += UNIT);
  }
  ck_assert_ptr_null(ol_arena_acquire(arena, 1));
  ck_assert_uint_eq(ol_arena_get_highest(arena), 8 * UNIT);
}
END_TEST

START_TEST(contains_knows_its_edges)
{
  g_autoptr(OlArena) arena = new_arena(2 * UNIT, NULL, FALSE);
  char *base = ol_arena_acquire(arena, 2 * UNIT);
  ck_assert(ol_arena_contains(arena, base, 2 * UNIT));
  ck_assert(ol_arena_contains(arena, base + 2 * UNIT - 1, 1));
  ck_assert(!ol_arena_contains(arena, base + 2 * UNIT - 1, 2));
  ck_assert(!ol_arena_contains(arena, base - 1, 1));
  ck_assert(!ol_arena_contains(arena, base, 2 * UNIT + 1));
  ck_assert(!ol_arena_contains(arena, base + 1, G_MAXUINT64));
  ck_assert(!ol_arena_contains(arena, NULL, 1));
}
END_TEST

START_TEST(addresses_are_those_of_the_allocator)
{
  g_autoptr(OlArena) arena = new_arena(100 * UNIT, NULL, FALSE);
  g_autoptr(OlOffsets) offsets = ol_offsets_new(100 * UNIT);
  g_autoptr(GRand) random = g_rand_new_with_seed(5);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new();

  for (guint move = 0; move < 2000; move++) {
    if (blocks->len == 0 || g_rand_boolean(random)) {
      guint64 bytes = g_rand_int_range(random, 1, 9 * UNIT);
      guint64 expected = ol_offsets_acquire(offsets, bytes);
      void *block = ol_arena_acquire(arena, bytes);
      ck_assert((block == NULL) == (expected == OL_OFFSETS_FULL));
      if (!block)
        continue;
      ck_assert_uint_eq(ol_arena_get_offset(arena, block), expected);
      g_ptr_array_add(blocks, block);
    } else {
      void *block = g_ptr_array_remove_index_fast(blocks, g_rand_int_range(random, 0, blocks->len));
      ol_offsets_release(offsets, ol_arena_get_offset(arena, block));
      ol_arena_release(arena, block);
    }
  }
  ck_assert_uint_eq(ol_arena_get_highest(arena), ol_offsets_get_highest(offsets));
  ck_assert_uint_eq(ol_arena_get_in_use(arena), ol_offsets_get_in_use(offsets));
}
END_TEST

START_TEST(released_blocks_are_poisoned)
{
  g_autoptr(OlArena) arena = new_arena(4 * UNIT, NULL, TRUE);
  float *before = ol_arena_acquire(arena, UNIT);
  float *block = ol_arena_acquire(arena, UNIT + 1);
  float *after = ol_arena_acquire(arena, UNIT);
  before[UNIT / 4 - 1] = 1.0f;
  after[0] = 2.0f;

  ol_arena_release(arena, block);
  for (guint i = 0; i < 2 * UNIT / 4; i++)
    ck_assert(isnan(block[i]));
  const uint16_t *halves = (const uint16_t *)block;
  for (guint i = 0; i < 2 * UNIT / 2; i++)
    ck_assert(isnan(ol_bf16_to_float(halves[i])));
  ck_assert_float_eq(before[UNIT / 4 - 1], 1.0f);
  ck_assert_float_eq(after[0], 2.0f);
}
END_TEST

START_TEST(foreign_release_changes_nothing)
{
  g_autoptr(OlArena) arena = new_arena(4 * UNIT, NULL, TRUE);
  char *block = ol_arena_acquire(arena, 2 * UNIT);
  char local[8] = "as was";
  guint criticals = 0;

  g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
  g_log_set_default_handler(count_critical, &criticals);
  ol_arena_release(arena, NULL);
  ck_assert_uint_eq(criticals, 0);
  ol_arena_release(arena, local);
  ol_arena_release(arena, block + UNIT); /* inside a block */
  ck_assert_uint_eq(criticals, 2);
  ol_arena_release(arena, block);
  ol_arena_release(arena, block); /* twice */
  ck_assert_uint_eq(criticals, 3);
  ck_assert_str_eq(local, "as was");
  ck_assert_uint_eq(ol_arena_get_in_use(arena), 0);
}
END_TEST

START_TEST(borrowed_memory_is_used_and_left)
{
  void *memory = aligned_alloc(UNIT, 3 * UNIT);
  OlArena *arena = new_arena(3 * UNIT, memory, FALSE);
  ck_assert_ptr_eq(ol_arena_acquire(arena, 10), memory);
  ol_arena_free(arena);
  memset(memory, 1, 3 * UNIT); /* still ours */
  free(memory);
}
END_TEST

START_TEST(big_capacities_cost_nothing_until_touched)
{
  g_autoptr(OlArena) arena = new_arena(G_GUINT64_CONSTANT(64) << 30, NULL, FALSE);
  char *block = ol_arena_acquire(arena, G_GUINT64_CONSTANT(63) << 30);
  block[G_GUINT64_CONSTANT(63) << 30 >> 1] = 1;
  ck_assert_int_eq(block[0], 0);
}
END_TEST

START_TEST(impossible_capacity_is_an_error)
{
  g_autoptr(GError) error = NULL;
  OlArena *arena =
      ol_arena_new(&(OlArenaOptions){.tier = OL_TIER_HOST, .capacity = G_MAXUINT64 / 2}, &error);
  ck_assert_ptr_null(arena);
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_OUT_OF_MEMORY));
  ck_assert_ptr_nonnull(strstr(error->message, "hardware.host_mib"));
}
END_TEST

START_TEST(no_capacity_refuses_all)
{
  g_autoptr(OlArena) arena = new_arena(0, NULL, FALSE);
  ck_assert_ptr_null(ol_arena_acquire(arena, 0));
  ck_assert_uint_eq(ol_arena_get_highest(arena), 0);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("arena");
  tcase_add_test(tests, blocks_are_aligned_zeroed_and_bounded);
  tcase_add_test(tests, contains_knows_its_edges);
  tcase_add_test(tests, addresses_are_those_of_the_allocator);
  tcase_add_test(tests, released_blocks_are_poisoned);
  tcase_add_test(tests, foreign_release_changes_nothing);
  tcase_add_test(tests, borrowed_memory_is_used_and_left);
  tcase_add_test(tests, big_capacities_cost_nothing_until_touched);
  tcase_add_test(tests, impossible_capacity_is_an_error);
  tcase_add_test(tests, no_capacity_refuses_all);
  return run_suite("arena", tests);
}
