/* What every device does beyond arithmetic: order, events, host functions that block, failures.
 * `test-behaviour cuda` or `virtual`; exit status 77: no such device here. GPU memory is reached by
 * copies alone. */
#include "engine/base/error.h"
#include "engine/device/plugin.h"
#include "tests/suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define GPU_BYTES ((gsize)4 << 20)

static const OlDeviceOps *ops; /* of the device that the command line names */

static OlDevice *open_device(void)
{
  OlDeviceOptions options = {.compute_threads = 1, .gpu_bytes = GPU_BYTES};
  GError *error = NULL;
  OlDevice *device = ops->open(&options, &error);
  ck_assert_msg(device != NULL, "%s", error ? error->message : "no error");
  return device;
}

static void set_flag(gpointer data)
{
  atomic_store((_Atomic gboolean *)data, TRUE);
}

static void wait_for_flag(gpointer data)
{
  while (!atomic_load((_Atomic gboolean *)data))
    g_usleep(200);
}

/* A number that host functions of one stream count up: each checks that its turn has come. */
typedef struct {
  guint *next, mine;
} Turn;

static void take_turn(gpointer data)
{
  Turn *turn = data;
  ck_assert_uint_eq(*turn->next, turn->mine);
  (*turn->next)++;
}

/* Far more work than a queue begins with room for, queued while the stream stands still. */
START_TEST(a_stream_keeps_order)
{
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "a name longer than the system keeps");
  _Atomic gboolean open = FALSE;
  guint next = 0, n = 5000;
  g_autofree Turn *turns = g_new(Turn, n);
  ops->call(stream, wait_for_flag, (gpointer)&open);
  for (guint i = 0; i < n; i++) {
    turns[i] = (Turn){&next, i};
    ops->call(stream, take_turn, &turns[i]);
  }
  ck_assert_uint_eq(next, 0);
  atomic_store(&open, TRUE);
  ops->stream_synchronize(stream);
  ck_assert_uint_eq(next, n);
  ops->stream_free(stream);
  ops->close(device);
}
END_TEST

