/* The host's update, as a run makes it, against the bytes it moves and against three passes. */
#include "app/cli/bench-traffic.h"
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/memory/disk.h"
#include "engine/run/update-pool.h"

#include <stdio.h>
#include <sys/mman.h>

#define BYTES_MOVED   28u /* a parameter: 14 read, 14 written */
#define BYTES_HELD    20u /* master, two moments, gradient, weight; fp32 gradient of three passes */
#define SAMPLES       7u
#define SAMPLE_NS     (50 * OL_NS_PER_SECOND / 1000) /* at least, so that the clock is no matter */
#define LARGEST       50u /* million parameters: far beyond every cache */
#define TIMES_AS_FAST 2.0 /* as cast up, fp32 update, cast out */

typedef struct {
  OlAdamSpan span;   /* bf16 gradient in, bf16 weight out */
  float *gradient32; /* of the three passes */
  guint threads;
  OlUpdatePool *pool;
} Bench;

typedef void (*Pass)(const Bench *bench);

/* All arrays in a mapping of their own: each begins on a cache line. Huge pages are what a run asks
 * for its host tier (engine/run/memory.c); ordinary ones are what a framework's tensors lie in. */
static gboolean map_arrays(Bench *bench, gsize parameters, gboolean huge, GError **error)
{
  gsize bytes = parameters * BYTES_HELD;
  char *base = ol_bench_map("adam", bytes, error);
  if (!base)
    return FALSE;
  if (huge)
    ol_disk_prefers_huge(base, bytes);
  uint16_t *gradient = (uint16_t *)(base + parameters * 12);
  bench->span = (OlAdamSpan){.elements = parameters,
                             .master = (float *)base,
                             .moment1 = (float *)base + parameters,
                             .moment2 = (float *)base + 2 * parameters,
                             .gradient = gradient,
                             .weights_out = gradient + parameters,
                             .decays = TRUE};
  bench->gradient32 = (float *)base + 4 * parameters;
  for (gsize i = 0; i < parameters; i++) {
    bench->span.master[i] = 0.02f;
    bench->span.moment1[i] = 0.001f;
    bench->span.moment2[i] = 0.0001f;
    bench->gradient32[i] = 0.01f;
    gradient[i] = ol_bf16_from_float(0.01f);
    bench->span.weights_out[i] = 0;
  }
  return TRUE;
}

static OlAdamScalars scalars(void)
{
  static const OlAdamSettings settings = {0.001, 0.9, 0.95, 1e-8, 0.1};
  return ol_adam_scalars(&settings, 10);
}

/* ---- passes ---- */

static void pass_fused(const Bench *bench)
{
  OlAdamScalars k = scalars();
  ol_update_pool_run(bench->pool, &k, &bench->span, 1);
}

/* One thread's share of the arrays. */
static OlAdamSpan share(const Bench *bench, guint thread)
{
  OlAdamSpan part = bench->span;
  gsize line = 32, lines = part.elements / line; /* shares begin on cache lines */
  gsize begin = lines * thread / bench->threads * line;
  gsize end =
      thread + 1 < bench->threads ? lines * (thread + 1) / bench->threads * line : part.elements;
  part.elements = end - begin;
  part.master += begin;
  part.moment1 += begin;
  part.moment2 += begin;
  part.gradient = (const uint16_t *)part.gradient + begin;
  part.weights_out += begin;
  return part;
}

static void pass_traffic(const Bench *bench)
{
#pragma omp parallel for num_threads((int)bench->threads) schedule(static, 1)
  for (guint thread = 0; thread < bench->threads; thread++) {
    OlAdamSpan part = share(bench, thread);
    ol_bench_traffic(&part);
  }
}

/* What an offload path without a fused kernel does: bf16 gradient to fp32, an fp32 update, fp32
 * master to bf16 weight, each over all parameters before the next. By their bytes alone (10, 28 and
 * 8 a parameter, with the lines that plain stores fetch first) that is 1.6 times the fused update.
 * DeepSpeed 0.19.8's own (copy_, CPUAdam, copy_) took 0.87 to 1.0 of their time beside them. */
