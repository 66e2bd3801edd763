/* Collectives between threads, against threads of the same number that copy as many bytes; and
 * against Open MPI, where there is one. */
#include "app/cli/bench-comm-case.h"
#include "app/cli/bench-openmpi.h"
#include "app/cli/bench.h"
#include "engine/base/measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const char *const kind_names[] = {"all-reduce", "reduce-scatter", "all-gather", "broadcast",
                                         "send"};

static gboolean print(const OlBenchComm *of, const char *against, double value, double limit,
                      GError **error)
{
  OlBenchLine line = {.bench = "comm", .value = value, .unit = "us", .limit = limit};
  g_autofree char *size = ol_measure_dup_bytes((double)of->bytes);

  line.bytes = ol_bench_comm_received(of);
  snprintf(line.name, sizeof line.name, "%s %s %u ranks%s", kind_names[of->kind], size, of->n_ranks,
           against);
  return ol_bench_print(&line, error);
}

static gboolean measure(const OlBenchComm *of, char *memory, GError **error)
{
  double call_us, copy_us;
  return ol_bench_comm_time(of, memory, &call_us, &copy_us, error) &&
         print(of, "", call_us, copy_us, error);
}

/* The limit is Open MPI's time. It has no bf16, so both sum fp32. */
static gboolean measure_against(const OlBenchComm *of, double openmpi_us, char *memory,
                                GError **error)
{
  double call_us, copy_us;
  return ol_bench_comm_time(of, memory, &call_us, &copy_us, error) &&
         print(of, " vs openmpi", call_us, openmpi_us, error);
}

static gboolean measure_all(char *memory, GError **error)
{
  for (guint s = 0; s < G_N_ELEMENTS(ol_bench_comm_sizes); s++)
    for (guint n_ranks = 2; n_ranks <= OL_BENCH_COMM_MOST_RANKS; n_ranks *= 2)
      for (guint kind = 0; kind < OL_BENCH_N_KINDS; kind++) {
        OlBenchComm of = {(OlBenchCommKind)kind, n_ranks, ol_bench_comm_sizes[s], OL_DTYPE_BF16};
        if (!measure(&of, memory, error))
          return FALSE;
      }
  return TRUE;
}

/* One start of Open MPI for each number of ranks; where there is none that is said, and no fault.
 */
static gboolean measure_all_against(char *memory, GError **error)
{
  for (guint n_ranks = 2; n_ranks <= OL_BENCH_COMM_MOST_RANKS; n_ranks *= 2) {
    double openmpi_us[G_N_ELEMENTS(ol_bench_comm_sizes)][OL_BENCH_N_KINDS];
    g_autoptr(GError) missing = NULL;

    if (!ol_bench_openmpi_time(n_ranks, openmpi_us, &missing)) {
      g_printerr("bench comm: cases against Open MPI are left out: %s\n", missing->message);
      return TRUE;
    }
    for (guint s = 0; s < G_N_ELEMENTS(ol_bench_comm_sizes); s++)
      for (guint kind = 0; kind < OL_BENCH_N_KINDS; kind++) {
        OlBenchComm of = {(OlBenchCommKind)kind, n_ranks, ol_bench_comm_sizes[s], OL_DTYPE_FP32};
        if (!measure_against(&of, openmpi_us[s][kind], memory, error))
          return FALSE;
      }
  }
  return TRUE;
}

gboolean ol_bench_comm(GError **error)
{
  gsize all =
      2 * OL_BENCH_COMM_MOST_RANKS * ol_bench_comm_sizes[G_N_ELEMENTS(ol_bench_comm_sizes) - 1];
  char *memory = ol_bench_map("comm", all, error);

  if (!memory)
    return FALSE;
  memset(memory, 0x3c, all); /* values of about 0.01, in bf16 and in fp32 */
  gboolean measured = measure_all(memory, error) && measure_all_against(memory, error);
  munmap(memory, all);
  return measured;
}
