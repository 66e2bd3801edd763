/* Colours, units and sentences. */
#include "app/charts/chart-table.h"
#include "app/charts/moment.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <string.h>

START_TEST(outlines_have_contrast)
{
  for (int look = 0; look < 2; look++)
    for (int high = 0; high < 2; high++) {
      OlChartStyle *style = ol_chart_style_new((OlLook)look, high, 13, NULL);
      OlColour background = ol_style_background(style);
      for (int p = 0; p < OL_N_PAYLOADS; p++) {
        double contrast =
            ol_colour_contrast(ol_style_payload_outline(style, (OlPayload)p), background);
        ck_assert_double_ge(contrast, high ? 4.5 : 3.0);
      }
      ck_assert_double_ge(ol_colour_contrast(ol_style_text(style), background), high ? 15 : 7);
      ck_assert_double_ge(ol_colour_contrast(ol_style_dim_text(style), background), high ? 7 : 4.5);
      ck_assert_double_ge(ol_colour_contrast(ol_style_accent(style), background), high ? 4.5 : 3);
      ck_assert_double_ge(ol_colour_contrast(ol_style_capacity(style), background), high ? 4.5 : 3);
      ol_chart_style_free(style);
    }
}
END_TEST

/* Ratios published for these colours on #fafafa, from black text down to orange. */
START_TEST(contrast_as_published)
{
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  OlColour white = {1, 1, 1, 1}, black = {0, 0, 0, 1}, background = ol_style_background(style);
  ck_assert_double_eq_tol(ol_colour_contrast(white, black), 21, 1e-9);
  ck_assert_double_eq_tol(
      ol_colour_contrast(ol_style_payload(style, OL_PAYLOAD_WEIGHTS), background), 5.0, 0.06);
  ck_assert_double_eq_tol(
      ol_colour_contrast(ol_style_payload(style, OL_PAYLOAD_ACTIVATIONS), background), 3.7, 0.06);
  ck_assert_double_eq_tol(
      ol_colour_contrast(ol_style_payload(style, OL_PAYLOAD_MOMENT1), background), 2.2, 0.06);
  ol_chart_style_free(style);
}
END_TEST

static void check_text(char *text, const char *expected)
{
  ck_assert_str_eq(text, expected);
  g_free(text);
}

START_TEST(units_here_and_there)
{
  Scene scene = scene_new(sample_trace_new(NULL)); /* µ 1706.7, s 1000 */
  check_text(ol_chart_view_dup_bytes(&scene.view, 1 << 20), "1 MiB");
  check_text(ol_chart_view_dup_seconds(&scene.view, 1), "1 s");
  scene.view.there = TRUE;
  check_text(ol_chart_view_dup_bytes(&scene.view, 1 << 20), "1.67 GiB");
  check_text(ol_chart_view_dup_seconds(&scene.view, 1), "1.71 s");
  /* 24 MB/s here on a clock a thousand times slower is 24 GB/s there. */
  check_text(ol_chart_view_dup_rate(&scene.view, 24e6, 1), "24 GB/s");
  scene_clear(&scene);

  OlChartView nothing = {.there = TRUE};
  check_text(ol_chart_view_dup_bytes(&nothing, 2048), "2 KiB");
}
END_TEST

START_TEST(details_name_what_was_waited_for)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  gboolean found = FALSE;
  for (guint i = 0; i < scene.trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(scene.trace, i);
    const OlGraphNode *node = ol_graph_node(scene.trace->graph, span->node);
    g_autofree char *details = ol_chart_view_dup_span_details(&scene.view, (int)i);
    ck_assert_uint_gt(strlen(details), 10);
    /* A block's weights come up once that block was updated. */
    if (node->part == OL_PART_STEP && node->lane == OL_LANE_HOST_TO_GPU && node->unit == 3) {
      found = TRUE;
      ck_assert_ptr_nonnull(strstr(details, "waited for: Update of block 2"));
      ck_assert_ptr_nonnull(strstr(details, "384 KiB at 2"));
    }
  }
  ck_assert(found);
  check_text(ol_chart_view_dup_span_details(&scene.view, -1), "");
  check_text(ol_chart_view_dup_span_details(&scene.view, 1 << 30), "");
  scene_clear(&scene);
}
END_TEST

