/* The charts as images, compared pixel by pixel with those under reference/ where they must agree:
 * with the font, the cairo and the pango they were made with (reference/made-with). Elsewhere the
 * drawing is only looked at: something is drawn, and nothing at the chart's very edge.
 * OL_UPDATE_REFERENCE=1 writes the images anew. */
#include "tests/charts/scenes.h"
#include "tests/suite.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

static cairo_surface_t *draw(const Scene *scene, const OlChartStyle *style, int width)
{
  cairo_surface_t *surface = cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, width, (int)ceil(reference_height(scene, style, width)));
  cairo_t *cairo = cairo_create(surface);
  OlColour ground = ol_style_background(style);
  cairo_set_source_rgb(cairo, ground.r, ground.g, ground.b);
  cairo_paint(cairo);
  reference_draw(cairo, scene, style, width);
  cairo_destroy(cairo);
  cairo_surface_flush(surface);
  return surface;
}

static guint32 pixel(cairo_surface_t *surface, int x, int y)
{
  guint32 value;
  memcpy(&value,
         cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) +
             4 * x,
         sizeof value);
  return value & 0xFFFFFF;
}

static gboolean has_inter(void)
{
  PangoFontFamily **families;
  int n;
  gboolean found = FALSE;
  pango_font_map_list_families(pango_cairo_font_map_get_default(), &families, &n);
  for (int i = 0; i < n; i++)
    found = found || g_str_equal(pango_font_family_get_name(families[i]), "Inter");
  g_free(families);
  return found;
}

static char *dup_made_with(void)
{
  return g_strdup_printf("cairo %s, pango %s, %s\n", cairo_version_string(), pango_version_string(),
                         has_inter() ? "Inter" : "another font");
}

static void compare(const char *name, cairo_surface_t *drawn, cairo_surface_t *kept)
{
  int width = cairo_image_surface_get_width(drawn), height = cairo_image_surface_get_height(drawn);
  ck_assert_int_eq(cairo_image_surface_get_width(kept), width);
  ck_assert_int_eq(cairo_image_surface_get_height(kept), height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (pixel(drawn, x, y) != pixel(kept, x, y))
        ck_abort_msg("%s differs from its reference first at %d, %d", name, x, y);
}

static void check_looks_sane(cairo_surface_t *drawn)
{
  int width = cairo_image_surface_get_width(drawn), height = cairo_image_surface_get_height(drawn);
  guint32 ground = pixel(drawn, 0, 0);
  guint inked = 0;
  for (int y = 0; y < height; y++) {
    ck_assert_uint_eq(pixel(drawn, 0, y), ground);
    ck_assert_uint_eq(pixel(drawn, width - 1, y), ground);
    for (int x = 0; x < width; x++)
      inked += pixel(drawn, x, y) != ground;
  }
  ck_assert_uint_gt(inked, 2000);
}

START_TEST(images_are_as_kept)
{
  guint n;
  const ReferenceScene *reference = &reference_scenes(&n)[_i];
  Scene scene = reference->make();
  OlChartStyle *style = reference_style(reference);
  cairo_surface_t *drawn = draw(&scene, style, reference->width);
  check_looks_sane(drawn);

  g_autofree char *path = reference_path(reference->name, ".png");
  g_autofree char *note = reference_path("made-with", "");
  g_autofree char *here = dup_made_with(), *there = NULL;
  if (reference_is_renewed() && reference->has_image) {
    ck_assert_int_eq(cairo_surface_write_to_png(drawn, path), CAIRO_STATUS_SUCCESS);
    ck_assert(g_file_set_contents(note, here, -1, NULL));
  }
  ck_assert(g_file_get_contents(note, &there, NULL, NULL));
  if (reference->has_image && g_str_equal(here, there)) {
    cairo_surface_t *kept = cairo_image_surface_create_from_png(path);
    ck_assert_int_eq(cairo_surface_status(kept), CAIRO_STATUS_SUCCESS);
    compare(reference->name, drawn, kept);
    cairo_surface_destroy(kept);
  }
  cairo_surface_destroy(drawn);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

/* At 200 % text, and in a narrow window: still inside the chart, in every look. */
START_TEST(large_text_stays_inside)
{
  guint n;
  const ReferenceScene *reference = &reference_scenes(&n)[_i];
  Scene scene = reference->make();
  for (int high = 0; high < 2; high++) {
    OlChartStyle *style = ol_chart_style_new(reference->look, high, 2 * REFERENCE_TEXT, NULL);
    cairo_surface_t *drawn = draw(&scene, style, reference->width);
    check_looks_sane(drawn);
    cairo_surface_destroy(drawn);
    ol_chart_style_free(style);
  }
  scene_clear(&scene);
}
END_TEST

/* Sizes, ranges and marks that make no sense are drawn somehow, and cairo is left in order. */
START_TEST(nonsense_is_borne)
{
  static const double sizes[][2] = {{1, 1}, {3, 4000}, {30000, 20}, {90, 90}};
  Scene scene = scene_new(sample_trace_new(NULL));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_DARK, TRUE, 13, "no such font");
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 100, 100);
  cairo_t *cairo = cairo_create(surface);
  scene.view.selected_span = 1 << 30;
  scene.view.hovered_span = 3;
  scene.view.shown_lane = scene.view.shown_payload = scene.view.shown_tier = 99;
  scene.view.rank = (guint)_i; /* there is one only */
  scene.view.cursor_ns = G_MAXINT64 / 4;
  for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
    for (int chart = 0; chart < OL_N_CHARTS; chart++) {
      scene.view.begin_ns = i % 2 ? -5 : scene.view.end_ns; /* an empty range */
      ol_chart_draw((OlChart)chart, cairo, sizes[i][0], sizes[i][1], &scene.view, style);
      ol_chart_hit((OlChart)chart, 50, 50, sizes[i][0], sizes[i][1], &scene.view, style);
      g_free(ol_chart_dup_description((OlChart)chart, &scene.view));
      ck_assert_int_eq(cairo_status(cairo), CAIRO_STATUS_SUCCESS);
    }
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  guint n;
  reference_scenes(&n);
  TCase *cases = tcase_create("images");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, images_are_as_kept, 0, (int)n);
  tcase_add_loop_test(cases, large_text_stays_inside, 0, (int)n);
  tcase_add_loop_test(cases, nonsense_is_borne, 0, 3);
  return run_suite("images", cases);
}
