#include "tests/charts/recording.h"

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

static void append_colour(cairo_t *cairo)
{
  double r, g, b, a;
  cairo_pattern_get_rgba(cairo_get_source(cairo), &r, &g, &b, &a);
  g_string_append_printf(current, " %.2f %.2f %.2f %.2f", r, g, b, a);
}

static void append_box(cairo_t *cairo)
{
  double x0, y0, x1, y1;
  cairo_path_extents(cairo, &x0, &y0, &x1, &y1);
  cairo_user_to_device(cairo, &x0, &y0);
  cairo_user_to_device(cairo, &x1, &y1);
  g_string_append_printf(current, " box %.1f %.1f %.1f %.1f", x0, y0, x1, y1);
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
    g_string_append_printf(current, " line %.2f dashes %d", cairo_get_line_width(cairo),
                           cairo_get_dash_count(cairo));
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
