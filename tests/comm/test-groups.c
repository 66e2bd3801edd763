/* Groups that overlap: a grid of 2 x 2 x 2 ranks as in training, and orders that are not the
 * ranks'. Barriers and messages between them. */
#include "engine/base/clock.h"
#include "tests/comm/ranks.h"
#include "tests/suite.h"

#include <string.h>

/* rank = (data · 2 + pipeline) · 2 + tensor; along an axis the two ranks differ in its bit. */
enum { TENSOR = 1, PIPELINE = 2, DATA = 4 };

static OlCommGroup *along(Rank *rank, guint axis)
{
  guint low = rank->rank & ~axis;
  return ol_comm_get_group(rank->comm, (guint[]){low, low | axis}, 2);
}

/* An all-reduce of a value along each axis in turn ends with the sum over all; then every rank
 * hands something on along the pipeline. */
static void walk_the_grid(Rank *rank)
{
  enum { N = 3001 };
  g_autofree float *values = g_new(float, N);
  guint other = rank->rank ^ PIPELINE;

  for (guint round = 0; round < 60; round++) {
    guint from_other = G_MAXUINT, mine = round * 8 + rank->rank;
    ol_comm_post_receive(rank->comm, rank->rank, other, round, &from_other, sizeof from_other);
    for (guint i = 0; i < N; i++)
      values[i] = (float)(1u << rank->rank) * (float)(i + round);
    for (guint axis = TENSOR; axis <= DATA; axis *= 2) {
      dawdle(rank);
      expect(rank,
             ol_comm_all_reduce(along(rank, axis), rank->rank, values, values, N, OL_DTYPE_FP32),
             "all-reduce failed");
    }
    for (guint i = 0; i < N; i++)
      expect(rank, values[i] == 255.0f * (float)(i + round), "round %u: element %u is %g", round, i,
             (double)values[i]);
    expect(rank,
           ol_comm_send(rank->comm, rank->rank, other, round, &mine, sizeof mine) &&
               ol_comm_wait_receive(rank->comm, rank->rank, other, round),
           "a message failed");
    expect(rank, from_other == round * 8 + other, "got %u from %u", from_other, other);
  }
}

START_TEST(grid_of_ranks)
{
  run_ranks(8, walk_the_grid, NULL);
}
END_TEST

/* (1 + 2^-24) + 2^-24 is 1 from the left, and 1 + 2^-23 from the right. */
static void sum_both_ways(Rank *rank)
{
  static const float mine[] = {1, 0x1p-24f, 0x1p-24f};
  OlCommGroup *up = ol_comm_get_group(rank->comm, (guint[]){0, 1, 2}, 3);
  OlCommGroup *down = ol_comm_get_group(rank->comm, (guint[]){2, 1, 0}, 3);
  float sum = 0;

  expect(rank, up != down, "two orders are one group");
  expect(rank, up == ol_comm_get_group(rank->comm, (guint[]){0, 1, 2}, 3), "one group is two");
  expect(rank, ol_comm_group_get_n_members(up) == 3, "members");
  ol_comm_all_reduce(up, rank->rank, &mine[rank->rank], &sum, 1, OL_DTYPE_FP32);
  expect(rank, sum == 1, "upwards %a", (double)sum);
  ol_comm_all_reduce(down, rank->rank, &mine[rank->rank], &sum, 1, OL_DTYPE_FP32);
  expect(rank, sum == 0x1.000002p0f, "downwards %a", (double)sum);
}

START_TEST(sums_follow_the_groups_order)
{
  run_ranks(3, sum_both_ways, NULL);
}
END_TEST

/* Blocks lie in the order of the group too. */
static void gather_downwards(Rank *rank)
{
  OlCommGroup *down = ol_comm_get_group(rank->comm, (guint[]){2, 0, 1}, 3);
  static const gsize bytes[] = {1, 3, 2}; /* of ranks 2, 0, 1 */
  static const char *const words[] = {"abc", "de", "f"};
  char all[7] = "";

  expect(rank, ol_comm_all_gather(down, rank->rank, words[rank->rank], all, bytes), "failed");
  expect(rank, strcmp(all, "fabcde") == 0, "\"%s\"", all);
}

START_TEST(blocks_follow_the_groups_order)
{
  run_ranks(3, gather_downwards, NULL);
}
END_TEST

/* Nobody leaves a barrier before everybody has come to it: by the clock that the ranks of one
 * machine share, each leaves after the last has come. */
static void come_and_go(Rank *rank)
{
  guint all[8];
  gsize bytes[8];
  gint64 times[8], come;
  for (guint k = 0; k < rank->n_ranks; k++) {
    all[k] = k;
    bytes[k] = sizeof come;
  }
  OlCommGroup *group = ol_comm_get_group(rank->comm, all, rank->n_ranks);

  for (guint round = 1; round <= 300; round++) {
    dawdle(rank);
    come = ol_clock_now_ns();
    expect(rank, ol_comm_barrier(group, rank->rank), "barrier failed");
    gint64 left = ol_clock_now_ns();
    expect(rank, ol_comm_all_gather(group, rank->rank, &come, times, bytes), "all-gather failed");
    for (guint k = 0; k < rank->n_ranks; k++)
      expect(rank, times[k] <= left, "round %u was left before rank %u came", round, k);
  }
}

START_TEST(barrier_holds)
{
  static const guint worlds[] = {1, 2, 3, 4, 8};
  run_ranks(worlds[_i], come_and_go, NULL);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("groups");
  tcase_set_timeout(tcase, 120);
  tcase_add_test(tcase, grid_of_ranks);
  tcase_add_test(tcase, sums_follow_the_groups_order);
  tcase_add_test(tcase, blocks_follow_the_groups_order);
  tcase_add_loop_test(tcase, barrier_holds, 0, 5);
  return run_suite("groups", tcase);
}
