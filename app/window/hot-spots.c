#include "app/window/hot-spots.h"

struct _OlHotSpots {
  GtkWidget parent_instance;
  OlChartArea *area;
  GPtrArray *buttons; /* one a spot, in its order; borrowed: they are children */
  GArray *ranks;      /* guint: of each */
  gboolean refreshing;
};

G_DEFINE_FINAL_TYPE(OlHotSpots, ol_hot_spots, GTK_TYPE_WIDGET)

static OlLabSession *get_session(OlHotSpots *self)
{
  return ol_chart_area_get_session(self->area);
}

static const OlChartView *get_view(OlHotSpots *self)
{
  return ol_lab_session_get_view(get_session(self));
}

static GArray *make_spots(OlHotSpots *self)
{
  GtkWidget *area = GTK_WIDGET(self->area);

  return ol_chart_spots(ol_chart_area_get_chart(self->area), gtk_widget_get_width(area),
                        gtk_widget_get_height(area), get_view(self),
                        ol_chart_area_get_style(self->area));
}

static GtkWidget *button_at(OlHotSpots *self, guint i)
{
  return g_ptr_array_index(self->buttons, i);
}

static void on_toggled(OlHotSpots *self, GtkToggleButton *button)
{
  OlChart chart = ol_chart_area_get_chart(self->area);
  guint i;

  if (self->refreshing || !g_ptr_array_find(self->buttons, button, &i))
    return;
  if (chart == OL_CHART_RANKS)
    ol_lab_session_select_rank(get_session(self), g_array_index(self->ranks, guint, i));
  else
    ol_lab_session_fold_rank(get_session(self), chart, g_array_index(self->ranks, guint, i));
}

static void add_button(OlHotSpots *self)
{
  GtkWidget *button = gtk_toggle_button_new();

  gtk_widget_add_css_class(button, "hot-spot");
  gtk_widget_set_parent(button, GTK_WIDGET(self));
  g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_toggled), self);
  g_ptr_array_add(self->buttons, button);
}

static void set_count(OlHotSpots *self, guint n)
{
  while (self->buttons->len > n) {
    gtk_widget_unparent(button_at(self, self->buttons->len - 1));
    g_ptr_array_set_size(self->buttons, (int)self->buttons->len - 1);
  }
  while (self->buttons->len < n)
    add_button(self);
}

/* "Memory of Rank 3 · data 1, stage 1": no two of a window have the same name. */
static char *dup_name(OlHotSpots *self, guint rank)
{
  static const char *const of[OL_N_CHARTS] = {
      [OL_CHART_MEMORY] = "Memory of ", [OL_CHART_LANES] = "Lanes of "};
  const char *what = of[ol_chart_area_get_chart(self->area)];
  g_autofree char *name = ol_ranks_dup_name(ol_chart_view_get_ranks(get_view(self)), rank);

  return g_strconcat(what ? what : "", name, NULL);
}

/* What a cell is to the selected one is seen by its hatch; here it is said. */
static void describe(OlHotSpots *self, GtkWidget *button, guint rank)
{
  const OlChartView *view = get_view(self);
  int axis = ol_ranks_shared_axis(ol_chart_view_get_ranks(view), view->rank, rank);
  const char *words = rank == view->rank ? "selected"
                      : axis >= 0        ? ol_rank_axis_group((OlRankAxis)axis)
                                         : "in no group with the selected rank";

  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words,
                                 -1);
}

static void refresh_button(OlHotSpots *self, guint i, const OlChartSpot *spot)
{
  GtkWidget *button = button_at(self, i);
  g_autofree char *name = dup_name(self, spot->rank);

  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), spot->on);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (ol_chart_area_get_chart(self->area) == OL_CHART_RANKS)
    describe(self, button, spot->rank);
  else
    gtk_accessible_update_state(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_STATE_EXPANDED, spot->on,
                                -1);
}

