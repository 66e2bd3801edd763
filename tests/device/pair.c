#include "tests/device/pair.h"

#include "engine/device/plugin.h"
#include "tests/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xff /* all bits set is a NaN in fp32 and in bf16 */

static Side side_new(const OlDeviceOps *ops, guint threads)
{
  OlDeviceOptions options = {.compute_threads = threads, .gpu_bytes = PAIR_BYTES};
  GError *error = NULL;
  Side side = {.ops = ops, .device = ops->open(&options, &error)};
  ck_assert_msg(side.device != NULL, "%s", error ? error->message : "no error");
  side.stream = ops->stream_new(side.device, "test");
  side.gpu = ops->get_gpu_memory(side.device);
  side.after = g_malloc(PAIR_BYTES);
  return side;
}

Pair *pair_new(const OlDeviceOps *a, guint a_threads, const OlDeviceOps *b, guint b_threads)
{
  Pair *pair = g_new0(Pair, 1);
  pair->a = side_new(a, a_threads);
  pair->b = side_new(b, b_threads);
  pair->before = g_malloc(PAIR_BYTES);
  memset(pair->before, POISON, PAIR_BYTES);
  const char *seed = g_getenv("OL_TEST_SEED");
  pair->random = seed ? g_ascii_strtoull(seed, NULL, 10) : (guint64)g_get_real_time();
  printf("OL_TEST_SEED=%" G_GUINT64_FORMAT "\n", pair->random);
  pair->random |= 1;
  return pair;
}

static void side_free(Side *side)
{
  GError *error = NULL;
  side->ops->stream_free(side->stream);
  gboolean failed = side->ops->get_error(side->device, &error);
  ck_assert_msg(!failed, "%s: %s", side->ops->name, error ? error->message : "no message");
  side->ops->close(side->device);
  g_free(side->after);
}

void pair_free(Pair *pair)
{
  side_free(&pair->a);
  side_free(&pair->b);
  g_free(pair->before);
  g_free(pair);
}

/* A page behind the last array is looked at too. */
static gsize looked_at(const Pair *pair)
{
  return MIN(pair->used + 4096, PAIR_BYTES);
}

void pair_restart(Pair *pair)
{
  memset(pair->before, POISON, looked_at(pair));
  pair->used = 0;
}

static guint64 next_random(Pair *pair)
{
  pair->random ^= pair->random << 13;
  pair->random ^= pair->random >> 7;
  pair->random ^= pair->random << 17;
  return pair->random;
}

double pair_uniform(Pair *pair)
{
  return (double)(next_random(pair) >> 11) * 0x1p-53;
}

guint pair_below(Pair *pair, guint most)
{
  return (guint)(pair_uniform(pair) * most);
}

/* Odd distances, so that nothing is aligned better than its type asks for. */
static gsize take(Pair *pair, gsize bytes, gsize alignment)
{
  gsize begin = (pair->used / alignment + 1 + pair->used % 3) * alignment;
  ck_assert_uint_le(begin + bytes, PAIR_BYTES);
  pair->used = begin + bytes;
  return begin;
}

gsize pair_random(Pair *pair, gsize n, OlDtype dtype, double spread)
{
  gsize offset = take(pair, n * ol_dtype_bytes(dtype), ol_dtype_bytes(dtype));
  uint16_t *as_bf16 = (uint16_t *)(pair->before + offset);
  float *as_float = (float *)(pair->before + offset);
  for (gsize i = 0; i < n; i++) {
    float value = (float)(spread * (2 * pair_uniform(pair) - 1));
    if (dtype == OL_DTYPE_BF16)
      as_bf16[i] = ol_bf16_from_float(value);
    else
      as_float[i] = value;
  }
  return offset;
}

gsize pair_poison(Pair *pair, gsize n, OlDtype dtype)
{
  return take(pair, n * ol_dtype_bytes(dtype), ol_dtype_bytes(dtype));
}

gsize pair_ids(Pair *pair, gsize n, guint most)
{
  gsize offset = take(pair, n * sizeof(int32_t), sizeof(int32_t));
  int32_t *ids = (int32_t *)(pair->before + offset);
  for (gsize i = 0; i < n; i++)
    ids[i] = (int32_t)pair_below(pair, most);
  return offset;
}

void *side_at(const Side *side, gsize offset)
{
  return side->gpu + offset;
}

static void run_on(const Pair *pair, Side *side, PairLaunch launch, gconstpointer arguments)
{
  side->ops->copy(side->stream, side->gpu, pair->before, looked_at(pair));
  launch(side, arguments);
  side->ops->copy(side->stream, side->after, side->gpu, looked_at(pair));
  side->ops->stream_synchronize(side->stream);
  GError *error = NULL;
  gboolean failed = side->ops->get_error(side->device, &error);
  ck_assert_msg(!failed, "%s: %s", side->ops->name, error ? error->message : "no message");
}

void pair_run(Pair *pair, PairLaunch launch, gconstpointer arguments)
{
  run_on(pair, &pair->a, launch, arguments);
  run_on(pair, &pair->b, launch, arguments);
}

static double value_at(const char *array, gsize i, OlDtype dtype)
{
  return dtype == OL_DTYPE_BF16 ? (double)ol_bf16_to_float(((const uint16_t *)array)[i])
                                : (double)((const float *)array)[i];
}

void pair_expect_close(Pair *pair, const char *what, gsize offset, gsize n, OlDtype dtype,
                       double relative, double absolute)
{
  const char *a = pair->a.after + offset;
  char *b = pair->b.after + offset;
  for (gsize i = 0; i < n; i++) {
    double want = value_at(a, i, dtype), got = value_at(b, i, dtype);
    double allowed = relative * fabs(want) + absolute;
    if (!(fabs(got - want) <= allowed)) /* a ck_assert() costs a write to a file each time */
      ck_abort_msg("%s[%zu] is %.9g on %s, %.9g on %s: not within %.3g", what, i, got,
                   pair->b.ops->name, want, pair->a.ops->name, allowed);
  }
  memcpy(b, a, n * ol_dtype_bytes(dtype));
}

void pair_expect_same(Pair *pair, const char *what)
{
  for (gsize i = 0; i < looked_at(pair); i++)
    if (pair->a.after[i] != pair->b.after[i])
      ck_abort_msg("%s: byte %zu of %zu is %02x on %s, %02x on %s; it was %02x", what, i,
                   pair->used, (guchar)pair->b.after[i], pair->b.ops->name,
                   (guchar)pair->a.after[i], pair->a.ops->name, (guchar)pair->before[i]);
}

/* ---- the suite ---- */

static const OlDeviceOps *tested;

const OlDeviceOps *pair_get_tested(void)
{
  return tested;
}

Pair *pair_new_tested(void)
{
  return pair_new(ol_device_virtual(), 1, tested, PAIR_THREADS);
}

int pair_main(int argc, char **argv, const char *suite, TCase *(*tests_new)(void))
{
  const char *name = argc > 1 ? argv[1] : "virtual";
  g_autoptr(GError) error = NULL;
  tested = strcmp(name, "virtual") == 0 ? ol_device_virtual() : ol_device_plugin_load(name, &error);
  if (!tested) {
    printf("skipped: %s\n", error->message);
    return 77;
  }
  /* CUDA does not survive a fork. */
  g_setenv("CK_FORK", "no", TRUE);
  return run_suite(suite, tests_new());
}
