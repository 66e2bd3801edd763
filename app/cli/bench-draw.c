/* What a frame of the window costs by the number of spans, drawn into memory without a display; and
 * how long a trace takes to load, and how much memory it then holds.
 *
 * A frame is all that the window draws anew: for pan and zoom each chart, for hover the hit test,
 * the details line and the one chart that follows the cursor. Times are of the thread alone, and
 * the least of some rounds: what other programs do meanwhile is not the frame's affair. */
#include "app/charts/charts.h"
#include "app/cli/bench.h"
#include "app/cli/long-trace.h"
#include "engine/trace/events.h"

#include <glib/gstdio.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define MOST_SPANS    1000000u
#define WIDTH         1000.0 /* of the charts, in cairo units */
#define TEXT_SIZE     13.0
#define ROUNDS        5u
#define FRAMES        32u /* a round */
#define FIRSTS        40u /* rounds of a single frame */
#define MS_A_FRAME    8.0 /* half of what a display of 60 Hz leaves */
#define LOAD_SECONDS  3.0
#define BYTES_A_SPAN  64.0
#define MOST_GROWTH   1.5 /* of a frame's cost, when there are a hundred times as many spans */
#define SHARE_IN_VIEW 0.25

typedef struct {
  OlChartView view;
  OlChartStyle *style;
  gint64 end_ns;
  double heights[OL_N_CHARTS];
  cairo_surface_t *surface;
} Scene;

static void scene_clear(Scene *scene)
{
  g_clear_pointer(&scene->surface, cairo_surface_destroy);
  g_clear_pointer(&scene->style, ol_chart_style_free);
}

static void scene_init(Scene *scene, const OlTrace *trace, OlTraceIndex *index)
{
  double all = 0;
  *scene = (Scene){.view = ol_chart_view_whole(trace, index),
                   .style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, TEXT_SIZE, NULL),
                   .end_ns = ol_trace_index_known_ns(index)};
  for (int chart = 0; chart < OL_N_CHARTS; chart++) {
    scene->heights[chart] = ol_chart_height((OlChart)chart, &scene->view, scene->style, WIDTH);
    all += scene->heights[chart];
  }
  scene->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)WIDTH, (int)ceil(all));
}

static void draw(Scene *scene, gboolean only_tiers)
{
  cairo_t *cairo = cairo_create(scene->surface);
  cairo_set_source_rgb(cairo, 1, 1, 1);
  cairo_paint(cairo);
  for (int chart = 0; chart < OL_N_CHARTS; chart++) {
    if (ol_chart_is_there((OlChart)chart, &scene->view) && (!only_tiers || chart == OL_CHART_TIERS))
      ol_chart_draw((OlChart)chart, cairo, WIDTH, scene->heights[chart], &scene->view,
                    scene->style);
    cairo_translate(cairo, 0, scene->heights[chart]);
  }
  cairo_destroy(cairo);
  cairo_surface_flush(scene->surface);
}

static void look_at(Scene *scene, double begin, double length)
{
  scene->view.begin_ns = (gint64)(begin * (double)scene->end_ns);
  scene->view.end_ns = scene->view.begin_ns + MAX((gint64)(length * (double)scene->end_ns), 1);
}

/* Of frame i of FRAMES. */
static double progress(guint i)
{
  return (double)i / (FRAMES - 1);
}

/* The whole, by a style whose fonts are found anew. */
static void draw_first(Scene *scene, guint i)
{
  ol_chart_style_free(scene->style);
  scene->style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, TEXT_SIZE, NULL);
  look_at(scene, 0, 1);
  draw(scene, FALSE);
}

static void draw_pan(Scene *scene, guint i)
{
  look_at(scene, (1 - SHARE_IN_VIEW) * progress(i), SHARE_IN_VIEW);
  draw(scene, FALSE);
}

/* From the whole to some hundred spans. */
static void draw_zoom(Scene *scene, guint i)
{
  double least = MIN(300.0 / scene->view.trace->spans->len, 1);
  double length = pow(least, progress(i));
  look_at(scene, 0.4 * (1 - length), length);
  draw(scene, FALSE);
}

static void draw_hover(Scene *scene, guint i)
{
  double left, right;
  cairo_rectangle_t outline;
  double height = scene->heights[OL_CHART_LANES];
  if (i == 0)
    look_at(scene, 0, 1);
  ol_chart_plot_edges(&scene->view, scene->style, WIDTH, &left, &right);
  double x = left + (right - left) * progress(i), y = height * (0.15 + 0.6 * progress(i));
  OlChartHit hit = ol_chart_hit(OL_CHART_LANES, x, y, WIDTH, height, &scene->view, scene->style);
  scene->view.cursor_ns = hit.time_ns;
  ol_chart_mark(WIDTH, height, &scene->view, scene->style, hit.span, &outline);
  g_autofree char *details = ol_chart_view_dup_span_details(&scene->view, hit.span);
  draw(scene, TRUE);
}

static const struct {
  const char *name;
  void (*draw)(Scene *scene, guint i);
  guint rounds, frames; /* frames a round */
} cases[] = {
    {"first", draw_first, FIRSTS, 1},
    {"pan", draw_pan, ROUNDS, FRAMES},
    {"zoom", draw_zoom, ROUNDS, FRAMES},
    {"hover", draw_hover, ROUNDS, FRAMES},
};

/* The mean of a round, of the quickest round. */
static double measure_ms(Scene *scene, guint c)
{
  double best = G_MAXDOUBLE;
  for (guint round = 0; round < cases[c].rounds; round++) {
    double begin = ol_bench_core_seconds();
    for (guint i = 0; i < cases[c].frames; i++)
      cases[c].draw(scene, i);
    best = MIN(best, (ol_bench_core_seconds() - begin) / cases[c].frames);
  }
  scene->view.cursor_ns = -1;
  return 1e3 * best;
}