/* Were host functions of all streams run one after another, this would stand still. */
START_TEST(a_blocked_host_function_holds_up_its_stream_alone)
{
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  _Atomic gboolean flag = FALSE;
  ops->call(first, wait_for_flag, (gpointer)&flag);
  ops->call(second, set_flag, (gpointer)&flag);
  ops->stream_synchronize(second);
  ops->stream_synchronize(first);
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

/* Up on one stream, down on another that waits for the first; the event is recorded again, and then
 * freed, while its earlier record is still waited for. */
START_TEST(events_order_streams)
{
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  char *gpu = ops->get_gpu_memory(device);
  g_autofree char *out = g_malloc(GPU_BYTES), *back = g_malloc(GPU_BYTES);
  for (guint round = 0; round < 50; round++) {
    _Atomic gboolean open = FALSE;
    OlEvent *event = ops->event_new(device);
    memset(out, (int)round + 1, GPU_BYTES);
    ops->event_wait_on_host(event); /* never recorded: returns */
    ops->call(first, wait_for_flag, (gpointer)&open);
    ops->copy(first, gpu, out, GPU_BYTES);
    ops->event_record(event, first);
    ops->event_wait_on_stream(event, second);
    ops->copy(second, back, gpu, GPU_BYTES);
    ops->event_record(event, second);
    atomic_store(&open, TRUE);
    if (round % 2)
      ops->event_wait_on_host(event);
    else
      ops->stream_synchronize(second);
    ops->event_free(event);
    ck_assert_mem_eq(back, out, GPU_BYTES);
  }
  ck_assert(!ops->get_error(device, NULL));
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

static void expect_flag(gpointer data)
{
  ck_assert(atomic_load((_Atomic gboolean *)data));
}

START_TEST(an_event_may_be_freed_while_it_is_waited_for)
{
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  for (guint round = 0; round < 200; round++) {
    _Atomic gboolean open = FALSE, flag = FALSE;
    OlEvent *event = ops->event_new(device);
    ops->call(first, wait_for_flag, (gpointer)&open);
    ops->call(first, set_flag, (gpointer)&flag);
    ops->event_record(event, first);
    ops->event_wait_on_stream(event, second);
    ops->call(second, expect_flag, (gpointer)&flag);
    atomic_store(&open, TRUE);
    if (round % 2)
      ops->event_wait_on_host(event);
    ops->event_free(event);
    ops->stream_synchronize(second);
    ck_assert(atomic_load(&flag));
  }
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

START_TEST(a_wait_is_for_the_record_before_it)
{
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  OlEvent *event = ops->event_new(device);
  _Atomic gboolean open = FALSE, passed = FALSE;
  ops->event_record(event, first);
  ops->event_wait_on_stream(event, second);
  ops->call(second, set_flag, (gpointer)&passed);
  ops->call(first, wait_for_flag, (gpointer)&open);
  ops->event_record(event, first);
  ops->stream_synchronize(second);
  ck_assert(atomic_load(&passed));
  atomic_store(&open, TRUE);
  ops->event_wait_on_host(event);
  ops->event_free(event);
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

#define COPY_BYTES (GPU_BYTES / 2 - 100)

/* Up, across and down at odd addresses, through memory pinned or not, in order on one stream. */
START_TEST(copies)
{
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "copies");
  char *gpu = ops->get_gpu_memory(device);
  char *out = g_malloc(COPY_BYTES), *back = g_malloc0(COPY_BYTES), zero[100] = {0};
  for (gsize i = 0; i < COPY_BYTES; i++)
    out[i] = (char)(g_random_int() >> 3);
  gboolean pinned = _i == 1 && ops->pin(device, out, COPY_BYTES);
  gboolean pinned_back = _i == 1 && ops->pin(device, back, COPY_BYTES);
  gsize n = COPY_BYTES - 1000;
  ops->copy(stream, gpu + 1, out + 3, n);
  ops->copy(stream, gpu + COPY_BYTES + 7, gpu + 1, n);
  ops->clear(stream, gpu + COPY_BYTES + 7 + 500, 100);
  ops->copy(stream, back + 5, gpu + COPY_BYTES + 7, n);
  ops->copy(stream, back + n + 10, back + 5, 200);
  ops->clear(stream, back + 5, 100);
  ops->copy(stream, NULL, NULL, 0);
  ops->stream_synchronize(stream);
  ck_assert_mem_eq(back + 5, zero, 100);
  ck_assert_mem_eq(back + 105, out + 103, 400);
  ck_assert_mem_eq(back + 505, zero, 100);
  ck_assert_mem_eq(back + 605, out + 603, n - 600);
  ck_assert_mem_eq(back + n + 10, out + 3, 200);
  ck_assert(!ops->get_error(device, NULL));
  if (pinned)
    ops->unpin(device, out, COPY_BYTES);
  if (pinned_back)
    ops->unpin(device, back, COPY_BYTES);
  ops->stream_free(stream);
  ops->close(device);
  g_free(out);
  g_free(back);
}
END_TEST

/* Memory never used is zero. */
START_TEST(memory_begins_as_zeros)
{
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "zeros");
  char *back = g_malloc(COPY_BYTES), *zeros = g_malloc0(COPY_BYTES);
  memset(back, 1, COPY_BYTES);
  ops->copy(stream, back, ops->get_gpu_memory(device), COPY_BYTES);
  ops->stream_synchronize(stream);
  ck_assert_mem_eq(back, zeros, COPY_BYTES);
  ck_assert_uint_eq((guintptr)ops->get_gpu_memory(device) % 4096, 0);
  ops->stream_free(stream);
  ops->close(device);
  g_free(back);
  g_free(zeros);
}
END_TEST

/* Runs `issue`, expects the device to fail with every one of `words` in its message, and that later
 * work is skipped while host functions and events still happen. */
static void expect_failure(void (*issue)(OlStream *, char *gpu), const char *const *words)
{
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "failing");
  OlEvent *event = ops->event_new(device);
  char *gpu = ops->get_gpu_memory(device), later[4] = {1, 1, 1, 1};
  _Atomic gboolean called = FALSE;
  issue(stream, gpu);
  ops->copy(stream, later, gpu, sizeof later);
  ops->call(stream, set_flag, (gpointer)&called);
  ops->event_record(event, stream);
  ops->event_wait_on_host(event);
  ck_assert(atomic_load(&called));
  ck_assert_int_eq(later[0], 1);

  g_autoptr(GError) error = NULL;
  ck_assert(ops->get_error(device, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_DEVICE));
  for (; *words; words++)
    ck_assert_msg(strstr(error->message, *words) != NULL, "no “%s” in: %s", *words, error->message);
  ops->event_free(event);
  ops->stream_free(stream);
  ops->close(device);
}

static void multiply_host_memory(OlStream *stream, char *gpu)
{
  static float host[4];
  OlMatmul l = {.m = 2, .n = 2, .k = 2, .a = gpu, .b = host, .c = gpu + 64};
  ops->matmul(stream, &l);
}

static void update_past_the_end(OlStream *stream, char *gpu)
{
  OlAdamLaunch l = {.span = {.elements = 5,
                             .master = (float *)gpu,
                             .moment1 = (float *)gpu,
                             .moment2 = (float *)(gpu + GPU_BYTES - 16),
                             .gradient = gpu}};
  ops->adam(stream, &l);
}

static void overflow_sizes(OlStream *stream, char *gpu)
{
  OlColumnSums l = {.rows = G_MAXSIZE / 2, .columns = 4, .x = gpu, .sums = gpu};
  ops->column_sums(stream, &l);
}

static const int32_t bad_ids[3] = {0, 9, -1};

static void read_unknown_token(OlStream *stream, char *gpu)
{
  OlEmbedForward l = {.rows = 3,
                      .sequence = 3,
                      .width = 2,
                      .vocabulary = 10,
                      .ids = (int32_t *)gpu,
                      .token = gpu + 64,
                      .position = gpu + 512,
                      .y = gpu + 1024};
  ops->copy(stream, gpu, bad_ids, sizeof bad_ids);
  ops->embed_forward(stream, &l);
}

static void miss_a_target(OlStream *stream, char *gpu)
{
  static double loss;
  OlSoftmaxLoss l = {.rows = 3,
                     .vocabulary = 9,
                     .logits = gpu + 64,
                     .targets = (int32_t *)gpu,
                     .scale = 1,
                     .loss = &loss};
  ops->copy(stream, gpu, bad_ids, sizeof bad_ids);
  ops->softmax_loss(stream, &l);
}

static void copy_over_the_edge(OlStream *stream, char *gpu)
{
  static char host[64];
  ops->copy(stream, host, gpu + GPU_BYTES - 32, 64);
}

static void split_heads_badly(OlStream *stream, char *gpu)
{
  OlAttentionForward l = {.batch = 1,
                          .sequence = 2,
                          .width = 10,
                          .heads = 3,
                          .qkv = gpu,
                          .probabilities = gpu + 4096,
                          .out = gpu + 8192};
  ops->attention_forward(stream, &l);
}

START_TEST(a_failure_names_kernel_and_argument)
{
  expect_failure(multiply_host_memory, (const char *const[]){"matmul", "b at", NULL});
  expect_failure(update_past_the_end, (const char *const[]){"adam", "moment2 at", NULL});
  expect_failure(overflow_sizes, (const char *const[]){"column_sums", "x at", NULL});
  expect_failure(read_unknown_token, (const char *const[]){"embed_forward", "ids[2] is -1", NULL});
  expect_failure(miss_a_target, (const char *const[]){"softmax_loss", "targets[1] is 9", NULL});
  expect_failure(copy_over_the_edge, (const char *const[]){"copy", "source", NULL});
  expect_failure(split_heads_badly, (const char *const[]){"attention_forward", "3 heads", NULL});
}
END_TEST

START_TEST(pinning_may_be_refused)
{
  OlDevice *device = open_device();
  static char page[4096] __attribute__((aligned(4096)));
  if (ops->pin(device, page, sizeof page))
    ops->unpin(device, page, sizeof page);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* they never refuse a lock */
  /* Address space that nobody has mapped cannot be locked. */
  ck_assert(ops != ol_device_virtual() || !ops->pin(device, (void *)4096, 4096));
#endif
  ck_assert(!ops->get_error(device, NULL));
  ops->close(device);
}
END_TEST

START_TEST(bad_options_are_refused)
{
  OlDeviceOptions options[] = {{0, 4096}, {1, 0}, {1, G_MAXUINT64}, {1u << 30, 4096}};
  for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ops->open(&options[i], &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  }
}
END_TEST

int main(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "virtual";
  g_autoptr(GError) error = NULL;
  ops = strcmp(name, "virtual") == 0 ? ol_device_virtual() : ol_device_plugin_load(name, &error);
  if (!ops) {
    printf("skipped: %s\n", error->message);
    return 77;
  }
  TCase *all = tcase_create("all");
  tcase_add_test(all, a_stream_keeps_order);
  tcase_add_test(all, a_blocked_host_function_holds_up_its_stream_alone);
  tcase_add_test(all, events_order_streams);
  tcase_add_test(all, an_event_may_be_freed_while_it_is_waited_for);
  tcase_add_test(all, a_wait_is_for_the_record_before_it);
  tcase_add_loop_test(all, copies, 0, 2);
  tcase_add_test(all, memory_begins_as_zeros);
  tcase_add_test(all, a_failure_names_kernel_and_argument);
  tcase_add_test(all, pinning_may_be_refused);
  tcase_add_test(all, bad_options_are_refused);
  /* CUDA does not survive a fork. */
  g_setenv("CK_FORK", "no", TRUE);
  return run_suite("behaviour", all);
}