START_TEST(descriptions_say_what_is_seen)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  scene.view.cursor_ns = scene.view.end_ns / 2;
  g_autofree char *tiers = ol_chart_dup_description(OL_CHART_TIERS, &scene.view);
  g_autofree char *memory = ol_chart_dup_description(OL_CHART_MEMORY, &scene.view);
  g_autofree char *lanes = ol_chart_dup_description(OL_CHART_LANES, &scene.view);
  ck_assert_ptr_nonnull(strstr(tiers, "of 24 MiB: weights 2.3"));
  ck_assert_ptr_nonnull(strstr(tiers, "NVMe is not used in this run."));
  ck_assert_ptr_nonnull(strstr(memory, "GPU peaks at 20.6 MiB"));
  ck_assert_ptr_nonnull(strstr(lanes, "GPU compute: 64 spans, busy "));
  ck_assert_ptr_nonnull(strstr(lanes, "NVMe read: nothing."));
  ck_assert_ptr_nonnull(strstr(lanes, "of the transfers' time lies under compute."));
  scene_clear(&scene);

  Scene empty = scene_new(NULL);
  for (int chart = 0; chart < OL_N_CHARTS; chart++) {
    g_autofree char *text = ol_chart_dup_description((OlChart)chart, &empty.view);
    ck_assert_ptr_nonnull(strstr(text, "a run fills this"));
  }
}
END_TEST

/* The first copy to the host of the last step, as the lane's own order has it. */
static guint find_copy(const OlTrace *trace)
{
  int last = (int)trace->steps->len - 1;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
    if (node->lane == OL_LANE_GPU_TO_HOST && node->part == OL_PART_STEP && span->step == last)
      return i;
  }
  ck_abort_msg("no copy in step %d", last);
}

/* A copy that took no time to speak of, since its lane was behind, does not make the link fast. */
START_TEST(rate_is_the_mean_of_a_step)
{
  OlTrace *trace = sample_trace_new(NULL);
  guint copy = find_copy(trace);
  OlSpan *hurried = &g_array_index(trace->spans, OlSpan, copy);
  hurried->end_ns = hurried->begin_ns + 1000;
  double bytes = 0, seconds = 0;
  for (guint i = 0; i < trace->spans->len; i++) {
    const OlSpan *span = ol_trace_span(trace, i);
    const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
    if (node->lane != OL_LANE_GPU_TO_HOST || node->part != OL_PART_STEP ||
        span->step != hurried->step)
      continue;
    bytes += (double)span->bytes;
    seconds += (double)(span->end_ns - span->begin_ns) / 1e9;
  }
  Scene scene = scene_new(trace);
  scene.view.cursor_ns = hurried->begin_ns;
  g_autofree char *mean = ol_chart_view_dup_rate(&scene.view, bytes, seconds);
  g_autofree char *alone = ol_chart_view_dup_rate(&scene.view, (double)hurried->bytes, 1e-6);
  ck_assert_int_eq(ol_moment_active_span(&scene.view, OL_LANE_GPU_TO_HOST), (int)copy);
  check_text(ol_moment_dup_lane_rate(&scene.view, OL_LANE_GPU_TO_HOST), mean);
  ck_assert_str_ne(mean, alone);
  scene_clear(&scene);
}
END_TEST

/* When a run is over nothing moves any more, whatever the last moment of its last step was. */
START_TEST(links_rest_after_the_end)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    ck_assert_int_eq(ol_moment_active_span(&scene.view, (OlLane)lane), -1);
    ck_assert_ptr_null(ol_moment_dup_lane_rate(&scene.view, (OlLane)lane));
  }
  scene_clear(&scene);
}
END_TEST

