/* Numbers on the charts: each is found where it is written, says what is written, and leads to the
 * spans and blocks that it counts; against a look at every span. */
#include "app/charts/bubbles.h"
#include "app/charts/lanes-key.h"
#include "app/charts/next-node.h"
#include "app/charts/number-place.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define WIDTH 1100

typedef struct {
  Scene scene;
  OlChartStyle *style;
} Drawn;

static Drawn drawn_new(OlTrace *trace)
{
  return (Drawn){scene_new(trace), ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL)};
}

static void drawn_clear(Drawn *drawn)
{
  ol_chart_style_free(drawn->style);
  scene_clear(&drawn->scene);
}

static double height_of(const Drawn *drawn, OlChart chart)
{
  return ol_chart_height(chart, &drawn->scene.view, drawn->style, WIDTH);
}

static GArray *spots_of(const Drawn *drawn, OlChart chart)
{
  return ol_chart_spots(chart, WIDTH, height_of(drawn, chart), &drawn->scene.view, drawn->style);
}

/* The first spot of a kind (and a tier or lane, or -1 each), pressed in its middle. */
static OlNumber press(const Drawn *drawn, OlChart chart, OlNumberKind kind, int tier, int lane)
{
  g_autoptr(GArray) spots = spots_of(drawn, chart);
  for (guint i = 0; i < spots->len; i++) {
    const OlChartSpot *spot = &g_array_index(spots, OlChartSpot, i);
    if (spot->number.kind != kind || (tier >= 0 && spot->number.tier != tier) ||
        (lane >= 0 && spot->number.lane != lane))
      continue;
    OlChartHit hit =
        ol_chart_hit(chart, spot->box.x + spot->box.width / 2, spot->box.y + spot->box.height / 2,
                     WIDTH, height_of(drawn, chart), &drawn->scene.view, drawn->style);
    ck_assert_int_eq(hit.number.kind, kind);
    ck_assert_int_eq(hit.number.tier, spot->number.tier);
    ck_assert_int_eq(hit.number.lane, spot->number.lane);
    return hit.number;
  }
  ck_abort_msg("no number %d on chart %d", kind, chart);
  return ol_number(OL_NUMBER_NONE, 0);
}

static OlFigurePlace go(const Drawn *drawn, OlChart chart, OlNumberKind kind, int tier, int lane)
{
  OlFigurePlace place;
  OlNumber number = press(drawn, chart, kind, tier, lane);
  ck_assert(ol_number_place_find(&drawn->scene.view, &number, &place));
  return place;
}

static const OlGraphNode *node_of(const Drawn *drawn, int span)
{
  return ol_graph_node(drawn->scene.trace->graph,
                       ol_trace_span(drawn->scene.trace, (guint)span)->node);
}

/* The same moment from both charts, added up change by change. */
START_TEST(peaks_lead_to_their_moment)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  for (int tier = 0; tier < OL_TIER_NVME; tier++) {
    OlFigurePlace place = go(&drawn, OL_CHART_MEMORY, OL_NUMBER_PEAK, tier, -1);
    OlFigurePlace same = go(&drawn, OL_CHART_TIERS, OL_NUMBER_PEAK, tier, -1);
    assert_peak_at(drawn.scene.trace, (OlTier)tier, place.moment_ns);
    ck_assert_int_eq(same.moment_ns, place.moment_ns);
    ck_assert_int_eq(place.tier, tier);
    ck_assert_int_eq(place.chart, OL_CHART_MEMORY);
  }
  drawn_clear(&drawn);
}
END_TEST

/* Of a later step's range alone: every step fills the GPU as the first one does, so that its peak
 * is named there, too, and a press on it stays there. */
START_TEST(a_peak_is_named_in_every_step)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  for (guint i = 1; i < drawn.scene.trace->steps->len; i++) {
    const OlStep *step = ol_trace_step(drawn.scene.trace, i);
    drawn.scene.view.begin_ns = step->begin_ns;
    drawn.scene.view.end_ns = step->end_ns;
    OlFigurePlace place = go(&drawn, OL_CHART_MEMORY, OL_NUMBER_PEAK, OL_TIER_GPU, -1);
    assert_peak_at(drawn.scene.trace, OL_TIER_GPU, place.moment_ns);
    ck_assert_int_ge(place.moment_ns, step->begin_ns);
    ck_assert_int_le(place.moment_ns, step->end_ns);
  }
  drawn_clear(&drawn);
}
END_TEST

