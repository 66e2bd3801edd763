/* Measures what a node's real work is made of, with the very kernels that a run uses, on the sizes
 * that a tiny model has (512 tokens, width 128). Each figure is the lower quartile of several
 * samples: what else the machine does while it is measured only ever adds, and would be kept for
 * good. */
#include "engine/run/calibration.h"

#include "engine/base/clock.h"
#include "engine/device/device.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define TOKENS   512u
#define WIDTH    128u
#define HEADS    4u
#define SEQUENCE 128u
#define WIDE     (4 * WIDTH)

#define SAMPLES 15u
#define PART_NS (150 * OL_NS_PER_SECOND / 1000) /* no new sample of a figure after that */

/* One run of what is measured. */
typedef void (*Work)(gpointer data);

static int compare_ns(gconstpointer a, gconstpointer b)
{
  gint64 left = *(const gint64 *)a, right = *(const gint64 *)b;
  return left < right ? -1 : left > right;
}

/* Seconds of one work(data). The first is not counted: it compiles kernels and touches pages. */
static double quartile_seconds(Work work, gpointer data)
{
  gint64 samples[SAMPLES];
  guint n = 0;

  work(data);
  gint64 start = ol_clock_now_ns();
  do {
    gint64 begin = ol_clock_now_ns();
    work(data);
    samples[n++] = MAX(ol_clock_now_ns() - begin, 1);
  } while (n < SAMPLES && ol_clock_now_ns() - start < PART_NS);
  qsort(samples, n, sizeof *samples, compare_ns);
  return (double)samples[n / 4] / (double)OL_NS_PER_SECOND;
}

/* ---- Kernels ---- */

typedef struct {
  const OlDeviceOps *ops;
  OlDevice *device;
  OlStream *stream;
  char *gpu;      /* the device's memory */
  gsize reserved; /* bytes of it given out */
} Bench;

/* The next piece of GPU memory: [elements] of bf16. */
static uint16_t *take(Bench *bench, gsize elements)
{
  uint16_t *piece = (uint16_t *)(bench->gpu + bench->reserved);
  bench->reserved += (elements * sizeof *piece + 4095) / 4096 * 4096;
  return piece;
}

typedef struct {
  Bench *bench;
  uint16_t *narrow, *weights, *gradient;       /* [512][128] each */
  uint16_t *wide, *wide2;                      /* [512][512] */
  uint16_t *qkv, *probabilities, *d_qkv, *out; /* of one sequence */
  uint16_t *gain, *bias;                       /* [512] */
} Kernels;

#define GPU_BYTES (4u << 20)

/* Ordinary numbers everywhere: zeros and denormals have speeds of their own. */
static void fill(Bench *bench)
{
  gsize n = GPU_BYTES / sizeof(uint16_t);
  g_autofree uint16_t *values = g_new(uint16_t, n);
  for (gsize i = 0; i < n; i++)
    values[i] = ol_bf16_from_float((float)(i % 251) * 0.004f - 0.5f);
  bench->ops->copy(bench->stream, bench->gpu, values, GPU_BYTES);
  bench->ops->stream_synchronize(bench->stream);
}

static Kernels kernels_new(Bench *bench)
{
  return (Kernels){.bench = bench,
                   .narrow = take(bench, TOKENS * WIDTH),
                   .wide = take(bench, TOKENS * WIDE),
                   .wide2 = take(bench, TOKENS * WIDE),
                   .weights = take(bench, WIDE * WIDTH),
                   .gradient = take(bench, WIDE * WIDTH),
                   .qkv = take(bench, SEQUENCE * 3 * WIDTH),
                   .probabilities = take(bench, HEADS * SEQUENCE * SEQUENCE),
                   .d_qkv = take(bench, SEQUENCE * 3 * WIDTH),
                   .out = take(bench, SEQUENCE * WIDTH),
                   .gain = take(bench, WIDE),
                   .bias = take(bench, WIDE)};
}

#define ATTENTION_FLOPS (4.0 * SEQUENCE * SEQUENCE * WIDTH)
#define PRODUCT_FLOPS   (3 * 2.0 * TOKENS * WIDTH * WIDE + 3 * ATTENTION_FLOPS)

/* The three products of a matrix: forward, to its input's gradient, to its own. */
static void launch_matrix(const Kernels *k)
{
  OlMatmul forward = {.m = TOKENS,
                      .n = WIDE,
                      .k = WIDTH,
                      .transpose_b = TRUE,
                      .a = k->narrow,
                      .b = k->weights,
                      .c = k->wide,
                      .dtype = OL_DTYPE_BF16,
                      .c_dtype = OL_DTYPE_BF16};
  OlMatmul to_input = {.m = TOKENS,
                       .n = WIDTH,
                       .k = WIDE,
                       .a = k->wide,
                       .b = k->weights,
                       .c = k->gradient,
                       .dtype = OL_DTYPE_BF16,
                       .c_dtype = OL_DTYPE_BF16};
  OlMatmul to_weights = {.m = WIDE,
                         .n = WIDTH,
                         .k = TOKENS,
                         .transpose_a = TRUE,
                         .a = k->wide,
                         .b = k->narrow,
                         .c = k->gradient,
                         .dtype = OL_DTYPE_BF16,
                         .c_dtype = OL_DTYPE_BF16};

  k->bench->ops->matmul(k->bench->stream, &forward);
  k->bench->ops->matmul(k->bench->stream, &to_input);
  k->bench->ops->matmul(k->bench->stream, &to_weights);
}

