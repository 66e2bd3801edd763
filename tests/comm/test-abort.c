/* Failure: one rank's ends every call on all ranks, at any moment, and leaves their memory alone.
 */
#include "engine/base/clock.h"
#include "tests/comm/ranks.h"
#include "tests/suite.h"

#include <string.h>

#define N     100000u
#define LIMIT (5 * OL_NS_PER_SECOND) /* for all ranks to be out */

static OlCommGroup *world(Rank *rank)
{
  return ol_comm_get_group(rank->comm, (guint[]){0, 1, 2, 3}, 4);
}

typedef enum {
  BARRIER,
  ALL_REDUCE,
  REDUCE_SCATTER,
  ALL_GATHER,
  BROADCAST,
  SEND,
  RECEIVE,
  N_CALLS
} Call;

/* values: [4 · N] */
static gboolean make_call(Rank *rank, Call call, float *values, gsize n)
{
  guint me = rank->rank;
  gsize counts[] = {n, n, n, n}, bytes[] = {4 * n, 4 * n, 4 * n, 4 * n};

  switch (call) {
  case BARRIER:
    return ol_comm_barrier(world(rank), me);
  case ALL_REDUCE:
    return ol_comm_all_reduce(world(rank), me, values, values, 4 * n, OL_DTYPE_FP32);
  case REDUCE_SCATTER:
    return ol_comm_reduce_scatter(world(rank), me, values, values + me * n, counts, OL_DTYPE_FP32,
                                  OL_DTYPE_FP32);
  case ALL_GATHER:
    return ol_comm_all_gather(world(rank), me, values + me * n, values, bytes);
  case BROADCAST:
    return ol_comm_broadcast(world(rank), me, 0, values, 4 * n);
  case SEND:
    return ol_comm_send(rank->comm, me, 0, 0, values, 4 * n);
  default:
    ol_comm_post_receive(rank->comm, me, 0, 0, values, 4 * n);
    return ol_comm_wait_receive(rank->comm, me, 0, 0);
  }
}

/* ---- waiting for one that never comes ---- */

typedef struct {
  Call call;
  gsize n;
  gulong delay_us; /* before the abort: while the others spin, or while they sleep */
} Absence;

static void wait_for_rank_0(Rank *rank)
{
  const Absence *absence = rank->data;
  g_autofree float *values = g_new0(float, 4 * N);
  gint64 begin = ol_clock_now_ns();

  if (rank->rank == 0) {
    g_usleep(absence->delay_us);
    ol_comm_abort(rank->comm, 0, "was told to fail");
    ol_comm_abort(rank->comm, 0, "a second failure");
  }
  expect(rank, !make_call(rank, absence->call, values, absence->n), "call %u came back TRUE",
         absence->call);
  expect(rank, !make_call(rank, absence->call, values, absence->n), "a later call came back TRUE");
  expect(rank, ol_clock_now_ns() - begin < LIMIT, "it took too long");
}

START_TEST(nobody_waits_for_a_failed_rank)
{
  static const gulong delays[] = {0, 100, 30000};
  for (guint i = 0; i < 6; i++) {
    g_autoptr(OlComm) comm = new_comm(4);
    ck_assert_ptr_null(ol_comm_dup_failure(comm));
    run_ranks_of(comm, wait_for_rank_0, &(Absence){_i, i < 3 ? 10 : N, delays[i % 3]});
    g_autofree char *failure = ol_comm_dup_failure(comm);
    if (has_local_rank(comm))
      ck_assert_str_eq(failure, "rank 0: was told to fail");
  }
}
END_TEST

/* ---- in the middle of it ---- */

typedef struct {
  Call call;
  guint n_before; /* calls of rank 1 before it fails */
} Moment;

/* After a call has failed its rank's memory is its own again. */
static void expect_quiet(Rank *rank, float *values)
{
  memset(values, 0x11, 4 * N * sizeof *values);
  g_usleep(2000);
  for (guint i = 1; i < 4 * N; i++)
    expect(rank, memcmp(&values[i], &values[0], sizeof *values) == 0, "element %u was touched", i);
}

static void *fail_soon(void *data)
{
  Rank *rank = data;
  const Moment *moment = rank->data;
  g_usleep(moment->n_before * 150);
  ol_comm_abort(rank->comm, 1, "failed in another thread");
  return NULL;
}

static void work_until_failure(Rank *rank)
{
  const Moment *moment = rank->data;
  g_autofree float *values = g_new0(float, 4 * N);
  pthread_t thread;

  if (rank->rank == 1)
    pthread_create(&thread, NULL, fail_soon, rank);
  while (make_call(rank, moment->call, values, N))
    dawdle(rank);
  expect_quiet(rank, values);
  if (rank->rank == 1)
    pthread_join(thread, NULL);
}

START_TEST(memory_is_left_alone)
{
  for (guint n = 0; n < 12; n++)
    run_ranks(4, work_until_failure, &(Moment){_i, n});
}
END_TEST

/* Rank 0 sends to the others over and over; a slot that is being filled is not given up. Messages
 * are long, so that the failure comes while one is copied. */
