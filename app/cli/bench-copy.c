/* The virtual GPU's copies over its links, against memcpy between the same two places. */
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/device/device.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_BYTES ((gsize)256 << 20)
#define SAMPLES    15u

typedef struct {
  const OlDeviceOps *ops;
  OlDevice *device;
  OlStream *stream;
  char *host, *gpu;
} Bench;

typedef struct {
  const char *name;
  gsize bytes;
  gboolean to_gpu;
} Case;

static double seconds_since(gint64 begin_ns)
{
  return (double)(ol_clock_now_ns() - begin_ns) / (double)OL_NS_PER_SECOND;
}

/* From the launch to the moment at which the caller knows that it is done. */
static double time_copy(const Bench *bench, char *target, const char *source, gsize bytes)
{
  gint64 begin = ol_clock_now_ns();
  bench->ops->copy(bench->stream, target, source, bytes);
  bench->ops->stream_synchronize(bench->stream);
  return seconds_since(begin);
}

static double time_memcpy(char *target, const char *source, gsize bytes)
{
  gint64 begin = ol_clock_now_ns();
  memcpy(target, source, bytes);
  return seconds_since(begin);
}

/* By turns, since a machine's speed drifts, and each as often first. */
static gboolean measure(const Bench *bench, const Case *c, GError **error)
{
  OlBenchLine line = {.bench = "copy", .unit = "s/GiB", .bytes = c->bytes};
  char *target = c->to_gpu ? bench->gpu : bench->host;
  const char *source = c->to_gpu ? bench->host : bench->gpu;
  double copies[SAMPLES], plain[SAMPLES], a_gib = (double)((gsize)1 << 30) / (double)c->bytes;

  for (guint i = 0; i < SAMPLES; i++) {
    if (i % 2 == 0)
      plain[i] = time_memcpy(target, source, c->bytes);
    copies[i] = time_copy(bench, target, source, c->bytes);
    if (i % 2 == 1)
      plain[i] = time_memcpy(target, source, c->bytes);
  }
  g_strlcpy(line.name, c->name, sizeof line.name);
  line.value = ol_bench_median(copies, SAMPLES) * a_gib;
  line.limit = ol_bench_median(plain, SAMPLES) * a_gib;
  return ol_bench_print(&line, error);
}

static gboolean run_cases(const Bench *bench, GError **error)
{
  static const Case cases[] = {{"host to GPU pinned 16 MiB", (gsize)16 << 20, TRUE},
                               {"GPU to host pinned 16 MiB", (gsize)16 << 20, FALSE},
                               {"host to GPU pinned 256 MiB", MOST_BYTES, TRUE},
                               {"GPU to host pinned 256 MiB", MOST_BYTES, FALSE}};
  GError *failure = NULL;
  gboolean done = TRUE;

  memset(bench->host, 1, MOST_BYTES); /* pages are taken when first touched */
  time_copy(bench, bench->gpu, bench->host, MOST_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS(cases) && done; i++)
    done = measure(bench, &cases[i], error);
  if (done && bench->ops->get_error(bench->device, &failure)) {
    g_propagate_error(error, failure);
    done = FALSE;
  }
  return done;
}

gboolean ol_bench_copy(GError **error)
{
  Bench bench = {.ops = ol_device_virtual()};
  char *host = ol_bench_map("copy", MOST_BYTES, error);
  if (!host)
    return FALSE;
  bench.host = host;
  bench.device = bench.ops->open(
      &(const OlDeviceOptions){.compute_threads = 1, .gpu_bytes = MOST_BYTES}, error);
  gboolean measured = FALSE;
  if (bench.device) {
    bench.gpu = bench.ops->get_gpu_memory(bench.device);
    bench.stream = bench.ops->stream_new(bench.device, "copy");
    if (!bench.ops->pin(bench.device, host, MOST_BYTES))
      ol_cli_complain(
          "bench copy: the system does not let memory be locked (ulimit -l); the host's "
          "side is pageable, which here costs no copy");
    measured = run_cases(&bench, error);
    bench.ops->stream_free(bench.stream);
    bench.ops->close(bench.device);
  }
  munmap(host, MOST_BYTES);
  return measured;
}
