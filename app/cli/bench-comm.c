/* Collectives between threads, against threads of the same number that copy as many bytes.
 *
 * The bytes are those that must reach a rank from others: a sum or a gathering of n bytes over p
 * ranks brings (p - 1)/p · n to each, an all-reduce both, a broadcast n to all but one, a message
 * n to one. */
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/base/measure.h"
#include "engine/comm/comm.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_RANKS   4u
#define SAMPLES     9u
#define SAMPLE_NS   (20 * OL_NS_PER_SECOND / 1000) /* at least, so that the clock is no matter */
#define MAX_REPEATS 2000u

typedef enum { ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST, SEND, N_KINDS } Kind;

static const char *const kind_names[] = {"all-reduce", "reduce-scatter", "all-gather", "broadcast",
                                         "send"};

typedef struct {
  Kind kind;
  guint n_ranks;
  gsize bytes;
  guint repeats; /* of a sample */
  OlComm *comm;
  OlCommGroup *group;
  char *sources[MAX_RANKS], *targets[MAX_RANKS]; /* [bytes] each */
  gint64 begin_ns[MAX_RANKS], end_ns[MAX_RANKS]; /* of the sample */
  double call_us[SAMPLES], copy_us[SAMPLES];     /* written by rank 0 */
} Bench;

typedef struct {
  Bench *bench;
  guint rank;
  pthread_t thread;
} Runner;

/* Bytes that come to `rank`. */
static gsize received(const Bench *bench, guint rank)
{
  gsize others = bench->bytes - bench->bytes / bench->n_ranks;
  switch (bench->kind) {
  case ALL_REDUCE:
    return 2 * others;
  case BROADCAST:
    return rank == 0 ? 0 : bench->bytes;
  case SEND:
    return rank == 1 ? bench->bytes : 0;
  default:
    return others;
  }
}

static void call(const Bench *bench, guint rank)
{
  gsize part = bench->bytes / bench->n_ranks, counts[MAX_RANKS], parts[MAX_RANKS];
  char *source = bench->sources[rank], *target = bench->targets[rank];

  for (guint k = 0; k < MAX_RANKS; k++) {
    parts[k] = part;
    counts[k] = part / ol_dtype_bytes(OL_DTYPE_BF16);
  }
  switch (bench->kind) {
  case ALL_REDUCE:
    ol_comm_all_reduce(bench->group, rank, source, target,
                       bench->bytes / ol_dtype_bytes(OL_DTYPE_BF16), OL_DTYPE_BF16);
    break;
  case REDUCE_SCATTER:
    ol_comm_reduce_scatter(bench->group, rank, source, target, counts, OL_DTYPE_BF16,
                           OL_DTYPE_BF16);
    break;
  case ALL_GATHER:
    ol_comm_all_gather(bench->group, rank, source, target, parts);
    break;
  case BROADCAST:
    ol_comm_broadcast(bench->group, rank, 0, target, bench->bytes);
    break;
  default:
    if (rank == 0) {
      ol_comm_send(bench->comm, 0, 1, 0, source, bench->bytes);
    } else if (rank == 1) {
      ol_comm_post_receive(bench->comm, 1, 0, 0, target, bench->bytes);
      ol_comm_wait_receive(bench->comm, 1, 0, 0);
    }
  }
}

static void copy(const Bench *bench, guint rank)
{
  gsize left = received(bench, rank);
  while (left > 0) {
    gsize piece = MIN(left, bench->bytes);
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
  for (guint k = 1; k < bench->n_ranks; k++) {
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

  for (guint i = 0; i < SAMPLES; i++) {
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
  Runner runners[MAX_RANKS];
  guint started = 0;
  int answer = 0;

  for (; started < bench->n_ranks && answer == 0; started += answer == 0) {
    runners[started] = (Runner){bench, started};
    answer = pthread_create(&runners[started].thread, NULL, runner_main, &runners[started]);
  }
  if (answer != 0)
    ol_comm_abort(bench->comm, started, "has no thread");
  for (guint i = 0; i < started; i++)
    pthread_join(runners[i].thread, NULL);
  if (answer != 0)
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench comm needs %u threads: %s", bench->n_ranks,
                g_strerror(answer));
  return answer == 0;
}

static gboolean print(Bench *bench, const char *size, GError **error)
{
  OlBenchLine line = {.bench = "comm", .unit = "us"};
  for (guint rank = 0; rank < bench->n_ranks; rank++)
    line.bytes += received(bench, rank);
  line.value = ol_bench_median(bench->call_us, SAMPLES);
  line.limit = ol_bench_median(bench->copy_us, SAMPLES);
  snprintf(line.name, sizeof line.name, "%s %s %u ranks", kind_names[bench->kind], size,
           bench->n_ranks);
  return ol_bench_print(&line, error);
}

static gboolean measure(Kind kind, guint n_ranks, gsize bytes, char *memory, GError **error)
{
  static const guint all[MAX_RANKS] = {0, 1, 2, 3};
  g_autoptr(OlComm) comm = ol_comm_new_threads(n_ranks);
  g_autofree char *size = ol_measure_dup_bytes((double)bytes);
  Bench bench = {.kind = kind,
                 .n_ranks = n_ranks,
                 .bytes = bytes,
                 .comm = comm,
                 .group = ol_comm_get_group(comm, all, n_ranks)};

  for (guint rank = 0; rank < n_ranks; rank++) {
    bench.sources[rank] = memory + 2 * rank * bytes;
    bench.targets[rank] = bench.sources[rank] + bytes;
  }
  /* As many as make a sample long enough at 10 GB/s and 10 µs a call. */
  bench.repeats = CLAMP((guint)(SAMPLE_NS / (10000 + bytes * n_ranks / 10)), 1, MAX_REPEATS);
  return run_ranks(&bench, error) && print(&bench, size, error);
}

gboolean ol_bench_comm(GError **error)
{
  static const gsize sizes[] = {1 << 10, 1 << 20, 64 << 20};
  gsize all = 2 * MAX_RANKS * sizes[G_N_ELEMENTS(sizes) - 1];
  gboolean measured = TRUE;
  char *memory = ol_bench_map("comm", all, error);

  if (!memory)
    return FALSE;
  memset(memory, 0x3c, all); /* bf16 values of about 0.01 */
  for (guint s = 0; s < G_N_ELEMENTS(sizes); s++) {
    for (guint n_ranks = 2; n_ranks <= MAX_RANKS; n_ranks *= 2) {
      for (Kind kind = 0; kind < N_KINDS && measured; kind++)
        measured = measure(kind, n_ranks, sizes[s], memory, error);
    }
  }
  munmap(memory, all);
  return measured;
}
