/* What bench comm and the program that does the same over Open MPI have in common: what is
 * measured, and how often. Without the lab's own collectives. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OL_BENCH_COMM_MOST_RANKS 4u
#define OL_BENCH_COMM_SAMPLES    9u

typedef enum {
  OL_BENCH_ALL_REDUCE,
  OL_BENCH_REDUCE_SCATTER,
  OL_BENCH_ALL_GATHER,
  OL_BENCH_BROADCAST,
  OL_BENCH_SEND,
  OL_BENCH_N_KINDS
} OlBenchCommKind;

static const gsize ol_bench_comm_sizes[] = {1 << 10, 1 << 20, 64 << 20};

/* Calls of a sample: as many as make it 20 ms long at 10 GB/s and 10 µs a call, so that the clock
 * is no matter. */
static inline guint ol_bench_comm_repeats(guint n_ranks, gsize bytes)
{
  return CLAMP((guint)(20000000 / (10000 + bytes * n_ranks / 10)), 1, 2000);
}

G_END_DECLS
