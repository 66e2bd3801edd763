/* Collectives against sums written out here: in fp32 in the order of the group, bit for bit; and
 * in fp64, so that the order itself is a sum. Ranks come at random moments. */
#include "tests/comm/ranks.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define GUARD  0x5a
#define ROUNDS 2u

/* Below and above what is copied to be small, whole blocks and not. */
static const gsize sizes[] = {0, 1, 2, 31, 33, 64, 1000, 1025, 2049, 6007};
static const guint worlds[] = {1, 2, 3, 4, 8};
static const OlDtype dtypes[] = {OL_DTYPE_FP32, OL_DTYPE_BF16};

typedef struct {
  guint64 seed;
  gsize n;
  OlDtype dtype, target_dtype;
  gboolean in_place;
} Case;

/* Σ over ranks 0 … n - 1 in that order, as the contract says. */
static float ordered_sum(const Case *c, guint n_ranks, gsize i)
{
  volatile float sum = element(c->seed, 0, i, c->dtype);
  for (guint rank = 1; rank < n_ranks; rank++)
    sum = sum + element(c->seed, rank, i, c->dtype);
  return nearest(sum, c->target_dtype);
}

static void expect_sum(Rank *rank, const Case *c, const void *target, gsize at, gsize i)
{
  double exact = 0, size = 0;
  for (guint k = 0; k < rank->n_ranks; k++) {
    double x = element(c->seed, k, i, c->dtype);
    exact += x;
    size += fabs(x);
  }
  float want = ordered_sum(c, rank->n_ranks, i), got = get(target, at, c->target_dtype);
  double bound = size * rank->n_ranks * ldexp(1, -24) +
                 fabs(exact) * (c->target_dtype == OL_DTYPE_BF16 ? ldexp(1, -8) : 0);
  expect(rank, memcmp(&want, &got, sizeof want) == 0, "element %zu of %zu is %a, not %a", i, c->n,
         got, want);
  expect(rank, fabs(got - exact) <= bound, "element %zu of %zu is %a, far from %a", i, c->n, got,
         exact);
}

static void fill(Rank *rank, const Case *c, void *source)
{
  for (gsize i = 0; i < c->n; i++)
    put(source, i, c->dtype, element(c->seed, rank->rank, i, c->dtype));
}

/* bytes of them and a guard of 64 behind */
static char *guarded(gsize bytes)
{
  char *array = g_malloc(bytes + 64);
  memset(array, GUARD, bytes + 64);
  return array;
}

static void expect_guard(Rank *rank, const char *array, gsize bytes)
{
  for (gsize i = bytes; i < bytes + 64; i++)
    expect(rank, array[i] == GUARD, "byte %zu behind an array of %zu was written", i - bytes,
           bytes);
}

/* Blocks that sum to n, uneven and some empty; alike on all ranks. */
static void divide(const Case *c, guint n_ranks, gsize *counts)
{
  gsize left = c->n;
  for (guint k = 0; k + 1 < n_ranks; k++) {
    counts[k] = draw(c->seed, k, 5, 3) == 0 ? 0 : draw(c->seed, k, 6, left + 1);
    left -= counts[k];
  }
  counts[n_ranks - 1] = left;
}

static gsize first_of(const gsize *counts, guint member)
{
  gsize first = 0;
  for (guint k = 0; k < member; k++)
    first += counts[k];
  return first;
}

static OlCommGroup *world(Rank *rank)
{
  guint all[8];
  for (guint k = 0; k < rank->n_ranks; k++)
    all[k] = k;
  return ol_comm_get_group(rank->comm, all, rank->n_ranks);
}

/* ---- one call of each ---- */