/* A tier's amount leads to the moment that is shown; its parts are those that are held then. */
START_TEST(tiers_lead_to_what_they_hold)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  drawn.scene.view.cursor_ns = drawn.scene.view.end_ns / 2;
  OlFigurePlace place = go(&drawn, OL_CHART_TIERS, OL_NUMBER_HELD, OL_TIER_HOST, -1);
  ck_assert_int_eq(place.moment_ns, drawn.scene.view.cursor_ns);
  ck_assert_int_eq(place.tier, OL_TIER_HOST);
  g_autoptr(GArray) spots = spots_of(&drawn, OL_CHART_TIERS);
  gint64 bytes[OL_N_PAYLOADS];
  guint parts = 0, held = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    ol_trace_index_memory_at(drawn.scene.index, 0, (OlTier)tier, drawn.scene.view.cursor_ns, bytes);
    for (int p = 0; p < OL_N_PAYLOADS; p++)
      held += bytes[p] > 0;
  }
  for (guint i = 0; i < spots->len; i++)
    parts += g_array_index(spots, OlChartSpot, i).number.kind == OL_NUMBER_BLOCKS;
  ck_assert_uint_eq(parts, held);
  OlNumber blocks = press(&drawn, OL_CHART_TIERS, OL_NUMBER_BLOCKS, OL_TIER_GPU, -1);
  OlHeld found;
  ol_trace_index_memory_at(drawn.scene.index, 0, OL_TIER_GPU, drawn.scene.view.cursor_ns, bytes);
  ck_assert(blocks.offset > 0 && blocks.offset < bytes[blocks.payload]);
  ck_assert(ol_held_at(&drawn.scene.view, OL_TIER_GPU, (OlPayload)blocks.payload,
                       drawn.scene.view.cursor_ns, blocks.offset, &found));
  ck_assert_int_eq(ol_graph_buffer(drawn.scene.trace->graph, found.buffer)->payload,
                   blocks.payload);
  drawn_clear(&drawn);
}
END_TEST

/* In the middle of every copy its link's rate leads to it; between copies to the one before. */
START_TEST(rates_lead_to_their_copy)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  const OlTrace *trace = drawn.scene.trace;
  int before = -1;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    if (node_of(&drawn, (int)i)->lane != OL_LANE_GPU_TO_HOST || span->end_ns - span->begin_ns < 2)
      continue;
    drawn.scene.view.cursor_ns = (span->begin_ns + span->end_ns) / 2;
    OlFigurePlace place = go(&drawn, OL_CHART_TIERS, OL_NUMBER_RATE, -1, OL_LANE_GPU_TO_HOST);
    ck_assert_int_eq(place.span, (int)i);
    ck_assert_int_eq(place.lane, OL_LANE_GPU_TO_HOST);
    if (before >= 0 && ol_trace_span(trace, (guint)before)->end_ns < span->begin_ns) {
      drawn.scene.view.cursor_ns = span->begin_ns - 1;
      place = go(&drawn, OL_CHART_TIERS, OL_NUMBER_RATE, -1, OL_LANE_GPU_TO_HOST);
      ck_assert_int_eq(place.span, before);
    }
    before = (int)i;
  }
  ck_assert_int_ge(before, 0);
  drawn_clear(&drawn);
}
END_TEST

static gint64 exposed_of(const Drawn *drawn, guint span)
{
  const OlTrace *trace = drawn->scene.trace;
  const OlSpan *of = ol_trace_span(trace, span);
  gint64 exposed = of->end_ns - of->begin_ns;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *other = ol_trace_span(trace, i);
    if (node_of(drawn, (int)i)->lane == OL_LANE_COMPUTE)
      exposed -= MAX(MIN(of->end_ns, other->end_ns) - MAX(of->begin_ns, other->begin_ns), 0);
  }
  return exposed;
}

START_TEST(hidden_leads_to_what_is_exposed_most)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  OlFigurePlace place = go(&drawn, OL_CHART_LANES, OL_NUMBER_HIDDEN, -1, -1);
  int last = (int)drawn.scene.trace->steps->len - 1;
  ck_assert_int_eq(place.mark, OL_MARK_EXPOSED);
  ck_assert_int_ge(place.span, 0);
  for (guint i = 0; i < drawn.scene.trace->spans->len; i++)
    if (ol_lane_is_transfer((int)node_of(&drawn, (int)i)->lane) &&
        ol_trace_span(drawn.scene.trace, i)->step == last &&
        node_of(&drawn, (int)i)->part == OL_PART_STEP)
      ck_assert_int_le(exposed_of(&drawn, i), exposed_of(&drawn, (guint)place.span));
  ck_assert(ol_lane_is_transfer((int)node_of(&drawn, place.span)->lane));
  drawn_clear(&drawn);
}
END_TEST

