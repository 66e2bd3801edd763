/* The virtual GPU's whole step, against its flops at the best rate that products reach here. */
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/run/run.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 3u /* of one run and one sample of each product */
#define STEPS  6u /* of a run; the first is not counted */

/* ---- the limit: c = a · b, as many times as fill about a step ---- */

typedef struct {
  dnnl_dim_t m, n, k;
} Product;

static const Product products[] = {{1024, 256, 1024}, {1024, 1024, 256}, {2048, 512, 512}};
#define N_PRODUCTS   G_N_ELEMENTS(products)
#define PRODUCT_SIZE ((gsize)2048 * 2048) /* floats of a matrix, at most */

typedef struct {
  float *a, *b, *c;
} Matrices;

static double product_flops(Product p)
{
  return 2.0 * (double)p.m * (double)p.n * (double)p.k;
}

static gboolean multiply(Product p, const Matrices *matrices, GError **error)
{
  if (dnnl_sgemm('N', 'N', p.m, p.n, p.k, 1, matrices->a, p.k, matrices->b, p.n, 0, matrices->c,
                 p.n) == dnnl_success)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench step: oneDNN refused a product");
  return FALSE;
}

/* Flop/s over about `flops`. */
static gboolean time_product(Product p, const Matrices *matrices, double flops, double *rate,
                             GError **error)
{
  guint times = 1 + (guint)(flops / product_flops(p));
  gint64 begin = ol_clock_now_ns();
  for (guint i = 0; i < times; i++)
    if (!multiply(p, matrices, error))
      return FALSE;
  double seconds = (double)(ol_clock_now_ns() - begin) / (double)OL_NS_PER_SECOND;
  *rate = times * product_flops(p) / seconds;
  return TRUE;
}

/* ---- the step ---- */

static OlRunConfig *new_config(guint threads, GError **error)
{
  g_autofree char *text = g_strdup_printf(
      "{\"steps\": %u,"
      " \"model\": {\"layers\": 4, \"width\": 256, \"heads\": 4, \"sequence\": 128,"
      "             \"vocabulary\": 512},"
      " \"batch\": {\"micro_batch\": 8},"
      " \"placement\": {\"weights\": \"gpu\", \"gradients\": \"gpu\", \"optimizer\": \"gpu\"},"
      " \"optimizer\": {\"runs_on\": \"gpu\"},"
      " \"hardware\": {\"clock\": \"machine\", \"stands_for\": null, \"compute_threads\": %u}}",
      STEPS, threads);
  return ol_run_config_parse(text, -1, "bench step", error);
}

static double step_flops(const OlShape *shape)
{
  double flops = 0;
  for (guint unit = 0; unit < shape->n_units; unit++)
    flops += ol_shape_forward_flops(shape, unit, OL_PIECE_WHOLE) +
             ol_shape_backward_flops(shape, unit, OL_PIECE_WHOLE);
  return flops;
}

/* Appends what each step but the first took, from the end of the one before it. */
static gboolean run_steps(const OlRunConfig *config, GArray *seconds, double *flops, GError **error)
{
  g_autoptr(OlRun) run = ol_run_new(config, NULL, error);
  if (!run)
    return FALSE;
  *flops = step_flops(ol_run_get_plan(run)->shape);
  ol_run_execute(run);
  const OlTrace *trace = ol_run_get_trace(run);
  if (trace->outcome != OL_OUTCOME_DONE) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "bench step: %s", trace->message);
    return FALSE;
  }
  for (guint i = 1; i < trace->steps->len; i++) {
    gint64 ns = ol_trace_step(trace, i)->end_ns - ol_trace_step(trace, i - 1)->end_ns;
    double one = (double)ns / (double)OL_NS_PER_SECOND;
    g_array_append_val(seconds, one);
  }
  return TRUE;
}

static double best_rate(double rates[N_PRODUCTS][ROUNDS])
{
  double best = 0;
  for (guint i = 0; i < N_PRODUCTS; i++)
    best = MAX(best, ol_bench_median(rates[i], ROUNDS));
  return best;
}

/* By turns, since a machine's speed drifts. */
static gboolean measure(guint threads, const Matrices *matrices, GError **error)
{
  g_autoptr(OlRunConfig) config = new_config(threads, error);
  g_autoptr(GArray) seconds = g_array_new(FALSE, FALSE, sizeof(double));
  double rates[N_PRODUCTS][ROUNDS], flops;

  if (!config)
    return FALSE;
  omp_set_num_threads((int)threads);
  for (guint round = 0; round < ROUNDS; round++) {
    if (!run_steps(config, seconds, &flops, error))
      return FALSE;
    for (guint i = 0; i < N_PRODUCTS; i++)
      if (!multiply(products[i], matrices, error) || /* the first compiles it */
          !time_product(products[i], matrices, flops, &rates[i][round], error))
        return FALSE;
  }

  OlBenchLine line = {.bench = "step", .unit = "s"};
  snprintf(line.name, sizeof line.name, "4 layers of 256, %u thread%s", threads,
           threads > 1 ? "s" : "");
  line.value = ol_bench_median((double *)seconds->data, seconds->len);
  line.limit = flops / best_rate(rates);
  return ol_bench_print(&line, error);
}

gboolean ol_bench_step(GError **error)
{
  g_autofree float *floats = g_new(float, 3 * PRODUCT_SIZE);
  Matrices matrices = {floats, floats + PRODUCT_SIZE, floats + 2 * PRODUCT_SIZE};
  for (gsize i = 0; i < 3 * PRODUCT_SIZE; i++)
    floats[i] = (float)(i % 251) * 0.004f - 0.5f;
  return measure(1, &matrices, error) && measure(2, &matrices, error);
}
