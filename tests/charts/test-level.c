/* Level of detail, hit tests and a growing index against brute force, at any zoom of traces of a
 * hundred thousand spans. */
#include "app/charts/lanes-layout.h"
#include "app/charts/level.h"
#include "app/charts/memory-steps.h"
#include "tests/charts/random-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define SPANS  100000u
#define LEFT   100
#define RIGHT  700
#define ZOOMS  40
#define PROBES 12 /* hits a zoom */

/* A random stretch of the run: from all of it down to a few spans. */
static OlPlot random_plot(GRand *random, gint64 end_ns)
{
  double share = pow(10, g_rand_double_range(random, -4, 0));
  gint64 length = MAX((gint64)(share * (double)end_ns), 60 * (RIGHT - LEFT));
  gint64 begin = (gint64)(g_rand_double_range(random, -0.1, 1) * (double)(end_ns - length));
  return (OlPlot){LEFT, RIGHT, MAX(begin, 0), MAX(begin, 0) + length};
}

static gboolean is_on(const OlTrace *trace, const OlSpan *span, guint rank, int lane)
{
  const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
  return node->rank == rank && (int)node->lane == lane;
}

/* Busy time of each column, span by span: ns: [RIGHT - LEFT]. */
static void sum_columns(const OlTrace *trace, const OlPlot *plot, int lane, gint64 *ns)
{
  memset(ns, 0, (RIGHT - LEFT) * sizeof *ns);
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (!is_on(trace, span, 0, lane))
      continue;
    double x0 = CLAMP(ol_plot_x(plot, span->begin_ns), LEFT, RIGHT);
    double x1 = CLAMP(ol_plot_x(plot, span->end_ns), LEFT, RIGHT);
    for (int x = MAX((int)x0 - 1, LEFT); x < MIN((int)x1 + 2, RIGHT); x++)
      ns[x - LEFT] += MAX(0, MIN(span->end_ns, ol_plot_time(plot, x + 1)) -
                                 MAX(span->begin_ns, ol_plot_time(plot, x)));
  }
}

/* Every column that is busy lies under an item, and runs of columns tell how busy they are, to a
 * sixteenth. A time falls on a pixel's edge to the ns. */
static void check_items(const GArray *items, const OlPlot *plot, const gint64 *ns)
{
  double length = (double)(plot->end_ns - plot->begin_ns) / (RIGHT - LEFT), slack = 2 / length;
  gboolean seen[RIGHT - LEFT] = {FALSE};
  for (guint i = 0; i < items->len; i++) {
    const OlLevelItem *item = &g_array_index(items, OlLevelItem, i);
    ck_assert_double_ge(item->x0, LEFT);
    ck_assert_double_le(item->x1, RIGHT);
    for (int x = (int)floor(item->x0); x < item->x1; x++) {
      double share = (double)ns[x - LEFT] / length;
      seen[x - LEFT] = TRUE;
      if (item->span >= 0)
        continue;
      ck_assert_double_ge(item->busy, share - slack);
      ck_assert_double_le(item->busy, share + 1.0 / 16 + slack);
    }
  }
  for (int x = LEFT; x < RIGHT; x++)
    ck_assert_msg(seen[x - LEFT] || ns[x - LEFT] <= 2, "column %d: %d ns vanish", x,
                  (int)ns[x - LEFT]);
}

START_TEST(columns_are_brute_force)
{
  GRand *random = g_rand_new_with_seed(50);
  Scene scene = scene_new(random_trace_new(51, SPANS, 0));
  gint64 ns[RIGHT - LEFT];
  for (int zoom = 0; zoom < ZOOMS; zoom++) {
    OlPlot plot = random_plot(random, scene.view.end_ns);
    for (int lane = 0; lane < OL_N_LANES; lane++) {
      g_autoptr(GArray) items = ol_level_items(&scene.view, (OlLane)lane, &plot, NULL);
      sum_columns(scene.trace, &plot, lane, ns);
      check_items(items, &plot, ns);
    }
  }
  scene_clear(&scene);
  g_rand_free(random);
}
END_TEST

/* The highest total of each column, change by change: highest: [RIGHT - LEFT]. */
static void find_highest(const OlTrace *trace, const OlPlot *plot, int tier, gint64 *highest)
{
  gint64 total = 0;
  int x = LEFT;
  memset(highest, 0, (RIGHT - LEFT) * sizeof *highest);
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(trace->graph, change->buffer);
    if (buffer->rank != 0 || (int)buffer->tier != tier)
      continue;
    for (; x < RIGHT && ol_plot_time(plot, x) < change->time_ns; x++)
      highest[x - LEFT] = MAX(highest[x - LEFT], total);
    total += change->bytes;
    if (x > LEFT && change->time_ns < ol_plot_time(plot, x))
      highest[x - 1 - LEFT] = MAX(highest[x - 1 - LEFT], total);
  }
  for (; x < RIGHT; x++)
    highest[x - LEFT] = MAX(highest[x - LEFT], total);
}

