/* Shards: by counting out blocks element by element, and at the ends of the number range. */
#include "engine/comm/shard.h"
#include "tests/suite.h"

/* Every element belongs to exactly one member, in order; blocks are alike, aligned, and as short
 * as they can be. */
static void check_shards(guint64 n, guint members, guint64 alignment)
{
  guint64 length = ol_comm_shard_length(n, members, alignment), next = 0, padding = 0;

  ck_assert_uint_eq(length % alignment, 0);
  ck_assert(length * members >= n);
  ck_assert(length == 0 || (length - alignment) * members < n);
  for (guint member = 0; member < members; member++) {
    guint64 first, count;
    ck_assert_uint_eq(ol_comm_shard(n, members, member, alignment, &first, &count), length);
    ck_assert_uint_eq(first, next);
    ck_assert_uint_eq(first, MIN(n, member * length));
    ck_assert(count <= length);
    next += count;
    padding += length - count;
  }
  ck_assert_uint_eq(next, n);
  ck_assert_uint_eq(padding, length * members - n);
}

START_TEST(every_element_has_one_owner)
{
  for (guint64 n = 0; n < 70; n++) {
    for (guint members = 1; members < 10; members++) {
      for (guint64 alignment = 1; alignment < 20; alignment++)
        check_shards(n, members, alignment);
    }
  }
}
END_TEST

START_TEST(by_example)
{
  guint64 first, count;
  /* 10 elements, 4 members, pairs: blocks of 4, so 4 4 2 0 and 6 of padding */
  ck_assert_uint_eq(ol_comm_shard(10, 4, 2, 2, &first, &count), 4);
  ck_assert_uint_eq(first, 8);
  ck_assert_uint_eq(count, 2);
  ol_comm_shard(10, 4, 3, 2, &first, &count);
  ck_assert_uint_eq(first, 10);
  ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(huge_sizes_do_not_wrap)
{
  check_shards(G_MAXUINT64 / 4, 512, 4096);
  check_shards(G_GUINT64_CONSTANT(1) << 62, 3, 64);
  /* Blocks of which only the first is used: the place of the last would lie beyond 64 bits. */
  guint64 alignment = G_GUINT64_CONSTANT(1) << 62, first, count;
  ol_comm_shard(5, 512, 511, alignment, &first, &count);
  ck_assert_uint_eq(first, 5);
  ck_assert_uint_eq(count, 0);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("shard");
  tcase_add_test(tcase, every_element_has_one_owner);
  tcase_add_test(tcase, by_example);
  tcase_add_test(tcase, huge_sizes_do_not_wrap);
  return run_suite("shard", tcase);
}
