/* Benches: each prints lines of one form, so that a figure is always
 * read beside the limit it is held against. */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

typedef struct {
  const char *bench;
  char name[48];    /* the case: "50M fused 1 thread" */
  double value;     /* a time: less is better */
  const char *unit; /* "ns/parameter" */
  double limit;     /* of the same unit, measured in the same run unless it is a target */
  gboolean is_target;
  guint64 bytes; /* moved by one run of the case */
} OlBenchLine;

/* One JSON object on standard output; ratio = limit / value. */
gboolean ol_bench_print(const OlBenchLine *line, GError **error);

/* Memory of its own for the bench of that name, to be given back with munmap(). */
void *ol_bench_map(const char *bench, gsize bytes, GError **error);

/* Middle of n values, which are sorted. */
double ol_bench_median(double *values, guint n);

/* Seconds of a core that this thread has had: for what is a function of one thread, and other
 * programs are not its affair. */
double ol_bench_core_seconds(void);

gboolean ol_bench_adam(GError **error);
gboolean ol_bench_comm(GError **error);
gboolean ol_bench_copy(GError **error);
gboolean ol_bench_draw(GError **error);
gboolean ol_bench_nvme(GError **error);
gboolean ol_bench_overhead(GError **error);
gboolean ol_bench_plan(GError **error);
gboolean ol_bench_step(GError **error);

G_END_DECLS