/* Nothing computes in the wait that it leads to, and what is selected ends it. */
START_TEST(idle_leads_to_the_longest_wait)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  OlBubbleWindow longest;
  OlFigurePlace place = go(&drawn, OL_CHART_LANES, OL_NUMBER_IDLE, -1, -1);
  ck_assert(ol_bubbles_find_longest(&drawn.scene.view, &longest));
  ck_assert_int_eq(place.mark, OL_MARK_IDLE);
  ck_assert_int_eq(place.moment_ns, longest.begin_ns);
  ck_assert_int_eq(
      ol_trace_index_busy(drawn.scene.index, 0, OL_LANE_COMPUTE, longest.begin_ns, longest.end_ns),
      0);
  ck_assert_int_eq(node_of(&drawn, place.span)->lane, OL_LANE_COMPUTE);
  guint first, n;
  ol_trace_index_find(drawn.scene.index, 0, OL_LANE_COMPUTE, longest.end_ns, G_MAXINT64, &first,
                      &n);
  const OlSpan *span = ol_trace_span(drawn.scene.trace, (guint)place.span);
  if (n > 0)
    ck_assert_int_ge(span->begin_ns, longest.end_ns);
  else
    ck_assert_int_le(span->end_ns, longest.begin_ns);
  drawn_clear(&drawn);
}
END_TEST

/* The share is that of what is hatched, fill and hash left out; without a step there is none. */
START_TEST(the_idle_share_is_what_is_hatched)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  OlChartView *view = &drawn.scene.view;
  const OlTrace *trace = drawn.scene.trace;
  gint64 steps_ns = 0;
  double hatched = 0;
  OlPlot plot = {0, 200000, view->begin_ns, view->end_ns};
  g_autoptr(GArray) bubbles = ol_bubbles_new(view, &plot);
  for (guint i = 0; i < bubbles->len; i++) {
    const OlBubble *bubble = &g_array_index(bubbles, OlBubble, i);
    hatched += (double)(ol_plot_time(&plot, bubble->x1) - ol_plot_time(&plot, bubble->x0));
  }
  for (guint i = 0; i < trace->steps->len; i++)
    steps_ns += ol_trace_step(trace, i)->end_ns - ol_trace_step(trace, i)->begin_ns;
  ck_assert_double_eq_tol(ol_bubbles_share(view), hatched / (double)steps_ns, 1e-3);
  view->end_ns = ol_trace_step(trace, 0)->begin_ns;
  ck_assert(view->end_ns > view->begin_ns && isnan(ol_bubbles_share(view)));
  g_autoptr(GArray) spots = spots_of(&drawn, OL_CHART_LANES);
  for (guint i = 0; i < spots->len; i++)
    ck_assert_int_ne(g_array_index(spots, OlChartSpot, i).number.kind, OL_NUMBER_IDLE);
  drawn_clear(&drawn);
}
END_TEST

START_TEST(losses_and_speeds_lead_to_their_step)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  guint last = drawn.scene.trace->steps->len - 1;
  OlFigurePlace place = go(&drawn, OL_CHART_LOSS, OL_NUMBER_LOSS, -1, -1);
  ck_assert_int_eq(place.begin_ns, ol_trace_step(drawn.scene.trace, last)->begin_ns);
  ck_assert_int_eq(place.end_ns, ol_trace_step(drawn.scene.trace, last)->end_ns);
  OlNumber first = ol_number(OL_NUMBER_LOSS, 0);
  first.step = 0;
  ck_assert(ol_number_place_find(&drawn.scene.view, &first, &place));
  ck_assert_int_eq(place.begin_ns, ol_trace_step(drawn.scene.trace, 0)->begin_ns);
  drawn_clear(&drawn);
}
END_TEST

/* Every number lies within its chart, has words, promises something, and leads somewhere; of eight
 * ranks each has its own. */
