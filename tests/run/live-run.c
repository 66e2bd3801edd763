#include "tests/run/live-run.h"

#include "tests/run/run-fixture.h"

#include "engine/base/clock.h"
#include "engine/base/bell.h"

/* ---- watched ---- */

/* A run takes some tenths of a second, however busy the machine. */
#define HANGS_NS (60 * OL_NS_PER_SECOND)

typedef struct {
  OlControl *control;
  OlBell bell;
  atomic_bool over;
} Watch;

static gboolean is_over(gconstpointer data)
{
  return atomic_load(&((const Watch *)data)->over);
}

static void *watch(void *data)
{
  Watch *watch = data;
  if (!ol_bell_sleep(&watch->bell, is_over, watch, HANGS_NS))
    ol_control_stop(watch->control);
  return NULL;
}

OlRun *live_run_watched(const OlRunConfig *config, const OlRunOptions *options)
{
  Watch watched = {.control = ol_control_new()};
  OlRunOptions own = options ? *options : (OlRunOptions){0};
  g_autoptr(GError) error = NULL;
  pthread_t watcher;
  own.control = watched.control;
  OlRun *run = ol_run_new(config, &own, &error);
  ck_assert_msg(run != NULL, "%s", error ? error->message : "");
  ol_bell_init(&watched.bell);
  ck_assert_int_eq(pthread_create(&watcher, NULL, watch, &watched), 0);
  ol_run_execute(run);
  atomic_store(&watched.over, TRUE);
  ol_bell_ring(&watched.bell);
  pthread_join(watcher, NULL);
  ol_bell_clear(&watched.bell);
  ol_control_unref(watched.control);
  return run;
}

/* ---- by hand ---- */

static void *execute(void *data)
{
  ol_run_execute(data);
  return NULL;
}

LiveRun live_run_start(const char *const *set, gboolean paused)
{
  LiveRun live = {.control = ol_control_new()};
  OlRunOptions options = {.control = live.control};
  live.run = fixture_open(set, &options);
  if (paused)
    ol_control_pause(live.control);
  ck_assert_int_eq(pthread_create(&live.thread, NULL, execute, live.run), 0);
  return live;
}

void live_run_join(LiveRun *live)
{
  pthread_join(live->thread, NULL);
}

void live_run_end(LiveRun *live)
{
  ol_run_free(live->run);
  ol_control_unref(live->control);
}

static void count_spans(OlTrace *trace, gpointer data)
{
  *(guint *)data = trace->spans->len;
}

guint live_run_count_spans(LiveRun *live)
{
  guint n = 0;
  ol_recorder_with_trace(ol_run_get_recorder(live->run), count_spans, &n);
  return n;
}

void live_run_await_spans(LiveRun *live, guint n)
{
  while (live_run_count_spans(live) < n)
    g_usleep(500);
}