static void refresh(OlHotSpots *self)
{
  g_autoptr(GArray) spots = make_spots(self);

  self->refreshing = TRUE;
  set_count(self, spots->len);
  g_array_set_size(self->ranks, 0);
  for (guint i = 0; i < spots->len; i++) {
    const OlChartSpot *spot = &g_array_index(spots, OlChartSpot, i);
    g_array_append_val(self->ranks, spot->rank);
    refresh_button(self, i, spot);
  }
  self->refreshing = FALSE;
  gtk_widget_set_visible(GTK_WIDGET(self), spots->len > 0);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

/* The chart below has the same size. */
static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  OlHotSpots *self = OL_HOT_SPOTS(widget);
  g_autoptr(GArray) spots = ol_chart_spots(ol_chart_area_get_chart(self->area), width, height,
                                           get_view(self), ol_chart_area_get_style(self->area));

  for (guint i = 0; i < MIN(spots->len, self->buttons->len); i++) {
    const cairo_rectangle_t *box = &g_array_index(spots, OlChartSpot, i).box;
    gtk_widget_measure(button_at(self, i), GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
    gtk_widget_size_allocate(button_at(self, i),
                             &(GtkAllocation){(int)box->x, (int)box->y, MAX((int)box->width, 1),
                                              MAX((int)box->height, 1)},
                             -1);
  }
}

/* Between the buttons the pointer is the chart's. */
static gboolean contains(GtkWidget *widget, double x, double y)
{
  return FALSE;
}

/* Keys. One stop for Tab, at the one that is on; arrows walk within. */

static gboolean focus(GtkWidget *widget, GtkDirectionType direction)
{
  OlHotSpots *self = OL_HOT_SPOTS(widget);

  if (gtk_widget_get_focus_child(widget) || self->buttons->len == 0)
    return FALSE;
  for (guint i = 0; i < self->buttons->len; i++)
    if (gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(button_at(self, i))))
      return gtk_widget_grab_focus(button_at(self, i));
  return gtk_widget_grab_focus(button_at(self, 0));
}

static int focused_spot(OlHotSpots *self)
{
  GtkWidget *child = gtk_widget_get_focus_child(GTK_WIDGET(self));
  guint i;

  return child && g_ptr_array_find(self->buttons, child, &i) ? (int)i : -1;
}

/* On the grid arrows select, from name to name they only walk. "(ii)": to the right, down. */
static void step(GtkWidget *widget, const char *name, GVariant *parameter)
{
  OlHotSpots *self = OL_HOT_SPOTS(widget);
  gboolean is_grid = ol_chart_area_get_chart(self->area) == OL_CHART_RANKS;
  int right, down, to;

  g_variant_get(parameter, "(ii)", &right, &down);
  to =
      is_grid ? ol_chart_step_rank(get_view(self), right, down) : focused_spot(self) + right + down;
  if (to < 0 || to >= (int)self->buttons->len) {
    gtk_widget_error_bell(widget);
    return;
  }
  if (is_grid)
    ol_lab_session_select_rank(get_session(self), (guint)to);
  gtk_widget_grab_focus(button_at(self, (guint)to));
}

static void bind_step(GtkWidgetClass *class, guint key, int right, int down)
{
  gtk_widget_class_add_binding_action(class, key, 0, "spots.step", "(ii)", right, down);
}

static void dispose(GObject *object)
{
  OlHotSpots *self = OL_HOT_SPOTS(object);

  if (self->buttons)
    set_count(self, 0);
  g_clear_pointer(&self->buttons, g_ptr_array_unref);
  g_clear_pointer(&self->ranks, g_array_unref);
  G_OBJECT_CLASS(ol_hot_spots_parent_class)->dispose(object);
}

static void ol_hot_spots_class_init(OlHotSpotsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->size_allocate = size_allocate;
  widget_class->contains = contains;
  widget_class->focus = focus;
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action(widget_class, "spots.step", "(ii)", step);
  bind_step(widget_class, GDK_KEY_Left, -1, 0);
  bind_step(widget_class, GDK_KEY_Right, 1, 0);
  bind_step(widget_class, GDK_KEY_Up, 0, -1);
  bind_step(widget_class, GDK_KEY_Down, 0, 1);
}

static void ol_hot_spots_init(OlHotSpots *self)
{
  self->buttons = g_ptr_array_new();
  self->ranks = g_array_new(FALSE, FALSE, sizeof(guint));
}

GtkWidget *ol_hot_spots_new(OlChartArea *area)
{
  static const char *const names[OL_N_CHARTS] = {[OL_CHART_RANKS] = "Grid of ranks",
                                                 [OL_CHART_MEMORY] = "Ranks whose memory folds",
                                                 [OL_CHART_LANES] = "Ranks whose lanes fold"};
  OlHotSpots *self = g_object_new(OL_TYPE_HOT_SPOTS, NULL);
  OlLabSession *session = ol_chart_area_get_session(area);

  self->area = area;
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 names[ol_chart_area_get_chart(area)], -1);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
