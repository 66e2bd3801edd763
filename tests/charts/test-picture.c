/* A picture of the bench holds each chart dot for dot as it is drawn on screen, and says by its
 * look where the trace comes from. */
#include "engine/base/error.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define WIDTH 700 /* of the charts */
#define DOTS  2   /* of a PNG, a unit */

typedef struct {
  char *folder, *path;
  OlChartStyle *style;
} Fixture;

static Fixture fixture_new(const char *name, OlLook look)
{
  Fixture fixture = {.folder = g_dir_make_tmp("ol-picture-XXXXXX", NULL)};
  fixture.path = g_build_filename(fixture.folder, name, NULL);
  fixture.style = ol_chart_style_new(look, FALSE, 11, NULL);
  return fixture;
}

static void fixture_clear(Fixture *fixture)
{
  g_unlink(fixture->path);
  ck_assert_int_eq(g_rmdir(fixture->folder), 0);
  ol_chart_style_free(fixture->style);
  g_free(fixture->folder);
  g_free(fixture->path);
}

static void save(const Fixture *fixture, const OlChartView *view)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlPicture) picture = ol_picture_new(fixture->path, view, fixture->style, WIDTH, &error);
  ck_assert_msg(picture && ol_picture_save(picture, NULL, &error), "%s",
                error ? error->message : "");
}

/* The chart as the window draws it, on a screen with so many dots. */
static cairo_surface_t *draw_chart(OlChart chart, const OlChartView *view,
                                   const OlChartStyle *style)
{
  double height = ceil(ol_chart_height(chart, view, style, WIDTH));
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH * DOTS, (int)height * DOTS);
  cairo_t *cairo = cairo_create(surface);
  OlColour ground = ol_style_background(style);
  cairo_set_source_rgb(cairo, ground.r, ground.g, ground.b);
  cairo_paint(cairo);
  cairo_scale(cairo, DOTS, DOTS);
  ol_chart_draw(chart, cairo, WIDTH, height, view, style);
  cairo_destroy(cairo);
  cairo_surface_flush(surface);
  return surface;
}

static const guint32 *row_of(cairo_surface_t *surface, int y)
{
  return (const guint32 *)(const void *)(cairo_image_surface_get_data(surface) +
                                         y * cairo_image_surface_get_stride(surface));
}

static gboolean rows_agree(const guint32 *one, const guint32 *other, int n)
{
  for (int x = 0; x < n; x++)
    if ((one[x] & 0xFFFFFF) != (other[x] & 0xFFFFFF))
      return FALSE;
  return TRUE;
}

/* Whether the middle of the chart, within the card's round frame, is in the picture at left, top.
 */
static gboolean lies_at(cairo_surface_t *picture, cairo_surface_t *chart, int left, int top,
                        int edge)
{
  int width = cairo_image_surface_get_width(chart), height = cairo_image_surface_get_height(chart);
  for (int y = edge; y < height - edge; y++)
    if (!rows_agree(row_of(picture, top + y) + left + edge, row_of(chart, y) + edge,
                    width - 2 * edge))
      return FALSE;
  return TRUE;
}

static void check_holds(cairo_surface_t *picture, OlChart chart, const Fixture *fixture,
                        const OlChartView *view)
{
  cairo_surface_t *drawn = draw_chart(chart, view, fixture->style);
  int left = (cairo_image_surface_get_width(picture) - WIDTH * DOTS) / 2, edge = 10 * DOTS;
  int last = cairo_image_surface_get_height(picture) - cairo_image_surface_get_height(drawn);
  gboolean found = FALSE;
  for (int top = 0; top <= last && !found; top++)
    found = lies_at(picture, drawn, left, top, edge);
  ck_assert_msg(found, "“%s” is not in the picture as it is drawn on screen",
                ol_chart_title(chart));
  cairo_surface_destroy(drawn);
}

