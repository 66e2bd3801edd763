/* The NVMe tier against a bare loop on the same ring interface, file, memory, depth and block. */
#include "app/cli/bench.h"
#include "engine/base/clock.h"
#include "engine/memory/disk.h"

#include <liburing.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define BYTES      ((guint64)256 << 20) /* of one transfer */
#define SAMPLES    15u
#define CORE_LIMIT 0.05 /* of a core: more than that a training step would miss */

typedef struct {
  guint mib, depth;
} Shape;

typedef struct {
  Shape shape;
  OlDisk *disk;
  char *memory;
  struct io_uring ring; /* of the bare loop */
  gboolean registered;
} Bench;

/* ---- the limit ---- */

static void prepare(Bench *bench, gboolean writes, guint64 at)
{
  struct io_uring_sqe *entry = io_uring_get_sqe(&bench->ring);
  guint bytes = bench->shape.mib << 20;
  int file = ol_disk_get_descriptor(bench->disk);
  char *memory = bench->memory + at;

  if (writes && bench->registered)
    io_uring_prep_write_fixed(entry, file, memory, bytes, at, 0);
  else if (writes)
    io_uring_prep_write(entry, file, memory, bytes, at);
  else if (bench->registered)
    io_uring_prep_read_fixed(entry, file, memory, bytes, at, 0);
  else
    io_uring_prep_read(entry, file, memory, bytes, at);
}

static gboolean run_bare(Bench *bench, gboolean writes, GError **error)
{
  guint64 block = (guint64)bench->shape.mib << 20, issued = 0;
  guint in_flight = 0;

  while (issued < BYTES || in_flight > 0) {
    struct io_uring_cqe *done;
    for (; issued < BYTES && in_flight < bench->shape.depth; issued += block, in_flight++)
      prepare(bench, writes, issued);
    int answer = io_uring_submit_and_wait(&bench->ring, 1);
    if (answer < 0 && answer != -EINTR) {
      g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "the bare loop's ring failed: %s",
                  g_strerror(-answer));
      return FALSE;
    }
    while (io_uring_peek_cqe(&bench->ring, &done) == 0) {
      if (done->res != (int)block) {
        g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "a transfer of the bare loop failed: %s",
                    done->res < 0 ? g_strerror(-done->res) : "it fell short");
        return FALSE;
      }
      io_uring_cqe_seen(&bench->ring, done);
      in_flight--;
    }
  }
  return TRUE;
}

static gboolean run_tier(Bench *bench, gboolean writes, GError **error)
{
  return writes ? ol_disk_write(bench->disk, bench->memory, 0, BYTES, NULL, error)
                : ol_disk_read(bench->disk, bench->memory, 0, BYTES, NULL, error);
}

/* ---- measuring ---- */

static double core_seconds(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static gboolean print(const Bench *bench, gboolean writes, double *tier, double *bare, double cores,
                      GError **error)
{
  const char *way = writes ? "write" : "read";
  OlBenchLine line = {.bench = "nvme", .unit = "s/GiB", .bytes = BYTES};
  OlBenchLine use = {.bench = "nvme",
                     .unit = "cores",
                     .value = cores,
                     .limit = CORE_LIMIT,
                     .is_target = TRUE,
                     .bytes = BYTES};

  line.value = ol_bench_median(tier, SAMPLES) * 4;
  line.limit = ol_bench_median(bare, SAMPLES) * 4;
  snprintf(line.name, sizeof line.name, "%s %u MiB x %u", way, bench->shape.mib,
           bench->shape.depth);
  snprintf(use.name, sizeof use.name, "%s cores", line.name);
  return ol_bench_print(&line, error) && ol_bench_print(&use, error);
}

typedef gboolean (*Run)(Bench *bench, gboolean writes, GError **error);

static gboolean time_run(Run run, Bench *bench, gboolean writes, double *wall, double *core,
                         GError **error)
{
  double core_before = core_seconds();
  gint64 begin_ns = ol_clock_now_ns();
  gboolean done = run(bench, writes, error);

  *wall = (double)(ol_clock_now_ns() - begin_ns) / (double)OL_NS_PER_SECOND;
  if (core)
    *core += core_seconds() - core_before;
  return done;
}

/* By turns, since a drive's speed drifts by more than the two differ, and each as often first. */
static gboolean measure(Bench *bench, gboolean writes, GError **error)
{
  double bare[SAMPLES], tier[SAMPLES], core = 0, wall = 0;

  for (guint i = 0; i < SAMPLES; i++) {
    gboolean done = i % 2 == 0 || time_run(run_bare, bench, writes, &bare[i], NULL, error);
    done = done && time_run(run_tier, bench, writes, &tier[i], &core, error);
    if (done && i % 2 == 0)
      done = time_run(run_bare, bench, writes, &bare[i], NULL, error);
    if (!done)
      return FALSE;
    wall += tier[i];
  }
  return print(bench, writes, tier, bare, core / wall, error);
}

static gboolean open_bare(Bench *bench, GError **error)
{
  struct iovec all = {bench->memory, BYTES};
  int answer = io_uring_queue_init(bench->shape.depth, &bench->ring, 0);
  if (answer == 0 && bench->registered)
    answer = io_uring_register_buffers(&bench->ring, &all, 1);
  if (answer < 0)
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "the bare loop has no ring: %s",
                g_strerror(-answer));
  return answer == 0;
}

static gboolean run_shape(Shape shape, char *memory, GError **error)
{
  g_autoptr(OlDisk) disk = ol_disk_open(
      &(OlDiskOptions){.bytes = BYTES, .depth = shape.depth, .block_bytes = shape.mib << 20},
      error);
  Bench bench = {.shape = shape, .disk = disk, .memory = memory};

  if (!disk)
    return FALSE;
  bench.registered = ol_disk_register(disk, (void *[]){memory}, (guint64[]){BYTES}, 1) == 1;
  if (!g_str_has_prefix(ol_disk_get_path(disk), "io_uring")) {
    ol_cli_complain("bench nvme is left out: it needs io_uring and O_DIRECT, and the way here is "
                    "\"%s\"",
                    ol_disk_get_path(disk));
    return TRUE;
  }
  if (!open_bare(&bench, error))
    return FALSE;
  gboolean measured =
      run_tier(&bench, TRUE, error) && /* the first write is slower: room is found */
      measure(&bench, FALSE, error) && measure(&bench, TRUE, error);
  io_uring_queue_exit(&bench.ring);
  return measured;
}

gboolean ol_bench_nvme(GError **error)
{
  static const Shape shapes[] = {{1, 8}, {4, 8}};
  gboolean measured = TRUE;
  char *memory = ol_bench_map("nvme", BYTES, error);

  if (!memory)
    return FALSE;
  ol_disk_prefers_huge(memory, BYTES);
  memset(memory, 1, BYTES);
  for (guint i = 0; i < G_N_ELEMENTS(shapes) && measured; i++)
    measured = run_shape(shapes[i], memory, error);
  munmap(memory, BYTES);
  return measured;
}
