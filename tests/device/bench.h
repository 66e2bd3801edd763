/* A device with one stream and a heap in its GPU memory, for tests of kernels: random inputs,
 * poisoned outputs, comparison with figures computed in fp64. */
#pragma once

#include "engine/device/device.h"

typedef struct {
  const OlDeviceOps *ops;
  OlDevice *device;
  OlStream *stream;
  char *gpu;
  gsize used, capacity;
  guint64 random;
} Bench;

/* The thread sanitizer does not know OpenMP's barriers and sees races that are none. */
#ifdef __SANITIZE_THREAD__
#define BENCH_MOST_THREADS 1
#else
#define BENCH_MOST_THREADS 2
#endif

/* A loop test has one run for each element type and for 1 and 2 threads. */
#define BENCH_RUNS         (2 * BENCH_MOST_THREADS)
#define BENCH_DTYPE(run)   ((run) % 2 == 0 ? OL_DTYPE_FP32 : OL_DTYPE_BF16)
#define BENCH_THREADS(run) ((guint)(run) / 2 + 1)

#define BENCH_BYTES ((gsize)64 << 20)

/* The seed comes from the clock, or from OL_TEST_SEED to see a failure again; it is printed. */
Bench *bench_new(guint compute_threads);
void bench_free(Bench *bench); /* asserts that nothing failed */

double bench_uniform(Bench *bench); /* [0, 1) */
guint bench_below(Bench *bench, guint most);

/* [n] of the type in GPU memory: random in [-spread, spread), or NaN all over. */
void *bench_random(Bench *bench, gsize n, OlDtype dtype, double spread);
void *bench_poison(Bench *bench, gsize n, OlDtype dtype);
int32_t *bench_ids(Bench *bench, gsize n, guint most);

/* A copy as fp64; waits for the stream. Caller frees with g_free(). */
double *bench_read(Bench *bench, const void *array, gsize n, OlDtype dtype);

/* Each of [n] within half a unit of the type's last place of `want`, plus `rounding` (what fp32
 * sums may add). Frees `want`. */
void bench_expect(Bench *bench, const char *what, const void *array, double *want, gsize n,
                  OlDtype dtype, double rounding);
