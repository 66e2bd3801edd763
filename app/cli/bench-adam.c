#include "app/cli/bench-traffic.h"
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/base/measure.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#define BYTES_MOVED 28u /* a parameter: 14 read, 14 written */
#define BYTES_HELD  16u /* master, two moments, gradient, weight */
#define SAMPLES     9u
#define SAMPLE_NS   (50 * OL_NS_PER_SECOND / 1000) /* at least, so that the clock is no matter */

/* The arrays of one update, in a mapping of their own: each begins on a cache line. */
static gboolean map_span(gsize parameters, OlAdamSpan *span, GError **error)
{
  gsize bytes = parameters * BYTES_HELD;
  char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) {
    g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench adam needs %s of memory: %s", asked,
                g_strerror(errno));
    return FALSE;
  }
  uint16_t *gradient = (uint16_t *)(base + parameters * 12);
  *span = (OlAdamSpan){.elements = parameters,
                       .master = (float *)base,
                       .moment1 = (float *)base + parameters,
                       .moment2 = (float *)base + 2 * parameters,
                       .gradient = gradient,
                       .weights_out = gradient + parameters,
                       .decays = TRUE};
  for (gsize i = 0; i < parameters; i++) {
    span->master[i] = 0.02f;
    span->moment1[i] = 0.001f;
    span->moment2[i] = 0.0001f;
    gradient[i] = ol_bf16_from_float(0.01f);
    span->weights_out[i] = 0;
  }
  return TRUE;
}

static void update(const OlAdamSpan *span)
{
  static const OlAdamSettings settings = {0.001, 0.9, 0.95, 1e-8, 0.1};
  OlAdamScalars scalars = ol_adam_scalars(&settings, 10);
  ol_adam_update(&scalars, span);
}

/* ns a parameter of `times` passes. */
static double time_passes(void (*one)(const OlAdamSpan *span), const OlAdamSpan *span, guint times)
{
  gint64 begin = ol_clock_now_ns();
  for (guint i = 0; i < times; i++)
    one(span);
  return (double)(ol_clock_now_ns() - begin) / times / (double)span->elements;
}

static gboolean measure(gsize parameters, GError **error)
{
  OlBenchLine line = {.bench = "adam", .unit = "ns/parameter", .bytes = parameters * BYTES_MOVED};
  double updates[SAMPLES], traffic[SAMPLES];
  OlAdamSpan span;

  if (!map_span(parameters, &span, error))
    return FALSE;
  guint times = 1 + (guint)(SAMPLE_NS / (time_passes(update, &span, 1) * (double)parameters));
  /* By turns, since a machine's speed drifts by more than the two differ. The moments are set
   * again by each update's gradients, so that neither meets denormals. */
  for (guint i = 0; i < SAMPLES; i++) {
    updates[i] = time_passes(update, &span, times);
    traffic[i] = time_passes(ol_bench_traffic, &span, times);
  }
  munmap(span.master, parameters * BYTES_HELD);

  line.value = ol_bench_median(updates, SAMPLES);
  line.limit = ol_bench_median(traffic, SAMPLES);
  snprintf(line.name, sizeof line.name, "%" G_GSIZE_FORMAT "M fused 1 thread",
           parameters / 1000000);
  return ol_bench_print(&line, error);
}

gboolean ol_bench_adam(GError **error)
{
  return measure(1000000, error) && measure(10000000, error) && measure(50000000, error);
}
