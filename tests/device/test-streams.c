/* Order on streams, events between them, copies, failures. */
#include "engine/base/error.h"
#include "engine/device/device.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define GPU_BYTES ((gsize)1 << 20)

static OlDevice *open_device(void)
{
  OlDeviceOptions options = {.compute_threads = 1, .gpu_bytes = GPU_BYTES};
  GError *error = NULL;
  OlDevice *device = ol_device_virtual()->open(&options, &error);
  ck_assert_msg(device != NULL, "%s", error ? error->message : "");
  return device;
}

/* Blocks a stream until the test opens it. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  gboolean open;
} Barrier;

#define BARRIER_CLOSED                                                                             \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, FALSE                                     \
  }

static void wait_at_barrier(gpointer data)
{
  Barrier *barrier = data;
  pthread_mutex_lock(&barrier->lock);
  while (!barrier->open)
    pthread_cond_wait(&barrier->opened, &barrier->lock);
  pthread_mutex_unlock(&barrier->lock);
}

static void open_barrier(Barrier *barrier)
{
  pthread_mutex_lock(&barrier->lock);
  barrier->open = TRUE;
  pthread_cond_broadcast(&barrier->opened);
  pthread_mutex_unlock(&barrier->lock);
}

typedef struct {
  guint *next, mine;
} Turn;

static void take_turn(gpointer data)
{
  Turn *turn = data;
  ck_assert_uint_eq(*turn->next, turn->mine);
  (*turn->next)++;
}

/* Far more work than the queue begins with room for, queued while the stream stands still. */
START_TEST(a_stream_keeps_order)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "a name longer than the system keeps");
  Barrier barrier = BARRIER_CLOSED;
  guint next = 0, n = 5000;
  Turn *turns = g_new(Turn, n);
  ops->call(stream, wait_at_barrier, &barrier);
  for (guint i = 0; i < n; i++) {
    turns[i] = (Turn){&next, i};
    ops->call(stream, take_turn, &turns[i]);
  }
  ck_assert_uint_eq(next, 0);
  open_barrier(&barrier);
  ops->stream_synchronize(stream);
  ck_assert_uint_eq(next, n);
  ops->stream_free(stream);
  ops->close(device);
  g_free(turns);
}
END_TEST

static void set_flag(gpointer data)
{
  atomic_store((_Atomic gboolean *)data, TRUE);
}

static void expect_flag(gpointer data)
{
  ck_assert(atomic_load((_Atomic gboolean *)data));
}

START_TEST(events_order_streams)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  for (guint round = 0; round < 200; round++) {
    OlEvent *event = ops->event_new(device);
    Barrier barrier = BARRIER_CLOSED;
    _Atomic gboolean flag = FALSE;
    ops->event_wait_on_host(event); /* never recorded: returns */
    ops->call(first, wait_at_barrier, &barrier);
    ops->call(first, set_flag, (gpointer)&flag);
    ops->event_record(event, first);
    ops->event_wait_on_stream(event, second);
    ops->call(second, expect_flag, (gpointer)&flag);
    open_barrier(&barrier);
    ops->event_wait_on_host(event);
    ck_assert(atomic_load(&flag));
    ops->event_free(event); /* while the second stream may still wait for it */
    ops->stream_synchronize(second);
  }
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

/* A wait is for the record before it, not for a later one. */
START_TEST(a_wait_is_for_the_record_before_it)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  OlStream *first = ops->stream_new(device, "first"), *second = ops->stream_new(device, "second");
  OlEvent *event = ops->event_new(device);
  Barrier barrier = BARRIER_CLOSED;
  _Atomic gboolean passed = FALSE;
  ops->event_record(event, first);
  ops->event_wait_on_stream(event, second);
  ops->call(second, set_flag, (gpointer)&passed);
  ops->call(first, wait_at_barrier, &barrier);
  ops->event_record(event, first);
  ops->stream_synchronize(second);
  ck_assert(atomic_load(&passed));
  open_barrier(&barrier);
  ops->event_wait_on_host(event);
  ops->event_free(event);
  ops->stream_free(first);
  ops->stream_free(second);
  ops->close(device);
}
END_TEST

START_TEST(copies_go_every_way)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "copies");
  char *gpu = ops->get_gpu_memory(device);
  char out[1000], back[1000], zero[100] = {0};
  for (guint i = 0; i < sizeof out; i++)
    out[i] = (char)(i * 7);
  ops->copy(stream, gpu + GPU_BYTES - sizeof out, out, sizeof out);
  ops->copy(stream, gpu + 1, gpu + GPU_BYTES - sizeof out, sizeof out);
  ops->copy(stream, back, gpu + 1, sizeof back);
  ops->clear(stream, back + 10, 100);
  ops->copy(stream, NULL, NULL, 0);
  ops->stream_synchronize(stream);
  ck_assert_mem_eq(back, out, 10);
  ck_assert_mem_eq(back + 10, zero, 100);
  ck_assert_mem_eq(back + 110, out + 110, sizeof out - 110);
  ck_assert(!ops->get_error(device, NULL));
  ops->stream_free(stream);
  ops->close(device);
}
END_TEST

