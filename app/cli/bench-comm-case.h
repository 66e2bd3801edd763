/* One case of bench comm: a collective of so many bytes between so many ranks. */
#pragma once

#include "app/cli/bench-comm-kinds.h"
#include "engine/comm/comm.h"

G_BEGIN_DECLS

typedef struct {
  OlBenchCommKind kind;
  guint n_ranks; /* 2 to OL_BENCH_COMM_MOST_RANKS */
  gsize bytes;
  OlDtype dtype; /* of what is summed */
} OlBenchComm;

/* Bytes that must come to the ranks from others, all ranks together. A sum or a gathering of n
 * bytes over p ranks brings (p - 1)/p · n to each, an all-reduce both, a broadcast n to all but
 * one, a message n to one. */
guint64 ol_bench_comm_received(const OlBenchComm *of);

/* Medians, in µs: of the call between threads, and of as many threads that copy as many bytes, by
 * turns. memory: [2 · n_ranks · bytes]. */
gboolean ol_bench_comm_time(const OlBenchComm *of, char *memory, double *call_us, double *copy_us,
                            GError **error);

G_END_DECLS