static void launch_attention(const Kernels *k)
{
  OlAttentionForward forward = {.batch = 1,
                                .sequence = SEQUENCE,
                                .width = WIDTH,
                                .heads = HEADS,
                                .qkv = k->qkv,
                                .probabilities = k->probabilities,
                                .out = k->out,
                                .dtype = OL_DTYPE_BF16};
  OlAttentionBackward backward = {.batch = 1,
                                  .sequence = SEQUENCE,
                                  .width = WIDTH,
                                  .heads = HEADS,
                                  .qkv = k->qkv,
                                  .probabilities = k->probabilities,
                                  .d_out = k->out,
                                  .d_qkv = k->d_qkv,
                                  .dtype = OL_DTYPE_BF16};

  k->bench->ops->attention_forward(k->bench->stream, &forward);
  k->bench->ops->attention_backward(k->bench->stream, &backward);
}

/* A matrix, and attention in about the share that it has of a block. */
static void run_products(gpointer data)
{
  const Kernels *k = data;

  launch_matrix(k);
  launch_attention(k);
  k->bench->ops->stream_synchronize(k->bench->stream);
}

/* Bytes read and written: GELU both ways (2 + 3 passes), a norm and an add (2 + 3 passes). */
#define ELEMENT_BYTES ((5.0 * TOKENS * WIDE + 5.0 * TOKENS * WIDTH) * sizeof(uint16_t))

static void run_elements(gpointer data)
{
  Kernels *k = data;
  const OlDeviceOps *ops = k->bench->ops;
  OlStream *stream = k->bench->stream;
  gsize n = (gsize)TOKENS * WIDE;
  OlGeluForward gelu = {.n = n, .x = k->wide, .y = k->wide2, .dtype = OL_DTYPE_BF16};
  OlGeluBackward back = {
      .n = n, .x = k->wide, .d_y = k->wide2, .d_x = k->wide2, .dtype = OL_DTYPE_BF16};
  OlNormForward norm = {.rows = TOKENS,
                        .width = WIDTH,
                        .x = k->narrow,
                        .gain = k->gain,
                        .bias = k->bias,
                        .y = k->weights,
                        .dtype = OL_DTYPE_BF16};
  OlAdd add = {.n = (gsize)TOKENS * WIDTH,
               .a = k->narrow,
               .b = k->weights,
               .y = k->gradient,
               .dtype = OL_DTYPE_BF16};

  ops->gelu_forward(stream, &gelu);
  ops->gelu_backward(stream, &back);
  ops->norm_forward(stream, &norm);
  ops->add(stream, &add);
  ops->stream_synchronize(stream);
}

static void measure_kernels(OlCalibration *calibration)
{
  OlDeviceOptions options = {.compute_threads = calibration->compute_threads,
                             .gpu_bytes = GPU_BYTES};
  Bench bench = {.ops = ol_device_virtual()};
  bench.device = bench.ops->open(&options, NULL);
  if (!bench.device)
    return; /* a run will say why it has no device */

  bench.stream = bench.ops->stream_new(bench.device, "calibrate");
  bench.gpu = bench.ops->get_gpu_memory(bench.device);
  Kernels kernels = kernels_new(&bench);
  fill(&bench);
  calibration->product_flops = PRODUCT_FLOPS / quartile_seconds(run_products, &kernels);
  calibration->element_bytes = ELEMENT_BYTES / quartile_seconds(run_elements, &kernels);
  bench.ops->stream_free(bench.stream);
  bench.ops->close(bench.device);
}

/* ---- Host: copies and updates ---- */

#define UNIT_ELEMENTS (12u * WIDTH * WIDTH) /* of a block */
#define UNITS         6u                    /* so that a unit's arrays have left the inner caches */

typedef struct {
  float *states;                 /* [unit][3][elements]: master, moments */
  uint16_t *gradients, *weights; /* [unit][elements] */
} Host;

static void run_copies(gpointer data)
{
  Host *host = data;
  gsize n = (gsize)UNITS * UNIT_ELEMENTS;
  for (gsize i = 0; i < n; i += UNIT_ELEMENTS)
    memcpy(host->weights + i, host->gradients + i, UNIT_ELEMENTS * sizeof(uint16_t));
}

