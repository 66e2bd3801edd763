/* What really crosses to the drive: the system's own count of this process's bytes agrees with the
 * run's, and an ordinary user with the usual lock limit ends with the same weights. */
#include "tests/run/run-fixture.h"
#include "tests/suite.h"

#include "engine/memory/disk.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static const char *const wide[] = {"model.width=64", "model.layers=3", "model.heads=4", NULL};

static const char *const placements[][10] = {
    {ON_NVME, NULL},
    {ON_NVME, "placement.weights=gpu", "overlap.prefetch=0", NULL},
    {ON_NVME, "placement.weights=host", "optimizer.runs_on=gpu", "overlap.write_back=false", NULL},
    {ON_NVME, "placement.optimizer=host", "overlap.pinned=false", NULL},
    {ON_NVME, "overlap.order=alternate", "steps=5", NULL},
    {ON_NVME, "optimizer.delayed=true", "batch.micro_batches=2", NULL},
    {ON_NVME, "steps=1", NULL},
};

/* The wide model with a row's assignments. Ends with NULL; the strings stay the row's. */
static const char **widened(const char *const *set)
{
  GPtrArray *all = g_ptr_array_new();
  for (guint i = 0; wide[i]; i++)
    g_ptr_array_add(all, (gpointer)wide[i]);
  for (guint i = 0; set[i]; i++)
    g_ptr_array_add(all, (gpointer)set[i]);
  g_ptr_array_add(all, NULL);
  return (const char **)g_ptr_array_free(all, FALSE);
}

/* ---- the system's count ---- */

typedef struct {
  guint64 read, written;
} Traffic;

static guint64 find_count(const char *text, const char *name)
{
  const char *line = strstr(text, name);
  ck_assert_msg(line != NULL, "no %s in /proc/self/io", name);
  return g_ascii_strtoull(line + strlen(name), NULL, 10);
}

/* FALSE when the system does not count. */
static gboolean count_traffic(Traffic *traffic)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents("/proc/self/io", &text, NULL, NULL))
    return FALSE;
  *traffic = (Traffic){find_count(text, "\nread_bytes: "), find_count(text, "\nwrite_bytes: ")};
  return TRUE;
}

static guint64 in_blocks(guint64 bytes)
{
  return (bytes + OL_DISK_ALIGNMENT - 1) / OL_DISK_ALIGNMENT * OL_DISK_ALIGNMENT;
}

/* What the trace says, plain and with every span's transfer rounded up to whole blocks. */
static void sum_traffic(const OlTrace *trace, Traffic *plain, Traffic *blocks)
{
  *plain = *blocks = (Traffic){0, 0};
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    OlLane lane = ol_graph_node(trace->graph, span->node)->lane;
    if (lane == OL_LANE_NVME_READ) {
      plain->read += span->bytes;
      blocks->read += in_blocks(span->bytes);
    } else if (lane == OL_LANE_NVME_WRITE) {
      plain->written += span->bytes;
      blocks->written += in_blocks(span->bytes);
    }
  }
}

/* The file system books a few blocks of its own: the inode and the map of the file. */
#define FILE_SYSTEM_BYTES (128u << 10)

static void hold_count(guint64 counted, guint64 moved, guint64 in_whole_blocks)
{
  ck_assert_uint_ge(counted, moved);
  ck_assert_uint_le(counted, in_whole_blocks + FILE_SYSTEM_BYTES);
}

static void hold_total(const OlTrace *trace, const char *path, guint64 moved)
{
  g_autoptr(OlMetrics) metrics = ol_metrics_new(trace);
  double total = 0;
  ck_assert(ol_metrics_get_number(metrics, path, &total));
  ck_assert_double_eq(total, (double)moved);
}

START_TEST(test_the_system_counts_the_same_bytes)
{
  g_autofree const char **set = widened(placements[_i]);
  Traffic before, after, plain, blocks;
  if (!count_traffic(&before)) {
    printf("not held: this system does not count a process's bytes (/proc/self/io)\n");
    return;
  }
  g_autoptr(OlRun) run = fixture_run(set, NULL);
  ck_assert(count_traffic(&after));
  const OlTrace *trace = ol_run_get_trace(run);
  ck_assert_outcome(run, OL_OUTCOME_DONE);
  sum_traffic(trace, &plain, &blocks);
  hold_total(trace, "total.moved.nvme_read", plain.read);
  hold_total(trace, "total.moved.nvme_write", plain.written);

  const char *path = ol_trace_get_text(trace, "nvme.path");
  ck_assert_ptr_nonnull(path);
  if (strstr(path, "in memory") || strstr(path, "buffered")) {
    printf("not held: the build folder is not on a drive that bytes go straight to (%s)\n", path);
    return;
  }
  hold_count(after.read - before.read, plain.read, blocks.read);
  hold_count(after.written - before.written, plain.written, blocks.written);
}
END_TEST