static void send_until_failure(Rank *rank)
{
  gsize bytes = 4 * N * sizeof(float);
  g_autofree float *values = g_new0(float, 4 * N);
  gboolean goes_on = TRUE;
  pthread_t thread;

  if (rank->rank == 1)
    pthread_create(&thread, NULL, fail_soon, rank);
  while (goes_on && rank->rank > 0) {
    ol_comm_post_receive(rank->comm, rank->rank, 0, 0, values, bytes);
    goes_on = ol_comm_wait_receive(rank->comm, rank->rank, 0, 0);
  }
  while (goes_on) {
    for (guint to = 1; to < 4 && goes_on; to++)
      goes_on = ol_comm_send(rank->comm, 0, to, 0, values, bytes);
  }
  expect_quiet(rank, values);
  if (rank->rank == 1)
    pthread_join(thread, NULL);
}

START_TEST(slots_are_left_alone)
{
  for (guint n = 0; n < 40; n++)
    run_ranks(4, send_until_failure, &(Moment){RECEIVE, n});
}
END_TEST

/* ---- calls that do not fit together ---- */

typedef enum {
  OTHER_CALL,
  OTHER_SIZE,
  OTHER_TYPE,
  OTHER_BLOCKS,
  OTHER_ROOT,
  NO_MEMBER,
  ROOT_OUTSIDE,
  OVERLAP,
  LONG_MESSAGE,
  NO_SLOT,
  NO_RANK
} Mistake;

static const char *const words[] = {"a barrier",         "of 7 elements", "bf16 to bf16",
                                    "other blocks",      "from rank 1",   "no member",
                                    "outside its group", "overlap",       "which has booked",
                                    "without a slot",    "of 2 ranks"};

/* Rank 0 does it right where there is a right way; rank 1 errs. */
static gboolean err(Rank *rank, OlCommGroup *both, OlCommGroup *alone)
{
  gboolean errs = rank->rank == 1;
  gsize blocks[] = {errs ? 8 : 4, errs ? 4 : 8};
  float values[16] = {0};

  switch (*(const Mistake *)rank->data) {
  case OTHER_CALL:
    return errs ? ol_comm_barrier(both, 1)
                : ol_comm_all_reduce(both, 0, values, values, 8, OL_DTYPE_FP32);
  case OTHER_SIZE:
    return ol_comm_all_reduce(both, rank->rank, values, values, errs ? 7 : 8, OL_DTYPE_FP32);
  case OTHER_TYPE:
    return ol_comm_all_reduce(both, rank->rank, values, values, 8,
                              errs ? OL_DTYPE_BF16 : OL_DTYPE_FP32);
  case OTHER_BLOCKS:
    return ol_comm_all_gather(both, rank->rank, values + 8, values, blocks);
  case OTHER_ROOT:
    return ol_comm_broadcast(both, rank->rank, rank->rank, values, 8);
  case NO_MEMBER:
    return ol_comm_barrier(errs ? alone : both, rank->rank);
  case ROOT_OUTSIDE:
    return errs ? ol_comm_broadcast(both, 1, 2, values, 8) : ol_comm_barrier(both, 0);
  case OVERLAP:
    return ol_comm_all_reduce(both, rank->rank, values, values + (errs ? 1 : 0), 8, OL_DTYPE_FP32);
  case LONG_MESSAGE:
    ol_comm_post_receive(rank->comm, rank->rank, 1 - rank->rank, 0, values, 8);
    return errs ? ol_comm_send(rank->comm, 1, 0, 0, values, 9)
                : ol_comm_wait_receive(rank->comm, 0, 1, 0);
  case NO_SLOT:
    return errs ? ol_comm_wait_receive(rank->comm, 1, 0, 3) : ol_comm_barrier(both, 0);
  default:
    return errs ? ol_comm_send(rank->comm, 1, 2, 0, values, 4) : ol_comm_barrier(both, 0);
  }
}

static void err_together(Rank *rank)
{
  OlCommGroup *both = ol_comm_get_group(rank->comm, (guint[]){0, 1}, 2);
  OlCommGroup *alone = ol_comm_get_group(rank->comm, (guint[]){0}, 1);
  expect(rank, !err(rank, both, alone), "a mistake came back TRUE");
}

START_TEST(mistakes_are_told)
{
  for (Mistake mistake = OTHER_CALL; mistake <= NO_RANK; mistake++) {
    g_autoptr(OlComm) comm = new_comm(2);
    run_ranks_of(comm, err_together, &mistake);
    g_autofree char *failure = ol_comm_dup_failure(comm);
    if (!has_local_rank(comm))
      continue;
    ck_assert_msg(failure && strstr(failure, words[mistake]), "mistake %u: %s", mistake, failure);
    ck_assert_msg(g_str_has_prefix(failure, "rank "), "%s", failure);
  }
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("abort");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, nobody_waits_for_a_failed_rank, 0, N_CALLS);
  tcase_add_loop_test(tcase, memory_is_left_alone, ALL_REDUCE, SEND);
  tcase_add_test(tcase, slots_are_left_alone);
  tcase_add_test(tcase, mistakes_are_told);
  return run_suite("abort", tcase);
}