/* ms a frame of each case. */
static gboolean draw_cases(const OlTrace *trace, OlTraceIndex *index, guint n_spans, double *ms,
                           GError **error)
{
  gboolean fine = TRUE;
  Scene scene;
  scene_init(&scene, trace, index);
  for (guint c = 0; fine && c < G_N_ELEMENTS(cases); c++) {
    ms[c] = measure_ms(&scene, c);
    OlBenchLine line = {.bench = "draw",
                        .value = ms[c],
                        .unit = "ms/frame",
                        .limit = MS_A_FRAME,
                        .is_target = TRUE};
    snprintf(line.name, sizeof line.name, "%u spans %s", n_spans, cases[c].name);
    fine = ol_bench_print(&line, error);
  }
  scene_clear(&scene);
  return fine;
}

static gboolean draw_few(guint n_spans, double *ms, GError **error)
{
  g_autoptr(OlTrace) trace = ol_long_trace_new(n_spans, error);
  if (!trace)
    return FALSE;
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  return draw_cases(trace, index, n_spans, ms, error);
}

/* Bytes of this process that lie in memory, less what it has freed; 0 where the system does not
 * tell. */
static double resident_bytes(void)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  g_autofree char *text = NULL;
  unsigned long all, resident;
  if (!g_file_get_contents("/proc/self/statm", &text, NULL, NULL) ||
      sscanf(text, "%lu %lu", &all, &resident) != 2)
    return 0;
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

/* Writes a trace of so many spans as JSON lines. Caller frees the path and removes the file. */
static char *write_events(guint n_spans, GError **error)
{
  g_autoptr(OlTrace) trace = ol_long_trace_new(n_spans, error);
  g_autofree char *path = NULL;
  int file = trace ? g_file_open_tmp("offload-lab-bench-XXXXXX.jsonl", &path, error) : -1;
  if (file < 0)
    return NULL;
  close(file);
  if (ol_events_write_file(trace, path, error))
    return g_steal_pointer(&path);
  g_unlink(path);
  return NULL;
}

/* File to index, as the window opens it. */
static OlTraceIndex *load(const char *path, double *seconds, GError **error)
{
  double begin = ol_bench_core_seconds();
  g_autoptr(OlTrace) trace = ol_events_read_file(path, error);
  OlTraceIndex *index = trace ? ol_trace_index_new(trace) : NULL;
  *seconds = ol_bench_core_seconds() - begin;
  return index;
}

static gboolean print_loaded(double seconds, double bytes, guint64 file_bytes, GError **error)
{
  OlBenchLine time = {.bench = "draw",
                      .value = seconds,
                      .unit = "s",
                      .limit = LOAD_SECONDS,
                      .is_target = TRUE,
                      .bytes = file_bytes};
  OlBenchLine memory = {.bench = "draw",
                        .value = bytes / MOST_SPANS,
                        .unit = "B/span",
                        .limit = BYTES_A_SPAN,
                        .is_target = TRUE};
  snprintf(time.name, sizeof time.name, "%u spans load", MOST_SPANS);
  snprintf(memory.name, sizeof memory.name, "%u spans memory", MOST_SPANS);
  return ol_bench_print(&time, error) && (bytes <= 0 || ol_bench_print(&memory, error));
}

/* Memory is what the process has more of after loading: trace and index, their memory changes,
 * graph and steps included, everything that reading alone needed given back. */
static gboolean draw_loaded(const char *path, double *ms, GError **error)
{
  double seconds = G_MAXDOUBLE, once, before = 0, bytes = 0;
  OlTraceIndex *index = NULL;
  GStatBuf status = {0};
  g_stat(path, &status);
  for (guint i = 0; i < 3; i++) {
    g_clear_pointer(&index, ol_trace_index_free);
    before = resident_bytes();
    index = load(path, &once, error);
    if (!index)
      return FALSE;
    if (i == 0)
      bytes = resident_bytes() - before;
    seconds = MIN(seconds, once);
  }
  gboolean fine = print_loaded(seconds, bytes, (guint64)status.st_size, error) &&
                  draw_cases(ol_trace_index_get_trace(index), index, MOST_SPANS, ms, error);
  ol_trace_index_free(index);
  return fine;
}

static gboolean draw_most(double *ms, GError **error)
{
  g_autofree char *path = write_events(MOST_SPANS, error);
  if (!path)
    return FALSE;
  gboolean fine = draw_loaded(path, ms, error);
  g_unlink(path);
  return fine;
}

static gboolean print_growth(const double *few, const double *many, GError **error)
{
  for (guint c = 0; c < G_N_ELEMENTS(cases); c++) {
    OlBenchLine line = {.bench = "draw",
                        .value = many[c] / few[c],
                        .unit = "times",
                        .limit = MOST_GROWTH,
                        .is_target = TRUE};
    snprintf(line.name, sizeof line.name, "%s of %u spans against 10000", cases[c].name,
             MOST_SPANS);
    if (!ol_bench_print(&line, error))
      return FALSE;
  }
  return TRUE;
}

gboolean ol_bench_draw(GError **error)
{
  double few[G_N_ELEMENTS(cases)], many[G_N_ELEMENTS(cases)];
  return draw_few(1000, many, error) && draw_few(10000, few, error) &&
         draw_few(100000, many, error) && draw_most(many, error) && print_growth(few, many, error);
}
