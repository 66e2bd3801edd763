#include "tests/device/bench.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Bench *bench_new(guint compute_threads)
{
  Bench *bench = g_new0(Bench, 1);
  OlDeviceOptions options = {.compute_threads = compute_threads, .gpu_bytes = BENCH_BYTES};
  GError *error = NULL;
  bench->ops = ol_device_virtual();
  bench->device = bench->ops->open(&options, &error);
  ck_assert_msg(bench->device != NULL, "%s", error ? error->message : "no error");
  bench->stream = bench->ops->stream_new(bench->device, "test");
  bench->gpu = bench->ops->get_gpu_memory(bench->device);
  bench->capacity = BENCH_BYTES;

  const char *seed = g_getenv("OL_TEST_SEED");
  bench->random = seed ? g_ascii_strtoull(seed, NULL, 10) : (guint64)g_get_real_time();
  printf("OL_TEST_SEED=%" G_GUINT64_FORMAT "\n", bench->random);
  bench->random |= 1;
  return bench;
}

void bench_free(Bench *bench)
{
  GError *error = NULL;
  bench->ops->stream_free(bench->stream);
  gboolean failed = bench->ops->get_error(bench->device, &error);
  ck_assert_msg(!failed, "%s", error ? error->message : "no message");
  bench->ops->close(bench->device);
  g_free(bench);
}

static guint64 next_random(Bench *bench)
{
  bench->random ^= bench->random << 13;
  bench->random ^= bench->random >> 7;
  bench->random ^= bench->random << 17;
  return bench->random;
}

double bench_uniform(Bench *bench)
{
  return (double)(next_random(bench) >> 11) * 0x1p-53;
}

guint bench_below(Bench *bench, guint most)
{
  return (guint)(bench_uniform(bench) * most);
}

/* Odd distances, so that nothing is aligned better than its type asks for. */
static void *take(Bench *bench, gsize bytes, gsize alignment)
{
  gsize begin = bench->used + alignment + (bench->used % 3) * alignment;
  begin = begin / alignment * alignment;
  ck_assert_uint_le(begin + bytes, bench->capacity);
  bench->used = begin + bytes;
  return bench->gpu + begin;
}

static void set_element(void *array, gsize i, double value, OlDtype dtype)
{
  if (dtype == OL_DTYPE_BF16)
    ((uint16_t *)array)[i] = ol_bf16_from_float((float)value);
  else
    ((float *)array)[i] = (float)value;
}

void *bench_random(Bench *bench, gsize n, OlDtype dtype, double spread)
{
  void *array = take(bench, n * ol_dtype_bytes(dtype), ol_dtype_bytes(dtype));
  for (gsize i = 0; i < n; i++)
    set_element(array, i, spread * (2 * bench_uniform(bench) - 1), dtype);
  return array;
}

void *bench_poison(Bench *bench, gsize n, OlDtype dtype)
{
  void *array = take(bench, n * ol_dtype_bytes(dtype), ol_dtype_bytes(dtype));
  for (gsize i = 0; i < n; i++)
    set_element(array, i, NAN, dtype);
  return array;
}

int32_t *bench_ids(Bench *bench, gsize n, guint most)
{
  int32_t *ids = take(bench, n * sizeof *ids, sizeof *ids);
  for (gsize i = 0; i < n; i++)
    ids[i] = (int32_t)bench_below(bench, most);
  return ids;
}

double *bench_read(Bench *bench, const void *array, gsize n, OlDtype dtype)
{
  double *values = g_new(double, n);
  bench->ops->stream_synchronize(bench->stream);
  for (gsize i = 0; i < n; i++)
    values[i] = dtype == OL_DTYPE_BF16 ? (double)ol_bf16_to_float(((const uint16_t *)array)[i])
                                       : (double)((const float *)array)[i];
  return values;
}

void bench_expect(Bench *bench, const char *what, const void *array, double *want, gsize n,
                  OlDtype dtype, double rounding)
{
  double half_place = dtype == OL_DTYPE_BF16 ? 0x1p-8 : 0x1p-24;
  double *got = bench_read(bench, array, n, dtype);
  for (gsize i = 0; i < n; i++) {
    double allowed = 1.01 * half_place * fabs(want[i]) + rounding;
    /* Not by ck_assert_msg(), which writes to a file each time it holds. */
    if (!(fabs(got[i] - want[i]) <= allowed))
      ck_abort_msg("%s[%zu] is %.9g, should be %.9g within %.3g", what, i, got[i], want[i],
                   allowed);
  }
  g_free(got);
  g_free(want);
}