/* In words of both views of memory, and as a row and a note of their tables. */
static void check_refusal_is_told(const OlChartView *view)
{
  static const char words[] = "no room for 2 MiB more of activations on GPU.";
  g_autoptr(GPtrArray) rows = ol_table_rows_new(OL_TABLE_MEMORY, view);
  const OlTableRow *row = g_ptr_array_index(rows, rows->len - 1);
  for (int memory = 0; memory < 2; memory++) {
    g_autofree char *seen =
        ol_chart_dup_description(memory ? OL_CHART_MEMORY : OL_CHART_TIERS, view);
    g_autofree char *note = ol_table_dup_note(memory ? OL_TABLE_MEMORY : OL_TABLE_TIERS, view);
    ck_assert_ptr_nonnull(strstr(seen, words));
    ck_assert_ptr_nonnull(strstr(note, words));
  }
  ck_assert_str_eq(row->cells[0], "GPU");
  ck_assert_str_eq(row->cells[2], "activations, no room");
  ck_assert_str_eq(row->cells[3], "2 MiB");
}

/* A tier too small for its next transient: what is refused is worked out from the graph. */
START_TEST(refused_block_is_found)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.outcome = OL_OUTCOME_OUT_OF_MEMORY}));
  OlRefusal refusal;
  ck_assert(ol_moment_refusal(&scene.view, &refusal));
  ck_assert_int_eq(refusal.tier, OL_TIER_GPU);
  ck_assert_int_eq(refusal.payload, OL_PAYLOAD_ACTIVATIONS);
  ck_assert_uint_eq(refusal.bytes, 2 << 20);
  check_refusal_is_told(&scene.view);
  scene_clear(&scene);
  Scene done = scene_new(sample_trace_new(NULL));
  ck_assert(!ol_moment_refusal(&done.view, &refusal));
  scene_clear(&done);
}
END_TEST

/* At the end of a run homes are given back: what is shown is the end of the last step. */
START_TEST(newest_moment_is_the_last_step)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  const OlStep *last = ol_trace_step(scene.trace, scene.trace->steps->len - 1);
  ck_assert_int_eq(ol_moment_ns(&scene.view), last->end_ns - 1);
  scene.view.cursor_ns = 12345;
  ck_assert_int_eq(ol_moment_ns(&scene.view), 12345);
  scene_clear(&scene);
}
END_TEST

static void check_picture(const char *folder, const char *name, const char *magic)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 10, NULL);
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_autoptr(GError) error = NULL;
  ck_assert(ol_picture_write(path, scene.trace, style, TRUE, &error));
  g_autofree char *bytes = NULL;
  gsize length;
  ck_assert(g_file_get_contents(path, &bytes, &length, NULL));
  ck_assert_uint_gt(length, 5000);
  ck_assert_int_eq(memcmp(bytes, magic, strlen(magic)), 0);
  g_unlink(path);
  ol_chart_style_free(style);
  scene_clear(&scene);
}

static void check_refused(const char *path, const char *why)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 1}));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 10, NULL);
  g_autoptr(GError) error = NULL;
  ck_assert(!ol_picture_write(path, scene.trace, style, FALSE, &error));
  ck_assert_ptr_nonnull(strstr(error->message, path));
  ck_assert_ptr_nonnull(strstr(error->message, why));
  ol_chart_style_free(style);
  scene_clear(&scene);
}

START_TEST(pictures_in_three_kinds)
{
  g_autofree char *folder = g_dir_make_tmp("ol-charts-XXXXXX", NULL);
  check_picture(folder, "run.png", "\x89PNG");
  check_picture(folder, "run.SVG", "<?xml");
  check_picture(folder, "run.pdf", "%PDF");
  g_rmdir(folder);
  check_refused("run.jpeg", ".png, .svg or .pdf");
  check_refused("/nowhere/at all/run.png", "No such file");
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("words");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, outlines_have_contrast);
  tcase_add_test(cases, contrast_as_published);
  tcase_add_test(cases, units_here_and_there);
  tcase_add_test(cases, details_name_what_was_waited_for);
  tcase_add_test(cases, descriptions_say_what_is_seen);
  tcase_add_test(cases, rate_is_the_mean_of_a_step);
  tcase_add_test(cases, links_rest_after_the_end);
  tcase_add_test(cases, refused_block_is_found);
  tcase_add_test(cases, newest_moment_is_the_last_step);
  tcase_add_test(cases, pictures_in_three_kinds);
  return run_suite("words", cases);
}