static void check_same_drawing(OlTrace *trace, OlLook look)
{
  Scene scene = scene_new(trace);
  Fixture fixture = fixture_new("run.png", look);
  scene.view.begin_ns = scene.view.end_ns / 4;
  scene.view.end_ns = scene.view.end_ns / 2;
  scene.view.selected_span = (int)trace->spans->len / 3;
  scene.view.there = TRUE;
  save(&fixture, &scene.view);
  cairo_surface_t *picture = cairo_image_surface_create_from_png(fixture.path);
  ck_assert_int_eq(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, &scene.view))
      check_holds(picture, (OlChart)chart, &fixture, &scene.view);
  cairo_surface_destroy(picture);
  fixture_clear(&fixture);
  scene_clear(&scene);
}

START_TEST(charts_are_drawn_as_on_screen)
{
  OlLook look = _i ? OL_LOOK_DARK : OL_LOOK_LIGHT;
  check_same_drawing(sample_trace_new(NULL), look);
  check_same_drawing(rank_trace_new(&(RankTraceOptions){2, 2, 2, 2, 2}), look);
}
END_TEST

static char *dup_file(const Fixture *fixture, gsize *length)
{
  char *text;
  ck_assert(g_file_get_contents(fixture->path, &text, length, NULL));
  return text;
}

/* Four looks of one run: no two pictures are alike. */
START_TEST(origins_look_different)
{
  Fixture fixture = fixture_new("run.png", OL_LOOK_LIGHT);
  char *files[4];
  gsize lengths[4];
  for (int i = 0; i < 4; i++) {
    Scene scene = scene_new(sample_trace_new(NULL));
    scene.trace->source = i % 2 ? OL_SOURCE_SIMULATED : OL_SOURCE_MEASURED;
    scene.trace->replayed = i / 2;
    save(&fixture, &scene.view);
    files[i] = dup_file(&fixture, &lengths[i]);
    for (int k = 0; k < i; k++)
      ck_assert(lengths[k] != lengths[i] || memcmp(files[k], files[i], lengths[i]) != 0);
    scene_clear(&scene);
  }
  for (int i = 0; i < 4; i++)
    g_free(files[i]);
  fixture_clear(&fixture);
}
END_TEST

START_TEST(descriptions_say_the_origin)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  static const char *const words[] = {"Where the bytes are. GPU",
                                      "Where the bytes are. Simulated. GPU",
                                      "Where the bytes are. Measured, replayed from a file. GPU",
                                      "Where the bytes are. Simulated, replayed from a file. GPU"};
  for (int i = 0; i < 4; i++) {
    scene.trace->source = i % 2 ? OL_SOURCE_SIMULATED : OL_SOURCE_MEASURED;
    scene.trace->replayed = i / 2;
    g_autofree char *text = ol_chart_dup_description(OL_CHART_TIERS, &scene.view);
    ck_assert_msg(g_str_has_prefix(text, words[i]), "%s", text);
  }
  scene_clear(&scene);
}
END_TEST

static gboolean stop(double share, gpointer data)
{
  return FALSE;
}

/* The old picture stays when the new one is stopped or has no room. */
START_TEST(what_fails_or_stops_leaves_the_old_one)
{
  static const char *const names[] = {"run.png", "run.svg", "run.pdf"};
  Scene scene = scene_new(sample_trace_new(NULL));
  const OlWatch watch = {stop, NULL};
  for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
    Fixture fixture = fixture_new(names[i], OL_LOOK_LIGHT);
    g_autoptr(GError) error = NULL;
    g_autoptr(OlPicture) picture =
        ol_picture_new(fixture.path, &scene.view, fixture.style, 0, NULL);
    ck_assert(g_file_set_contents(fixture.path, "old", -1, NULL));
    ck_assert(!ol_picture_save(picture, &watch, &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STOPPED));
    gsize length;
    g_autofree char *text = dup_file(&fixture, &length);
    ck_assert_str_eq(text, "old");
    fixture_clear(&fixture);
  }
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("picture");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, charts_are_drawn_as_on_screen, 0, 2);
  tcase_add_test(cases, origins_look_different);
  tcase_add_test(cases, descriptions_say_the_origin);
  tcase_add_test(cases, what_fails_or_stops_leaves_the_old_one);
  return run_suite("picture", cases);
}
