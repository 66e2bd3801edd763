#include "app/cli/bench-comm-case.h"

#include "app/cli/bench.h"
#include "engine/base/clock.h"

#include <pthread.h>
#include <string.h>

typedef struct {
  const OlBenchComm *of;
  guint repeats; /* of a sample */
  OlComm *comm;
  OlCommGroup *group;
  char *sources[OL_BENCH_COMM_MOST_RANKS], *targets[OL_BENCH_COMM_MOST_RANKS]; /* [bytes] each */
  gint64 begin_ns[OL_BENCH_COMM_MOST_RANKS], end_ns[OL_BENCH_COMM_MOST_RANKS]; /* of the sample */
  double call_us[OL_BENCH_COMM_SAMPLES], copy_us[OL_BENCH_COMM_SAMPLES]; /* written by rank 0 */
} Bench;

typedef struct {
  Bench *bench;
  guint rank;
  pthread_t thread;
} Runner;

/* Bytes that come to `rank`. */
static gsize received(const Bench *bench, guint rank)
{
  gsize others = bench->of->bytes - bench->of->bytes / bench->of->n_ranks;
  switch (bench->of->kind) {
  case OL_BENCH_ALL_REDUCE:
    return 2 * others;
  case OL_BENCH_BROADCAST:
    return rank == 0 ? 0 : bench->of->bytes;
  case OL_BENCH_SEND:
    return rank == 1 ? bench->of->bytes : 0;
  default:
    return others;
  }
}

static void call(const Bench *bench, guint rank)
{
  OlDtype dtype = bench->of->dtype;
  gsize part = bench->of->bytes / bench->of->n_ranks, counts[OL_BENCH_COMM_MOST_RANKS],
        parts[OL_BENCH_COMM_MOST_RANKS];
  char *source = bench->sources[rank], *target = bench->targets[rank];

  for (guint k = 0; k < OL_BENCH_COMM_MOST_RANKS; k++) {
    parts[k] = part;
    counts[k] = part / ol_dtype_bytes(dtype);
  }
  switch (bench->of->kind) {
  case OL_BENCH_ALL_REDUCE:
    ol_comm_all_reduce(bench->group, rank, source, target, bench->of->bytes / ol_dtype_bytes(dtype),
                       dtype);
    break;
  case OL_BENCH_REDUCE_SCATTER:
    ol_comm_reduce_scatter(bench->group, rank, source, target, counts, dtype, dtype);
    break;
  case OL_BENCH_ALL_GATHER:
    ol_comm_all_gather(bench->group, rank, source, target, parts);
    break;
  case OL_BENCH_BROADCAST:
    ol_comm_broadcast(bench->group, rank, 0, target, bench->of->bytes);
    break;
  default:
    if (rank == 0) {
      ol_comm_send(bench->comm, 0, 1, 0, source, bench->of->bytes);
    } else if (rank == 1) { /* a slot is booked ahead of the message that fills it */
      ol_comm_post_receive(bench->comm, 1, 0, 0, target, bench->of->bytes);
      ol_comm_wait_receive(bench->comm, 1, 0, 0);
    }
  }
}

static void copy(const Bench *bench, guint rank)
{
  gsize left = received(bench, rank);
  while (left > 0) {
    gsize piece = MIN(left, bench->of->bytes);
    memcpy(bench->targets[rank], bench->sources[rank], piece);
    left -= piece;
  }
}

/* µs of one, from the first rank's start to the last one's end; told by rank 0. */
static double time_all(void (*one)(const Bench *bench, guint rank), Bench *bench, guint rank)
{
  ol_comm_barrier(bench->group, rank);
  bench->begin_ns[rank] = ol_clock_now_ns();
  for (guint i = 0; i < bench->repeats; i++) {
    one(bench, rank);
    __asm__ volatile("" ::: "memory"); /* equal copies in a row are still copies */
  }
  bench->end_ns[rank] = ol_clock_now_ns();
  ol_comm_barrier(bench->group, rank);
  if (rank > 0)
    return 0;

  gint64 begin = bench->begin_ns[0], end = bench->end_ns[0];
  for (guint k = 1; k < bench->of->n_ranks; k++) {
    begin = MIN(begin, bench->begin_ns[k]);
    end = MAX(end, bench->end_ns[k]);
  }
  return (double)(end - begin) / 1000 / bench->repeats;
}

/* By turns, since a machine's speed drifts by more than the two differ. */
static void *runner_main(void *data)
{
  Runner *runner = data;
  Bench *bench = runner->bench;

  if (bench->of->kind == OL_BENCH_SEND && runner->rank == 1)
    ol_comm_post_receive(bench->comm, 1, 0, 0, bench->targets[1], bench->of->bytes);
  for (guint i = 0; i < OL_BENCH_COMM_SAMPLES; i++) {
    double call_us = time_all(call, bench, runner->rank);
    double copy_us = time_all(copy, bench, runner->rank);
    if (runner->rank == 0) {
      bench->call_us[i] = call_us;
      bench->copy_us[i] = copy_us;
    }
  }
  return NULL;
}

static gboolean run_ranks(Bench *bench, GError **error)
{
  Runner runners[OL_BENCH_COMM_MOST_RANKS];
  guint started = 0;
  int answer = 0;

  for (; started < bench->of->n_ranks && answer == 0; started += answer == 0) {
    runners[started] = (Runner){bench, started};
    answer = pthread_create(&runners[started].thread, NULL, runner_main, &runners[started]);
  }
  if (answer != 0)
    ol_comm_abort(bench->comm, started, "has no thread");
  for (guint i = 0; i < started; i++)
    pthread_join(runners[i].thread, NULL);
  if (answer != 0)
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench comm needs %u threads: %s",
                bench->of->n_ranks, g_strerror(answer));
  return answer == 0;
}

guint64 ol_bench_comm_received(const OlBenchComm *of)
{
  Bench bench = {.of = of};
  guint64 all = 0;
  for (guint rank = 0; rank < of->n_ranks; rank++)
    all += received(&bench, rank);
  return all;
}

gboolean ol_bench_comm_time(const OlBenchComm *of, char *memory, double *call_us, double *copy_us,
                            GError **error)
{
  static const guint all[OL_BENCH_COMM_MOST_RANKS] = {0, 1, 2, 3};
  g_autoptr(OlComm) comm = ol_comm_new_threads(of->n_ranks);
  Bench bench = {.of = of, .comm = comm, .group = ol_comm_get_group(comm, all, of->n_ranks)};

  for (guint rank = 0; rank < of->n_ranks; rank++) {
    bench.sources[rank] = memory + 2 * rank * of->bytes;
    bench.targets[rank] = bench.sources[rank] + of->bytes;
  }
  bench.repeats = ol_bench_comm_repeats(of->n_ranks, of->bytes);
  if (!run_ranks(&bench, error))
    return FALSE;
  *call_us = ol_bench_median(bench.call_us, OL_BENCH_COMM_SAMPLES);
  *copy_us = ol_bench_median(bench.copy_us, OL_BENCH_COMM_SAMPLES);
  return TRUE;
}