static void run_updates(gpointer data)
{
  Host *host = data;
  OlAdamSettings settings = {
      .learning_rate = 0.001, .beta1 = 0.9, .beta2 = 0.95, .epsilon = 1e-8, .weight_decay = 0.1};
  OlAdamScalars scalars = ol_adam_scalars(&settings, 10);

  for (gsize unit = 0; unit < UNITS; unit++) {
    float *states = host->states + unit * 3 * UNIT_ELEMENTS;
    OlAdamSpan span = {.elements = UNIT_ELEMENTS,
                       .master = states,
                       .moment1 = states + UNIT_ELEMENTS,
                       .moment2 = states + 2 * UNIT_ELEMENTS,
                       .gradient = host->gradients + unit * UNIT_ELEMENTS,
                       .weights_out = host->weights + unit * UNIT_ELEMENTS,
                       .decays = TRUE};
    ol_adam_update(&scalars, &span);
  }
}

static void measure_host(OlCalibration *calibration)
{
  gsize n = (gsize)UNITS * UNIT_ELEMENTS;
  Host host = {.states = g_new(float, 3 * n),
               .gradients = g_new(uint16_t, n),
               .weights = g_new(uint16_t, n)};
  for (gsize i = 0; i < 3 * n; i++)
    host.states[i] = 0.01f; /* ordinary numbers: denormals would be slow */
  for (gsize i = 0; i < n; i++)
    host.gradients[i] = host.weights[i] = ol_bf16_from_float(0.01f);

  calibration->copy_bytes = (double)(n * sizeof(uint16_t)) / quartile_seconds(run_copies, &host);
  calibration->update_seconds = quartile_seconds(run_updates, &host) / (double)n;
  g_free(host.states);
  g_free(host.gradients);
  g_free(host.weights);
}

/* ---- Nodes: one thread tells another ---- */

#define TURNS 100u

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  guint turn; /* even: the caller's, odd: the other thread's */
  gboolean over;
} Table;

/* Waits until the turn is odd or even as asked, stamps, passes it on. FALSE once it is over. */
static gboolean take_turn(Table *table, guint parity)
{
  pthread_mutex_lock(&table->lock);
  while (!table->over && table->turn % 2 != parity)
    pthread_cond_wait(&table->changed, &table->lock);
  gboolean going_on = !table->over;
  if (going_on && ol_clock_now_ns() > 0)
    table->turn++;
  pthread_cond_signal(&table->changed);
  pthread_mutex_unlock(&table->lock);
  return going_on;
}

static void *other_player(void *data)
{
  while (take_turn(data, 1))
    ;
  return NULL;
}

static void run_turns(gpointer data)
{
  for (guint i = 0; i < TURNS; i++)
    take_turn(data, 0);
}

static void measure_nodes(OlCalibration *calibration)
{
  Table table = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, FALSE};
  pthread_t other;

  if (pthread_create(&other, NULL, other_player, &table) != 0)
    return; /* no more threads: a run will say so */
  calibration->node_seconds = quartile_seconds(run_turns, &table) / (2.0 * TURNS);
  pthread_mutex_lock(&table.lock);
  table.over = TRUE;
  pthread_cond_signal(&table.changed);
  pthread_mutex_unlock(&table.lock);
  pthread_join(other, NULL);
}

/* ---- Sleeping: how late a lane wakes that held a node until its due ---- */

#define SLEEPS        200u
#define SLEEP_NS      (OL_NS_PER_SECOND / 2000)
#define MOST_WAKE_SEC 0.002 /* later than that the machine is busy, not slow */

/* A core that computes meanwhile, as one does in a run. */
static void *compute_main(void *data)
{
  atomic_bool *over = data;
  volatile float x = 1;
  while (!atomic_load(over))
    for (guint i = 0; i < 1000; i++)
      x = x * 0.5f + 1;
  return NULL;
}

static gint64 sleep_once(void)
{
  gint64 until = ol_clock_now_ns() + SLEEP_NS;
  struct timespec time = {until / OL_NS_PER_SECOND, until % OL_NS_PER_SECOND};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  return ol_clock_now_ns() - until;
}

static void measure_wakes(OlCalibration *calibration)
{
  gint64 late[SLEEPS];
  atomic_bool over = FALSE;
  pthread_t other;

  if (pthread_create(&other, NULL, compute_main, &over) != 0)
    return;
  for (guint i = 0; i < SLEEPS; i++)
    late[i] = MAX(sleep_once(), 1);
  atomic_store(&over, TRUE);
  pthread_join(other, NULL);
  qsort(late, SLEEPS, sizeof *late, compare_ns);
  double seconds = (double)late[SLEEPS * 99 / 100 - 1] / (double)OL_NS_PER_SECOND;
  calibration->wake_seconds = MIN(seconds, MOST_WAKE_SEC);
}

void ol_calibration_measure(guint compute_threads, OlCalibration *calibration)
{
  /* What stands where the system refuses memory or a thread: a slow machine's figures, since a
   * cost taken too high only makes the scale clock slower. */
  *calibration = (OlCalibration){.compute_threads = compute_threads,
                                 .cores = g_get_num_processors(),
                                 .product_flops = 2e9,
                                 .element_bytes = 5e8,
                                 .copy_bytes = 2e9,
                                 .update_seconds = 1e-8,
                                 .node_seconds = 1e-4,
                                 .wake_seconds = MOST_WAKE_SEC};
  measure_kernels(calibration);
  measure_host(calibration);
  measure_nodes(calibration);
  measure_wakes(calibration);
}
