/* offload-lab-cli bench: how near to this machine's limits the engine gets. */
#include "app/cli/bench.h"

#include "engine/base/clock.h"
#include "engine/base/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static const struct {
  const char *name, *summary;
  gboolean (*run)(GError **error);
} benches[] = {
    {"adam", "AdamW on the host, against a loop that moves the same bytes and three passes",
     ol_bench_adam},
    {"comm", "collectives between ranks, against copies of the same bytes", ol_bench_comm},
    {"copy", "the virtual GPU's copies, against memcpy", ol_bench_copy},
    {"draw", "the charts by the number of spans, and loading a trace", ol_bench_draw},
    {"nvme", "the NVMe tier, against a bare io_uring loop on the same file", ol_bench_nvme},
    {"overhead", "what the executor costs a node, and recording a step", ol_bench_overhead},
    {"plan", "plans and simulations of many nodes", ol_bench_plan},
    {"step", "a whole step on the virtual GPU, against its flops at the best product's rate",
     ol_bench_step},
};

gboolean ol_bench_print(const OlBenchLine *line, GError **error)
{
  char value[G_ASCII_DTOSTR_BUF_SIZE], limit[G_ASCII_DTOSTR_BUF_SIZE];
  char ratio[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strdup_printf(
      "{\"bench\":\"%s\",\"case\":\"%s\",\"value\":%s,\"unit\":\"%s\",\"limit\":%s,"
      "\"limit_is\":\"%s\",\"ratio\":%s,\"bytes\":%" G_GUINT64_FORMAT "}\n",
      line->bench, line->name, g_ascii_formatd(value, sizeof value, "%.4g", line->value),
      line->unit, g_ascii_formatd(limit, sizeof limit, "%.4g", line->limit),
      line->is_target ? "target" : "measured",
      g_ascii_formatd(ratio, sizeof ratio, "%.4g", line->limit / line->value), line->bytes);
  return ol_cli_print(text, error);
}

void *ol_bench_map(const char *bench, gsize bytes, GError **error)
{
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    return memory;
  int code = errno;
  g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench %s needs %s of memory: %s", bench, asked,
              g_strerror(code));
  return NULL;
}

static int compare(const void *a, const void *b)
{
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

double ol_bench_median(double *values, guint n)
{
  qsort(values, n, sizeof *values, compare);
  return values[n / 2];
}

double ol_bench_core_seconds(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / (double)OL_NS_PER_SECOND;
}

OlExit ol_command_bench(int argc, char **argv)
{
  g_autoptr(GString) details = g_string_new("Without NAME all of them:");
  g_autoptr(GError) error = NULL;
  gboolean found = FALSE;
  OlExit status;

  for (guint i = 0; i < G_N_ELEMENTS(benches); i++)
    g_string_append_printf(details, "\n  %-8s %s", benches[i].name, benches[i].summary);
  if (!ol_cli_parse("[NAME]", details->str, NULL, &argc, &argv, 1, &status))
    return status;
  for (guint i = 0; i < G_N_ELEMENTS(benches); i++) {
    if (argc > 1 && strcmp(argv[1], benches[i].name) != 0)
      continue;
    found = TRUE;
    if (!benches[i].run(&error))
      return ol_cli_fail(error);
  }
  if (found)
    return OL_EXIT_DONE;
  ol_cli_complain("there is no bench \"%s\"; see offload-lab-cli bench --help", argv[1]);
  return OL_EXIT_BAD_INPUT;
}