/* Where there are far more changes than pixels, a column shows the highest moment of its own. */
START_TEST(memory_columns_are_brute_force)
{
  GRand *random = g_rand_new_with_seed(52);
  Scene scene = scene_new(random_trace_new(53, 1, SPANS));
  gint64 highest[RIGHT - LEFT], end_ns = ol_trace_index_known_ns(scene.index);
  for (int zoom = 0; zoom < ZOOMS; zoom++) {
    OlPlot plot = {LEFT, RIGHT, 0, 0};
    plot.begin_ns = (gint64)(g_rand_double_range(random, 0, 0.6) * (double)end_ns);
    plot.end_ns = plot.begin_ns + (gint64)(g_rand_double_range(random, 0.3, 0.4) * (double)end_ns);
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      g_autoptr(GArray) steps = ol_memory_steps_new(&scene.view, (OlTier)tier, &plot);
      find_highest(scene.trace, &plot, tier, highest);
      for (guint i = 0; i < steps->len; i++) {
        const OlMemoryStep *step = &g_array_index(steps, OlMemoryStep, i);
        for (int x = (int)step->x0; x < step->x1; x++)
          ck_assert_int_eq(ol_memory_step_sum(step, OL_N_PAYLOADS - 1), highest[x - LEFT]);
      }
      ck_assert_double_eq(g_array_index(steps, OlMemoryStep, steps->len - 1).x1, RIGHT);
    }
  }
  scene_clear(&scene);
  g_rand_free(random);
}
END_TEST

/* How far x lies from a span. */
static double distance_to(const OlPlot *plot, const OlSpan *span, double x)
{
  return MAX(MAX(ol_plot_x(plot, span->begin_ns) - x, x - ol_plot_x(plot, span->end_ns)), 0);
}

static double find_nearest(const OlTrace *trace, const OlPlot *plot, const OlChartHit *hit,
                           double x)
{
  double nearest = G_MAXDOUBLE;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (is_on(trace, span, (guint)hit->rank, hit->lane))
      nearest = MIN(nearest, distance_to(plot, span, x));
  }
  return nearest;
}

/* What is hit is what lies nearest, in a crowd of narrow spans, too. */
static guint check_hits(Scene *scene, const OlChartStyle *style, GRand *random)
{
  double width = 1000, height = ol_chart_height(OL_CHART_LANES, &scene->view, style, width);
  double reach = 0.25 * style->text_size;
  guint hits = 0;
  OlCanvas canvas;
  OlLanesLayout layout;
  ol_canvas_init(&canvas, NULL, &scene->view, style, width, height);
  ol_lanes_layout_init(&layout, &canvas);
  for (int probe = 0; probe < PROBES; probe++) {
    double x = g_rand_double_range(random, layout.plot.left, layout.plot.right);
    double y = g_rand_double_range(random, layout.top, layout.bottom);
    OlChartHit hit = ol_chart_hit(OL_CHART_LANES, x, y, width, height, &scene->view, style);
    if (hit.lane < 0)
      continue;
    double nearest = find_nearest(scene->trace, &layout.plot, &hit, x);
    ck_assert_int_eq(hit.span >= 0, nearest < reach);
    if (hit.span < 0)
      continue;
    const OlSpan *span = ol_trace_span(scene->trace, (guint)hit.span);
    ck_assert_double_eq_tol(distance_to(&layout.plot, span, x), nearest, 1e-9);
    hits++;
  }
  ol_canvas_clear(&canvas);
  return hits;
}

START_TEST(hits_are_brute_force)
{
  GRand *random = g_rand_new_with_seed(54);
  Scene scene = scene_new(random_trace_new(55, 4 * SPANS, 0));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  gint64 end_ns = scene.view.end_ns;
  guint hits = 0;
  for (int zoom = 0; zoom < ZOOMS; zoom++) {
    OlPlot plot = random_plot(random, end_ns);
    scene.view.begin_ns = plot.begin_ns;
    scene.view.end_ns = plot.end_ns;
    hits += check_hits(&scene, style, random);
  }
  ck_assert_uint_gt(hits, ZOOMS);
  ol_chart_style_free(style);
  scene_clear(&scene);
  g_rand_free(random);
}
END_TEST