START_TEST(every_number_is_whole)
{
  Drawn drawn = drawn_new(_i == 0 ? sample_trace_new(NULL)
                                  : rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}));
  guint numbers = 0;
  drawn.scene.view.cursor_ns = drawn.scene.view.end_ns / 2;
  for (int chart = 0; chart < OL_N_CHARTS; chart++) {
    g_autoptr(GArray) spots = spots_of(&drawn, (OlChart)chart);
    for (guint i = 0; i < spots->len; i++) {
      const OlChartSpot *spot = &g_array_index(spots, OlChartSpot, i);
      OlFigurePlace place;
      if (spot->number.kind == OL_NUMBER_NONE)
        continue;
      g_autofree char *words = ol_number_dup_words(&drawn.scene.view, &spot->number);
      ck_assert_msg(spot->box.x >= 0 && spot->box.x + spot->box.width <= WIDTH, "%s", words);
      ck_assert_double_gt(spot->box.width, 0);
      ck_assert_uint_gt(strlen(words), 3);
      ck_assert_int_eq(strncmp(ol_number_get_promise(spot->number.kind), "press: ", 7), 0);
      if (spot->number.kind == OL_NUMBER_BLOCKS)
        continue;
      ck_assert_msg(ol_number_place_find(&drawn.scene.view, &spot->number, &place), "%s", words);
      ck_assert_int_eq(place.rank, (int)spot->number.rank);
      numbers++;
    }
  }
  ck_assert_uint_gt(numbers, 8);
  drawn_clear(&drawn);
}
END_TEST

/* However narrow: no entry of the key is dropped or cut off; it takes more lines. */
START_TEST(the_key_is_whole)
{
  Drawn drawn = drawn_new(sample_trace_new(NULL));
  guint lines_before = 1;
  for (double width = 1000; width >= 330; width -= 10) {
    OlCanvas canvas;
    OlLanesLayout layout;
    OlBox idle;
    double height = ol_chart_height(OL_CHART_LANES, &drawn.scene.view, drawn.style, width);
    ol_canvas_init(&canvas, NULL, &drawn.scene.view, drawn.style, width, height);
    ol_lanes_layout_init(&layout, &canvas);
    guint lines = ol_lanes_key_count_lines(&canvas, layout.plot.left);
    ck_assert_uint_ge(lines, lines_before);
    ck_assert(ol_lanes_key_find_idle(&canvas, &layout, &idle));
    ck_assert_double_le(idle.x + idle.width, width);
    ck_assert_double_lt(layout.key_y + (lines - 1) * layout.key_line + layout.key_line / 2, height);
    lines_before = lines;
    ol_canvas_clear(&canvas);
  }
  ck_assert_uint_gt(lines_before, 1);
  drawn_clear(&drawn);
}
END_TEST

/* Whoever asks, a run that is held is at the same place: cut after every span of the fill. */
START_TEST(a_run_is_where_its_next_node_is)
{
  g_autoptr(OlTrace) whole = sample_trace_new(&(SampleOptions){.steps = 2});
  const OlStep *first = ol_trace_step(whole, 0);
  for (guint i = 0; i < whole->spans->len; i++) {
    const OlSpan *span = ol_trace_span(whole, i);
    if (span->end_ns >= first->end_ns)
      continue;
    OlNextNode next;
    Scene scene = scene_new(sample_trace_until(whole, span->end_ns));
    ck_assert(ol_next_node_find(&scene.view, &next));
    g_autofree char *words = ol_next_node_dup_words(&scene.view, &next);
    g_autofree char *progress = ol_next_node_dup_progress(scene.trace, 2);
    const char *in_both =
        g_str_has_prefix(progress, "step 1 ") ? "step 1" : "before the first step";
    ck_assert_msg(strstr(words, in_both) != NULL, "“%s”, “%s”", words, progress);
    scene_clear(&scene);
  }
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("numbers");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, peaks_lead_to_their_moment);
  tcase_add_test(cases, a_peak_is_named_in_every_step);
  tcase_add_test(cases, tiers_lead_to_what_they_hold);
  tcase_add_test(cases, rates_lead_to_their_copy);
  tcase_add_test(cases, hidden_leads_to_what_is_exposed_most);
  tcase_add_test(cases, idle_leads_to_the_longest_wait);
  tcase_add_test(cases, the_idle_share_is_what_is_hatched);
  tcase_add_test(cases, losses_and_speeds_lead_to_their_step);
  tcase_add_loop_test(cases, every_number_is_whole, 0, 2);
  tcase_add_test(cases, the_key_is_whole);
  tcase_add_test(cases, a_run_is_where_its_next_node_is);
  return run_suite("numbers", cases);
}
