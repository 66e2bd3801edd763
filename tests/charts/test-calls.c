/* What the charts draw, call by call, compared with the lists under reference/: on any machine,
 * whatever fonts it has. OL_UPDATE_REFERENCE=1 writes the lists anew. */
#include "tests/charts/recording.h"
#include "tests/charts/scenes.h"
#include "tests/suite.h"

#include <math.h>

static char *record(const ReferenceScene *reference)
{
  Scene scene = reference->make();
  OlChartStyle *style = ol_chart_style_new(reference->look, FALSE, REFERENCE_TEXT, NULL);
  cairo_surface_t *surface =
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, reference->width,
                                 (int)ceil(reference_height(&scene, style, reference->width)));
  cairo_t *cairo = cairo_create(surface);
  GString *list = g_string_new(NULL);
  recording_begin(list);
  reference_draw(cairo, &scene, style, reference->width);
  recording_end();
  cairo_destroy(cairo);
  cairo_surface_destroy(surface);
  ol_chart_style_free(style);
  scene_clear(&scene);
  return g_string_free(list, FALSE);
}

/* Figures may differ in their last printed place: another libm rounds another way. */
static gboolean words_agree(const char *one, const char *other)
{
  char *end_of_one, *end_of_other;
  double a = g_ascii_strtod(one, &end_of_one), b = g_ascii_strtod(other, &end_of_other);
  if (end_of_one != one && *end_of_one == '\0' && end_of_other != other && *end_of_other == '\0')
    return fabs(a - b) <= 0.1001;
  return g_str_equal(one, other);
}

static gboolean lines_agree(const char *one, const char *other)
{
  g_auto(GStrv) a = g_strsplit(one, " ", -1), b = g_strsplit(other, " ", -1);
  guint n = g_strv_length(a);
  if (n != g_strv_length(b))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!words_agree(a[i], b[i]))
      return FALSE;
  return TRUE;
}

static void compare(const char *name, const char *drawn, const char *expected)
{
  g_auto(GStrv) a = g_strsplit(drawn, "\n", -1), b = g_strsplit(expected, "\n", -1);
  for (guint i = 0; a[i] != NULL && b[i] != NULL; i++)
    if (!lines_agree(a[i], b[i]))
      ck_abort_msg("%s, line %u: drawn \"%s\", expected \"%s\"", name, i + 1, a[i], b[i]);
  ck_assert_msg(g_strv_length(a) == g_strv_length(b), "%s: %u calls, expected %u", name,
                g_strv_length(a), g_strv_length(b));
}

START_TEST(drawing_calls_are_as_kept)
{
  guint n;
  const ReferenceScene *reference = &reference_scenes(&n)[_i];
  if (!reference->has_calls)
    return;
  g_autofree char *drawn = record(reference);
  g_autofree char *path = reference_path(reference->name, ".calls");
  g_autofree char *expected = NULL;
  g_autoptr(GError) error = NULL;
  if (reference_is_renewed())
    ck_assert_msg(g_file_set_contents(path, drawn, -1, &error), "%s", error ? error->message : "");
  ck_assert_msg(g_file_get_contents(path, &expected, NULL, &error), "%s",
                error ? error->message : "");
  compare(reference->name, drawn, expected);
}
END_TEST

/* The same twice: nothing depends on the clock, on addresses or on what was drawn before. */
START_TEST(drawing_is_repeatable)
{
  guint n;
  const ReferenceScene *reference = &reference_scenes(&n)[_i];
  g_autofree char *once = record(reference), *again = record(reference);
  ck_assert_str_eq(once, again);
}
END_TEST

int main(void)
{
  guint n;
  reference_scenes(&n);
  TCase *cases = tcase_create("calls");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, drawing_calls_are_as_kept, 0, (int)n);
  tcase_add_loop_test(cases, drawing_is_repeatable, 0, (int)n);
  return run_suite("calls", cases);
}