/* Runs `issue`, expects the device to fail with every one of `words` in its message, and that later
 * work is skipped while host functions and events still happen. */
static void expect_failure(void (*issue)(const OlDeviceOps *, OlStream *, char *gpu),
                           const char *const *words)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  OlStream *stream = ops->stream_new(device, "failing");
  OlEvent *event = ops->event_new(device);
  char *gpu = ops->get_gpu_memory(device);
  _Atomic gboolean called = FALSE;
  char later = 1;
  issue(ops, stream, gpu);
  ops->clear(stream, &later, 1);
  ops->call(stream, set_flag, (gpointer)&called);
  ops->event_record(event, stream);
  ops->event_wait_on_host(event);
  ck_assert(atomic_load(&called));
  ck_assert_int_eq(later, 1);

  GError *error = NULL;
  ck_assert(ops->get_error(device, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_DEVICE));
  for (; *words; words++)
    ck_assert_msg(strstr(error->message, *words) != NULL, "no “%s” in: %s", *words, error->message);
  g_error_free(error);
  ops->event_free(event);
  ops->stream_free(stream);
  ops->close(device);
}

static void multiply_host_memory(const OlDeviceOps *ops, OlStream *stream, char *gpu)
{
  static float host[4];
  OlMatmul l = {.m = 2, .n = 2, .k = 2, .a = gpu, .b = host, .c = gpu + 64};
  ops->matmul(stream, &l);
}

static void run_past_the_end(const OlDeviceOps *ops, OlStream *stream, char *gpu)
{
  OlAdd l = {.n = 5, .a = gpu, .b = gpu, .y = gpu + GPU_BYTES - 16};
  ops->add(stream, &l);
}

static void overflow_sizes(const OlDeviceOps *ops, OlStream *stream, char *gpu)
{
  OlColumnSums l = {.rows = G_MAXSIZE / 2, .columns = 4, .x = gpu, .sums = gpu};
  ops->column_sums(stream, &l);
}

static void read_unknown_token(const OlDeviceOps *ops, OlStream *stream, char *gpu)
{
  int32_t ids[3] = {0, 9, -1};
  memcpy(gpu, ids, sizeof ids);
  OlEmbedForward l = {.rows = 3,
                      .sequence = 3,
                      .width = 2,
                      .vocabulary = 10,
                      .ids = (int32_t *)gpu,
                      .token = gpu + 64,
                      .position = gpu + 512,
                      .y = gpu + 1024};
  ops->embed_forward(stream, &l);
}

static void copy_over_the_edge(const OlDeviceOps *ops, OlStream *stream, char *gpu)
{
  static char host[64];
  ops->copy(stream, host, gpu + GPU_BYTES - 32, 64);
}

static void split_heads_badly(const OlDeviceOps *ops, OlStream *stream, char *gpu)
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
  expect_failure(run_past_the_end, (const char *const[]){"add", "y at", NULL});
  expect_failure(overflow_sizes, (const char *const[]){"column_sums", "x at", NULL});
  expect_failure(read_unknown_token, (const char *const[]){"embed_forward", "ids[2] is -1", NULL});
  expect_failure(copy_over_the_edge, (const char *const[]){"copy", "source", NULL});
  expect_failure(split_heads_badly, (const char *const[]){"attention_forward", "3 heads", NULL});
}
END_TEST

START_TEST(pinning_may_be_refused)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDevice *device = open_device();
  static char page[4096] __attribute__((aligned(4096)));
  if (ops->pin(device, page, sizeof page))
    ops->unpin(device, page, sizeof page);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* they never refuse a lock */
  /* Address space that nobody has mapped cannot be locked. */
  ck_assert(!ops->pin(device, (void *)4096, 4096));
#endif
  ck_assert(!ops->get_error(device, NULL));
  ops->close(device);
}
END_TEST

START_TEST(bad_options_are_refused)
{
  const OlDeviceOps *ops = ol_device_virtual();
  OlDeviceOptions options[] = {{0, 4096}, {1, 0}, {1, G_MAXUINT64}, {1u << 30, 4096}};
  for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
    GError *error = NULL;
    ck_assert_ptr_null(ops->open(&options[i], &error));
    ck_assert_ptr_nonnull(error);
    g_error_free(error);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("streams");
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 60);
  tcase_add_test(all, a_stream_keeps_order);
  tcase_add_test(all, events_order_streams);
  tcase_add_test(all, a_wait_is_for_the_record_before_it);
  tcase_add_test(all, copies_go_every_way);
  tcase_add_test(all, a_failure_names_kernel_and_argument);
  tcase_add_test(all, pinning_may_be_refused);
  tcase_add_test(all, bad_options_are_refused);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