static void one_all_reduce(Rank *rank, const Case *c)
{
  gsize bytes = c->n * ol_dtype_bytes(c->dtype);
  guint64 first, count, before = ol_comm_get_received(rank->comm, rank->rank);
  g_autofree char *source = guarded(bytes), *apart = guarded(bytes);
  char *target = c->in_place ? source : apart;

  fill(rank, c, source);
  dawdle(rank);
  expect(rank, ol_comm_all_reduce(world(rank), rank->rank, source, target, c->n, c->dtype),
         "all-reduce failed");
  for (gsize i = 0; i < c->n; i++)
    expect_sum(rank, c, target, i, i);
  expect_guard(rank, source, bytes);
  expect_guard(rank, apart, bytes);
  ol_comm_shard(c->n, rank->n_ranks, rank->rank, OL_COMM_SUM_BYTES / ol_dtype_bytes(c->dtype),
                &first, &count);
  guint64 want = (count * (rank->n_ranks - 1) + c->n - count) * ol_dtype_bytes(c->dtype);
  guint64 got = ol_comm_get_received(rank->comm, rank->rank) - before;
  expect(rank, got == want, "received %zu B, not %zu", (gsize)got, (gsize)want);
}

static void one_reduce_scatter(Rank *rank, const Case *c)
{
  gsize size = ol_dtype_bytes(c->dtype), counts[8];
  guint64 before = ol_comm_get_received(rank->comm, rank->rank);
  divide(c, rank->n_ranks, counts);
  gsize first = first_of(counts, rank->rank), count = counts[rank->rank];
  gsize target_bytes = count * ol_dtype_bytes(c->target_dtype);
  g_autofree char *source = guarded(c->n * size), *apart = guarded(target_bytes);
  char *target = c->in_place ? source + first * size : apart;

  fill(rank, c, source);
  dawdle(rank);
  expect(rank,
         ol_comm_reduce_scatter(world(rank), rank->rank, source, target, counts, c->dtype,
                                c->target_dtype),
         "reduce-scatter failed");
  for (gsize i = 0; i < count; i++)
    expect_sum(rank, c, target, i, first + i);
  for (gsize i = 0; i < c->n; i++) {
    if (i < first || i >= first + count)
      expect(rank, get(source, i, c->dtype) == element(c->seed, rank->rank, i, c->dtype),
             "element %zu of the source was changed", i);
  }
  expect_guard(rank, source, c->n * size);
  expect_guard(rank, apart, target_bytes);
  guint64 got = ol_comm_get_received(rank->comm, rank->rank) - before;
  expect(rank, got == count * (rank->n_ranks - 1) * size, "received %zu B", (gsize)got);
}

/* Member k's block holds its own elements from 0 on. */
static void one_all_gather(Rank *rank, const Case *c)
{
  gsize size = ol_dtype_bytes(c->dtype), counts[8], bytes[8];
  guint64 before = ol_comm_get_received(rank->comm, rank->rank);
  divide(c, rank->n_ranks, counts);
  for (guint k = 0; k < rank->n_ranks; k++)
    bytes[k] = counts[k] * size;
  g_autofree char *target = guarded(c->n * size), *apart = guarded(bytes[rank->rank]);
  char *source = c->in_place ? target + first_of(bytes, rank->rank) : apart;

  for (gsize i = 0; i < counts[rank->rank]; i++)
    put(source, i, c->dtype, element(c->seed, rank->rank, i, c->dtype));
  dawdle(rank);
  expect(rank, ol_comm_all_gather(world(rank), rank->rank, source, target, bytes),
         "all-gather failed");
  for (guint k = 0; k < rank->n_ranks; k++) {
    for (gsize i = 0; i < counts[k]; i++)
      expect(rank,
             get(target, first_of(counts, k) + i, c->dtype) == element(c->seed, k, i, c->dtype),
             "element %zu of rank %u's block is wrong", i, k);
  }
  expect_guard(rank, target, c->n * size);
  guint64 got = ol_comm_get_received(rank->comm, rank->rank) - before;
  expect(rank, got == c->n * size - bytes[rank->rank], "received %zu B", (gsize)got);
}