/* ---- an ordinary user ---- */

#define USUAL_LOCK_LIMIT (8u << 20)
/* The drive that the profile describes has 960 GB: addresses on it are none of this process. */
#define ADDRESS_LIMIT ((rlim_t)4 << 30)

/* How a run in a process of its own ended: "outcome|hash|path|pin". */
static void write_end(OlRun *run, int end)
{
  const OlTrace *trace = ol_run_get_trace(run);
  const char *hash = ol_trace_get_text(trace, "weights.hash");
  const char *path = ol_trace_get_text(trace, "nvme.path");
  const char *pin = ol_trace_get_text(trace, "pin");
  g_autofree char *text = g_strdup_printf("%s|%s|%s|%s", ol_outcome_nick(trace->outcome),
                                          hash ? hash : "", path ? path : "", pin ? pin : "");
  _exit(write(end, text, strlen(text)) == (gssize)strlen(text) ? 0 : 1);
}

static gboolean become_ordinary(void)
{
  struct rlimit limit = {USUAL_LOCK_LIMIT, USUAL_LOCK_LIMIT};
  struct rlimit now;
  getrlimit(RLIMIT_MEMLOCK, &now);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < USUAL_LOCK_LIMIT)
    limit = now; /* it is lower still */
  struct rlimit addresses = {ADDRESS_LIMIT, ADDRESS_LIMIT};
  if (!IS_SANITIZED && setrlimit(RLIMIT_AS, &addresses) != 0)
    return FALSE;
  return setrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
         (geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0));
}

/* Machine and plan are made before the change of user: files of the lab may be out of his reach. */
static char **end_in_child(const char *const *set, gboolean ordinary)
{
  int ends[2], status = 0;
  char text[512] = {0};
  ck_assert_int_eq(pipe(ends), 0);
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    OlRun *run = fixture_open(set, NULL);
    if (ordinary && !become_ordinary())
      _exit(2);
    ol_run_execute(run);
    write_end(run, ends[1]);
  }
  close(ends[1]);
  ck_assert_int_gt(read(ends[0], text, sizeof text - 1), 0);
  close(ends[0]);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_int_eq(status, 0);
  return g_strsplit(text, "|", 4);
}

/* A folder that anyone may write, below the current one. */
static char *open_folder(void)
{
  char *folder = g_strdup("nvme-XXXXXX");
  ck_assert_ptr_nonnull(g_mkdtemp_full(folder, 0777));
  ck_assert(geteuid() != 0 || chown(folder, NOBODY, NOBODY) == 0);
  return folder;
}

START_TEST(test_ordinary_user_with_the_usual_limit)
{
  g_autofree char *folder = open_folder();
  g_autofree char *nvme_folder = g_strdup_printf("hardware.nvme_folder=%s", folder);
  /* More than the limit lets be locked, so that some of it is refused. */
  const char *const set[] = {ON_NVME, nvme_folder, "model.width=256", "steps=2", NULL};
  g_auto(GStrv) here = end_in_child(set, FALSE);
  g_auto(GStrv) there = end_in_child(set, TRUE);
  ck_assert_str_eq(there[0], "done");
  ck_assert_str_eq(here[0], "done");
  ck_assert_str_eq(there[1], here[1]);
  /* A sanitizer locks nothing, and says that it did. */
  ck_assert_msg(IS_SANITIZED || strstr(there[3], "ulimit -l") != NULL, "pin: %s", there[3]);
  if (!strstr(there[2], "io_uring"))
    printf("registered buffers are not held: %s\n", there[2]);
  else
    ck_assert_msg(strstr(there[2], "buffers registered") != NULL, "%s", there[2]);
  ck_assert_int_eq(rmdir(folder), 0); /* nothing was left in it */
}
END_TEST

int main(void)
{
  TCase *nvme = tcase_create("nvme");
  tcase_set_timeout(nvme, 60);
  tcase_add_loop_test(nvme, test_the_system_counts_the_same_bytes, 0, G_N_ELEMENTS(placements));
  tcase_add_test(nvme, test_ordinary_user_with_the_usual_limit);
  return run_suite("nvme", nvme);
}
