/* What the charts draw, call by call, compared with the lists under reference/: on any machine,
 * whatever fonts it has: block-text.c stands in for them. OL_UPDATE_REFERENCE=1 writes the lists
 * anew. */
#include "tests/charts/recording.h"
#include "tests/charts/scenes.h"
#include "tests/suite.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

static char *record(const ReferenceScene *reference)
{
  Scene scene = reference->make();
  OlChartStyle *style = reference_style(reference);
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

/* What the last place of a figure like 12.34 stands for; 0 for words and whole numbers. */
static double last_place(const char *word)
{
  const char *point = strchr(word, '.');
  return point != NULL ? pow(10, -(double)strlen(point + 1)) : 0;
}

/* Coordinates and line widths may differ in their last printed place: another processor and another
 * libm round another way. Colours, counts and kinds of calls may not. */
static gboolean words_agree(const char *one, const char *other)
{
  double place = last_place(one);
  if (place == 0 || last_place(other) != place)
    return g_str_equal(one, other);
  return fabs(g_ascii_strtod(one, NULL) - g_ascii_strtod(other, NULL)) <= 1.01 * place;
}

static gboolean lines_agree(const char *one, const char *other)
{
  if (g_str_has_prefix(one, "text "))
    return g_str_equal(one, other);
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

/* Packs or unpacks. */
static GBytes *convert(GConverter *converter, GBytes *bytes)
{
  g_autoptr(GInputStream) all = g_memory_input_stream_new_from_bytes(bytes);
  g_autoptr(GInputStream) converted = g_converter_input_stream_new(all, converter);
  g_autoptr(GOutputStream) out = g_memory_output_stream_new_resizable();
  g_autoptr(GError) error = NULL;
  ck_assert_msg(g_output_stream_splice(out, converted, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL,
                                       &error) >= 0,
                "%s", error ? error->message : "");
  return g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(out));
}

static char *list_path(const ReferenceScene *reference)
{
  return reference_path(reference->name, reference->calls == CALLS ? ".calls" : ".calls.gz");
}

static void keep_list(const ReferenceScene *reference, const char *list)
{
  g_autofree char *path = list_path(reference);
  g_autoptr(GBytes) bytes = g_bytes_new(list, strlen(list));
  if (reference->calls == PACKED_CALLS) {
    g_autoptr(GBytes) plain = g_steal_pointer(&bytes);
    g_autoptr(GConverter) packer =
        G_CONVERTER(g_zlib_compressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9));
    bytes = convert(packer, plain);
  }
  ck_assert_msg(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
                                    (gssize)g_bytes_get_size(bytes), NULL),
                "cannot write %s", path);
}

static char *kept_list(const ReferenceScene *reference)
{
  g_autofree char *path = list_path(reference);
  char *list;
  gsize length;
  ck_assert_msg(g_file_get_contents(path, &list, &length, NULL), "cannot read %s", path);
  if (reference->calls == CALLS)
    return list;
  g_autoptr(GBytes) bytes = g_bytes_new_take(list, length);
  g_autoptr(GConverter) unpacker =
      G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr(GBytes) plain = convert(unpacker, bytes);
  return g_strndup(g_bytes_get_data(plain, NULL), g_bytes_get_size(plain));
}

START_TEST(drawing_calls_are_as_kept)
{
  guint n;
  const ReferenceScene *reference = &reference_scenes(&n)[_i];
  if (reference->calls == NO_CALLS)
    return;
  g_autofree char *drawn = record(reference);
  if (reference_is_renewed())
    keep_list(reference, drawn);
  g_autofree char *expected = kept_list(reference);
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
