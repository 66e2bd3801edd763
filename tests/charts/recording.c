#include "tests/charts/recording.h"

#include <math.h>

/* One list at a time: the linker's wrappers have no other way to find it. */
static GString *current;

void recording_begin(GString *list)
{
  current = list;
}

void recording_end(void)
{
  current = NULL;
}

static guint count_elements(cairo_t *cairo)
{
  cairo_path_t *path = cairo_copy_path(cairo);
  guint n = 0;
  for (int i = 0; i < path->num_data; i += path->data[i].header.length)
    n++;
  cairo_path_destroy(path);
  return n;
}

/* As the screen shows it, in 256 steps a channel. */
static void append_colour(cairo_t *cairo)
{
  double r, g, b, a;
  if (cairo_pattern_get_rgba(cairo_get_source(cairo), &r, &g, &b, &a) != CAIRO_STATUS_SUCCESS)
    g_error("no single colour is drawn with: the list cannot tell it");
  g_string_append_printf(current, " #%02lx%02lx%02lx%02lx", lround(255 * r), lround(255 * g),
                         lround(255 * b), lround(255 * a));
}

static void append_box(cairo_t *cairo)
{
  double x0, y0, x1, y1;
  cairo_path_extents(cairo, &x0, &y0, &x1, &y1);
  cairo_user_to_device(cairo, &x0, &y0);
  cairo_user_to_device(cairo, &x1, &y1);
  g_string_append_printf(current, " box %.2f %.2f %.2f %.2f", x0, y0, x1, y1);
}

static void append_pen(cairo_t *cairo)
{
  double dashes[8] = {0};
  int n = cairo_get_dash_count(cairo);
  g_assert((guint)n <= G_N_ELEMENTS(dashes));
  cairo_get_dash(cairo, dashes, NULL);
  g_string_append_printf(current, " line %.3f dashes %d", cairo_get_line_width(cairo), n);
  for (int i = 0; i < n; i++)
    g_string_append_printf(current, " %.3f", dashes[i]);
}

static void note(cairo_t *cairo, const char *call)
{
  if (current == NULL)
    return;
  g_string_append(current, call);
  append_colour(cairo);
  g_string_append_printf(current, " elements %u", count_elements(cairo));
  append_box(cairo);
  if (g_str_has_prefix(call, "stroke"))
    append_pen(cairo);
  g_string_append_c(current, '\n');
}

void recording_text(cairo_t *cairo, const char *text)
{
  if (current != NULL)
    g_string_append_printf(current, "text %s\n", text);
}

#define WRAP(call)                                                                                 \
  void __real_cairo_##call(cairo_t *cairo);                                                        \
  void __wrap_cairo_##call(cairo_t *cairo);                                                        \
  void __wrap_cairo_##call(cairo_t *cairo)                                                         \
  {                                                                                                \
    note(cairo, #call);                                                                            \
    __real_cairo_##call(cairo);                                                                    \
  }

WRAP(fill)
WRAP(fill_preserve)
WRAP(stroke)
WRAP(clip)
