/* Loaded before the window by LD_PRELOAD: writes a line to the file that $TEXT_WATCH names for
 * every label that a frame shows cut off: shortened with an ellipsis, larger than the room it has,
 * or beyond the edge of what it stands in, where no scrolling brings it into sight. Once each. */
#include <gtk/gtk.h>

#define SLACK 1.0 /* pixels: boxes are rounded to whole ones */

typedef struct {
  char *path;
  GString *lines; /* as the file has them */
} Watch;

static void tell(GString *lines, GtkLabel *label, const char *what)
{
  g_autofree char *words = g_strdelimit(g_strdup(gtk_label_get_text(label)), "\n", ' ');
  g_string_append_printf(lines, "“%s” %s\n", words, what);
}

/* How far scrolling can move what is in a viewport: a box in it is in reach within these bounds. */
static void widen(graphene_rect_t *bounds, GtkAdjustment *adjustment, gboolean is_across)
{
  float value = (float)gtk_adjustment_get_value(adjustment),
        all = (float)gtk_adjustment_get_upper(adjustment);
  if (is_across) {
    bounds->origin.x = -value;
    bounds->size.width = MAX(bounds->size.width, all);
  } else {
    bounds->origin.y = -value;
    bounds->size.height = MAX(bounds->size.height, all);
  }
}

/* Whether a widget can be seen whole in all that it lies in. A viewport shows what is scrolled to;
 * from there on the viewport itself has to be seen. A popover may stand out of its window. */
static gboolean is_in_reach(GtkWidget *widget)
{
  GtkWidget *inner = widget;
  for (GtkWidget *outer = gtk_widget_get_parent(widget); outer != NULL;
       outer = gtk_widget_get_parent(outer)) {
    gboolean scrolls = GTK_IS_SCROLLABLE(outer);
    graphene_rect_t box, bounds = GRAPHENE_RECT_INIT(0, 0, (float)gtk_widget_get_width(outer),
                                                     (float)gtk_widget_get_height(outer));
    if (!scrolls && !GTK_IS_NATIVE(outer) && gtk_widget_get_overflow(outer) != GTK_OVERFLOW_HIDDEN)
      continue;
    if (!gtk_widget_compute_bounds(inner, outer, &box))
      continue;
    if (scrolls) {
      widen(&bounds, gtk_scrollable_get_hadjustment(GTK_SCROLLABLE(outer)), TRUE);
      widen(&bounds, gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(outer)), FALSE);
    }
    graphene_rect_inset(&bounds, -SLACK, -SLACK);
    if (!graphene_rect_contains_rect(&bounds, &box))
      return FALSE;
    if (GTK_IS_NATIVE(outer))
      break;
    if (scrolls)
      inner = outer;
  }
  return TRUE;
}

static void look_at_label(GString *lines, GtkLabel *label)
{
  GtkWidget *widget = GTK_WIDGET(label);
  PangoLayout *layout = gtk_label_get_layout(label);
  int width, height;
  pango_layout_get_pixel_size(layout, &width, &height);
  if (pango_layout_is_ellipsized(layout))
    tell(lines, label, "is shortened");
  if (width > gtk_widget_get_width(widget) + SLACK ||
      height > gtk_widget_get_height(widget) + SLACK)
    tell(lines, label, "is larger than its room");
  else if (!is_in_reach(widget))
    tell(lines, label, "lies beyond an edge");
}

static void look_below(GString *lines, GtkWidget *widget)
{
  if (!gtk_widget_get_mapped(widget) || gtk_widget_get_opacity(widget) == 0)
    return;
  if (GTK_IS_LABEL(widget) && *gtk_label_get_text(GTK_LABEL(widget)) != '\0')
    look_at_label(lines, GTK_LABEL(widget));
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    look_below(lines, child);
}

static gboolean on_after_paint(GSignalInvocationHint *hint G_GNUC_UNUSED, guint n G_GNUC_UNUSED,
                               const GValue *values G_GNUC_UNUSED, gpointer data)
{
  Watch *watch = data;
  GString *lines = g_string_new(NULL);
  g_autoptr(GList) windows = gtk_window_list_toplevels();
  for (GList *each = windows; each != NULL; each = each->next)
    look_below(lines, each->data);
  if (!g_string_equal(lines, watch->lines))
    g_file_set_contents(watch->path, lines->str, -1, NULL);
  g_string_free(watch->lines, TRUE);
  watch->lines = lines;
  return TRUE;
}

__attribute__((constructor)) static void begin(void)
{
  const char *path = g_getenv("TEXT_WATCH");
  g_unsetenv("LD_PRELOAD"); /* the engine is no window */
  if (path == NULL || !g_file_set_contents(path, "", 0, NULL))
    return;
  Watch *watch = g_new0(Watch, 1);
  *watch = (Watch){g_strdup(path), g_string_new(NULL)};
  g_type_class_unref(g_type_class_ref(GDK_TYPE_FRAME_CLOCK));
  g_signal_add_emission_hook(g_signal_lookup("after-paint", GDK_TYPE_FRAME_CLOCK), 0,
                             on_after_paint, watch, NULL);
}