static void one_broadcast(Rank *rank, const Case *c)
{
  gsize bytes = c->n * ol_dtype_bytes(c->dtype);
  guint root = (guint)draw(c->seed, 1, 9, rank->n_ranks);
  guint64 before = ol_comm_get_received(rank->comm, rank->rank);
  g_autofree char *buffer = guarded(bytes);

  fill(rank, c, buffer);
  dawdle(rank);
  expect(rank, ol_comm_broadcast(world(rank), rank->rank, root, buffer, bytes), "broadcast failed");
  for (gsize i = 0; i < c->n; i++)
    expect(rank, get(buffer, i, c->dtype) == element(c->seed, root, i, c->dtype),
           "element %zu is not rank %u's", i, root);
  expect_guard(rank, buffer, bytes);
  guint64 got = ol_comm_get_received(rank->comm, rank->rank) - before;
  expect(rank, got == (rank->rank == root ? 0 : bytes), "received %zu B", (gsize)got);
}

/* ---- all sizes, types, places ---- */

typedef void (*OneCall)(Rank *rank, const Case *c);

static void every_case(Rank *rank, OneCall one)
{
  guint64 seed = 0;
  for (guint round = 0; round < ROUNDS; round++) {
    for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
      for (guint kind = 0; kind < 4; kind++) {
        OlDtype dtype = dtypes[kind % 2];
        one(rank, &(Case){seed++, sizes[s], dtype, dtype, kind >= 2});
        dawdle(rank);
      }
    }
  }
}

static void run_every_case(Rank *rank)
{
  every_case(rank, *(const OneCall *)rank->data);
}

static const OneCall calls[] = {one_all_reduce, one_reduce_scatter, one_all_gather, one_broadcast};

START_TEST(call_at_every_size)
{
  for (guint w = 0; w < G_N_ELEMENTS(worlds); w++)
    run_ranks(worlds[w], run_every_case, &calls[_i]);
}
END_TEST

/* A sum of bf16 that goes on in fp32, and one of fp32 that is finished. */
static void change_type(Rank *rank)
{
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
    one_reduce_scatter(rank, &(Case){s, sizes[s], OL_DTYPE_BF16, OL_DTYPE_FP32, FALSE});
    one_reduce_scatter(rank, &(Case){s, sizes[s], OL_DTYPE_FP32, OL_DTYPE_BF16, FALSE});
  }
}

START_TEST(sum_may_change_its_type)
{
  for (guint w = 0; w < G_N_ELEMENTS(worlds); w++)
    run_ranks(worlds[w], change_type, NULL);
}
END_TEST

/* One after another without a pause between: small ones, whose members may be a call apart, in
 * turn with large ones, whose may not. */
static void mix_calls(Rank *rank)
{
  for (guint64 seed = 0; seed < 400; seed++) {
    gsize n = draw(seed, 0, 3, 4) == 0 ? 5000 : draw(seed, 0, 4, 200);
    OlDtype dtype = dtypes[draw(seed, 0, 7, 2)];
    Case c = {seed, n, dtype, dtype, draw(seed, 0, 8, 2) == 0};
    calls[draw(seed, 0, 2, G_N_ELEMENTS(calls))](rank, &c);
  }
}

START_TEST(calls_mixed)
{
  run_ranks(4, mix_calls, NULL);
}
END_TEST

/* Else the tests of order above would prove nothing. */
START_TEST(order_matters_here)
{
  guint differs = 0;
  for (gsize i = 0; i < 1000; i++) {
    volatile float up = 0, down = 0;
    for (guint k = 0; k < 4; k++) {
      up = up + element(0, k, i, OL_DTYPE_FP32);
      down = down + element(0, 3 - k, i, OL_DTYPE_FP32);
    }
    differs += up != down;
  }
  ck_assert_uint_gt(differs, 100);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("collectives");
  tcase_set_timeout(tcase, 180);
  tcase_add_loop_test(tcase, call_at_every_size, 0, G_N_ELEMENTS(calls));
  tcase_add_test(tcase, sum_may_change_its_type);
  tcase_add_test(tcase, calls_mixed);
  tcase_add_test(tcase, order_matters_here);
  return run_suite("collectives", tcase);
}