static void pass_three(const Bench *bench)
{
  OlAdamScalars k = scalars();
  OlAdamSpan fp32 = bench->span;
#pragma omp parallel for num_threads((int)bench->threads) schedule(static, 1)
  for (guint thread = 0; thread < bench->threads; thread++) {
    OlAdamSpan part = share(bench, thread);
    gsize first = (gsize)(part.master - bench->span.master);
    ol_bench_cast_up(part.gradient, bench->gradient32 + first, part.elements);
  }
  fp32.gradient = bench->gradient32;
  fp32.gradient_is_fp32 = TRUE;
  fp32.weights_out = NULL;
  ol_update_pool_run(bench->pool, &k, &fp32, 1);
#pragma omp parallel for num_threads((int)bench->threads) schedule(static, 1)
  for (guint thread = 0; thread < bench->threads; thread++) {
    OlAdamSpan part = share(bench, thread);
    ol_bench_cast_out(part.master, part.weights_out, part.elements);
  }
}

/* ---- measuring ---- */

/* ns a parameter of `times` passes. */
static double time_passes(Pass pass, const Bench *bench, guint times)
{
  gint64 begin = ol_clock_now_ns();
  for (guint i = 0; i < times; i++)
    pass(bench);
  return (double)(ol_clock_now_ns() - begin) / times / (double)bench->span.elements;
}

static gboolean print(const Bench *bench, const char *what, double value, double limit,
                      gboolean is_target, GError **error)
{
  gsize parameters = bench->span.elements;
  OlBenchLine line = {.bench = "adam",
                      .unit = "ns/parameter",
                      .value = value,
                      .limit = limit,
                      .is_target = is_target,
                      .bytes = parameters * BYTES_MOVED};
  snprintf(line.name, sizeof line.name, "%" G_GSIZE_FORMAT "M %s %u thread%s", parameters / 1000000,
           what, bench->threads, bench->threads > 1 ? "s" : "");
  return ol_bench_print(&line, error);
}

/* By turns, since a machine's speed drifts by more than they differ. The moments are set again by
 * each update's gradients, so that nothing meets denormals. `three`, which may be NULL, has arrays
 * of its own on ordinary pages; what the passes cost on the fused update's pages is told as well.
 */
static gboolean measure_with(Bench *bench, Bench *three, guint threads, GError **error)
{
  double fused[SAMPLES], traffic[SAMPLES], passes[SAMPLES], alike[SAMPLES];
  OlUpdatePool *pool = ol_update_pool_new(threads);
  bench->threads = threads;
  bench->pool = pool;
  double once_ns = time_passes(pass_fused, bench, 1) * (double)bench->span.elements;
  guint times = 1 + (guint)(SAMPLE_NS / once_ns);
  if (three) {
    three->threads = threads;
    three->pool = pool;
  }
  for (guint i = 0; i < SAMPLES; i++) {
    fused[i] = time_passes(pass_fused, bench, times);
    traffic[i] = time_passes(pass_traffic, bench, times);
    passes[i] = three ? time_passes(pass_three, three, times) : 0;
    alike[i] = three ? time_passes(pass_three, bench, times) : 0;
  }
  ol_update_pool_free(pool);

  double value = ol_bench_median(fused, SAMPLES);
  return print(bench, "fused", value, ol_bench_median(traffic, SAMPLES), FALSE, error) &&
         (!three || (print(bench, "fused vs three passes", value,
                           ol_bench_median(passes, SAMPLES) / TIMES_AS_FAST, TRUE, error) &&
                     print(bench, "fused vs three on huge pages", value,
                           ol_bench_median(alike, SAMPLES) / TIMES_AS_FAST, TRUE, error)));
}

static gboolean measure(guint millions, GError **error)
{
  gsize parameters = (gsize)millions * 1000000;
  Bench bench = {0}, three = {0};
  gboolean with_three = millions == LARGEST;
  if (!map_arrays(&bench, parameters, TRUE, error))
    return FALSE;
  gboolean measured = (!with_three || map_arrays(&three, parameters, FALSE, error)) &&
                      measure_with(&bench, with_three ? &three : NULL, 1, error) &&
                      measure_with(&bench, with_three ? &three : NULL, 2, error);
  munmap(bench.span.master, parameters * BYTES_HELD);
  if (three.span.master)
    munmap(three.span.master, parameters * BYTES_HELD);
  return measured;
}

gboolean ol_bench_adam(GError **error)
{
  return measure(1, error) && measure(10, error) && measure(LARGEST, error);
}