static void check_same_items(const GArray *one, const GArray *other)
{
  ck_assert_uint_eq(one->len, other->len);
  for (guint i = 0; i < one->len; i++) {
    const OlLevelItem *x = &g_array_index(one, OlLevelItem, i);
    const OlLevelItem *y = &g_array_index(other, OlLevelItem, i);
    ck_assert_double_eq(x->x0, y->x0);
    ck_assert_double_eq(x->x1, y->x1);
    ck_assert_int_eq(x->span, y->span);
    ck_assert_int_eq(x->payload, y->payload);
    ck_assert_int_eq(x->aside, y->aside);
    ck_assert_double_eq(x->busy, y->busy);
  }
}

static void check_same_steps(const GArray *one, const GArray *other)
{
  ck_assert_uint_eq(one->len, other->len);
  ck_assert_int_eq(memcmp(one->data, other->data, one->len * sizeof(OlMemoryStep)), 0);
}

/* Spans and changes that come in random pieces, spans some places out of order, and on a piece's
 * border as well: what is drawn is what an index made at once draws. */
static void check_alike(const Scene *grown, GRand *random)
{
  Scene made = scene_new(ol_trace_ref(grown->trace));
  for (int zoom = 0; zoom < 3; zoom++) {
    OlPlot plot = random_plot(random, made.view.end_ns);
    for (int lane = 0; lane < OL_N_LANES; lane++) {
      g_autoptr(GArray) one = ol_level_items(&grown->view, (OlLane)lane, &plot, NULL);
      g_autoptr(GArray) other = ol_level_items(&made.view, (OlLane)lane, &plot, NULL);
      check_same_items(one, other);
    }
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      g_autoptr(GArray) one = ol_memory_steps_new(&grown->view, (OlTier)tier, &plot);
      g_autoptr(GArray) other = ol_memory_steps_new(&made.view, (OlTier)tier, &plot);
      check_same_steps(one, other);
    }
  }
  scene_clear(&made);
}

static void jumble(OlTrace *trace, GRand *random)
{
  OlSpan *spans = (OlSpan *)trace->spans->data;
  for (guint i = 1; i < trace->spans->len; i++) {
    guint j = (guint)g_rand_int_range(random, (gint32)(i > 20 ? i - 20 : 0), (gint32)i + 1);
    OlSpan kept = spans[i];
    spans[i] = spans[j];
    spans[j] = kept;
  }
}

START_TEST(growing_is_making_anew)
{
  GRand *random = g_rand_new_with_seed(56);
  g_autoptr(OlTrace) whole = random_trace_new(57, SPANS, SPANS);
  jumble(whole, random);
  Scene grown = scene_new(ol_trace_new(whole->source, &whole->header, whole->graph));
  GArray *spans = grown.trace->spans, *changes = grown.trace->changes;
  while (spans->len < SPANS) {
    guint n = MIN((guint)g_rand_int_range(random, 1, 9000), SPANS - spans->len);
    g_array_append_vals(spans, ol_trace_span(whole, spans->len), n);
    g_array_append_vals(changes, ol_trace_change(whole, changes->len), n);
    ck_assert(ol_trace_index_extend(grown.index));
    check_alike(&grown, random);
  }
  scene_clear(&grown);
  g_rand_free(random);
}
END_TEST

/* A file may hold its spans in the worst order there is. */
START_TEST(backwards_takes_no_longer)
{
  g_autoptr(OlTrace) trace = random_trace_new(58, SPANS, 0);
  OlSpan *spans = (OlSpan *)trace->spans->data;
  for (guint i = 0; i < SPANS / 2; i++) {
    OlSpan kept = spans[i];
    spans[i] = spans[SPANS - 1 - i];
    spans[SPANS - 1 - i] = kept;
  }
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  for (int lane = 0; lane < OL_N_LANES; lane++)
    for (guint i = 1; i < ol_trace_index_lane_count(index, 1, (OlLane)lane); i++)
      ck_assert_int_le(
          ol_trace_span(trace, ol_trace_index_lane_span(index, 1, (OlLane)lane, i - 1))->begin_ns,
          ol_trace_span(trace, ol_trace_index_lane_span(index, 1, (OlLane)lane, i))->begin_ns);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("level");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, columns_are_brute_force);
  tcase_add_test(cases, memory_columns_are_brute_force);
  tcase_add_test(cases, hits_are_brute_force);
  tcase_add_test(cases, growing_is_making_anew);
  tcase_add_test(cases, backwards_takes_no_longer);
  return run_suite("level", cases);
}
