#include "app/window/hot-spots.h"

#include "engine/base/intl.h"

/* Words of numbers are for reading, and change with every frame of a run. */
#define REFRESH_MS 400

struct _OlHotSpots {
  GtkWidget parent_instance;
  OlChartArea *area;
  GPtrArray *buttons; /* one a spot, in its order; borrowed: they are children */
  GArray *spots;      /* OlChartSpot: of each */
  gboolean refreshing;
  guint refresh_source;
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

static const OlChartSpot *spot_at(OlHotSpots *self, guint i)
{
  return &g_array_index(self->spots, OlChartSpot, i);
}

static void on_toggled(OlHotSpots *self, GtkWidget *button)
{
  OlChart chart = ol_chart_area_get_chart(self->area);
  guint i;

  if (self->refreshing || !g_ptr_array_find(self->buttons, button, &i))
    return;
  if (chart == OL_CHART_RANKS)
    ol_lab_session_select_rank(get_session(self), spot_at(self, i)->rank);
  else
    ol_lab_session_fold_rank(get_session(self), chart, spot_at(self, i)->rank);
}

static void on_clicked(OlHotSpots *self, GtkWidget *button)
{
  guint i;

  if (g_ptr_array_find(self->buttons, button, &i))
    ol_lab_session_press(get_session(self), &spot_at(self, i)->number);
}

/* Over a number the pointer stays the chart's, which knows numbers itself: it can still drag and
 * zoom there. */
static void add_button(OlHotSpots *self, gboolean is_number)
{
  GtkWidget *button = is_number ? gtk_button_new() : gtk_toggle_button_new();

  gtk_widget_add_css_class(button, "hot-spot");
  gtk_widget_set_can_target(button, !is_number);
  gtk_widget_set_parent(button, GTK_WIDGET(self));
  g_signal_connect_swapped(button, is_number ? "clicked" : "toggled",
                           is_number ? G_CALLBACK(on_clicked) : G_CALLBACK(on_toggled), self);
  g_ptr_array_add(self->buttons, button);
}

static gboolean is_number(const OlChartSpot *spot)
{
  return spot->number.kind != OL_NUMBER_NONE;
}

/* Buttons that suit stay, and so the focus that may be on one. */
static void suit_buttons(OlHotSpots *self, const GArray *spots)
{
  guint n = 0;

  while (n < MIN(self->buttons->len, spots->len) &&
         is_number(&g_array_index(spots, OlChartSpot, n)) !=
             GTK_IS_TOGGLE_BUTTON(button_at(self, n)))
    n++;
  while (self->buttons->len > n) {
    gtk_widget_unparent(button_at(self, self->buttons->len - 1));
    g_ptr_array_set_size(self->buttons, (int)self->buttons->len - 1);
  }
  for (; n < spots->len; n++)
    add_button(self, is_number(&g_array_index(spots, OlChartSpot, n)));
}

/* "Memory of Rank 3 · data 1, stage 1": no two of a window have the same name. */
static char *dup_name(OlHotSpots *self, guint rank)
{
  static const char *const of[OL_N_CHARTS] = {
      [OL_CHART_MEMORY] = N_("Memory of %s"), [OL_CHART_LANES] = N_("Lanes of %s")};
  const char *what = of[ol_chart_area_get_chart(self->area)];
  g_autofree char *name = ol_ranks_dup_name(ol_chart_view_get_ranks(get_view(self)), rank);

  return what ? g_strdup_printf(_(what), name) : g_steal_pointer(&name);
}

/* What a cell is to the selected one is seen by its hatch; here it is said. */
static void describe(OlHotSpots *self, GtkWidget *button, guint rank)
{
  const OlChartView *view = get_view(self);
  int axis = ol_ranks_shared_axis(ol_chart_view_get_ranks(view), view->rank, rank);
  const char *words = rank == view->rank ? _("selected")
                      : axis >= 0        ? ol_rank_axis_group((OlRankAxis)axis)
                                         : _("in no group with the selected rank");

  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words,
                                 -1);
}

/* What is read out is told when it differs. */
static void set_words(GtkWidget *button, const char *name)
{
  if (g_strcmp0(g_object_get_data(G_OBJECT(button), "name"), name) == 0)
    return;
  g_object_set_data_full(G_OBJECT(button), "name", g_strdup(name), g_free);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* "What runs when: Hidden 64 %" */
static void refresh_number(OlHotSpots *self, GtkWidget *button, const OlNumber *number)
{
  g_autofree char *words = ol_number_dup_words(get_view(self), number);
  g_autofree char *name =
      g_strdup_printf("%s: %s", ol_chart_title(ol_chart_area_get_chart(self->area)), words);

  set_words(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 ol_number_get_promise(number->kind), -1);
}

static void refresh_rank(OlHotSpots *self, GtkWidget *button, const OlChartSpot *spot)
{
  g_autofree char *name = dup_name(self, spot->rank);

  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), spot->on);
  set_words(button, name);
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
  suit_buttons(self, spots);
  g_array_set_size(self->spots, 0);
  g_array_append_vals(self->spots, spots->data, spots->len);
  for (guint i = 0; i < spots->len; i++)
    if (is_number(spot_at(self, i)))
      refresh_number(self, button_at(self, i), &spot_at(self, i)->number);
    else
      refresh_rank(self, button_at(self, i), spot_at(self, i));
  self->refreshing = FALSE;
  gtk_widget_set_visible(GTK_WIDGET(self), spots->len > 0);
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static gboolean on_due(gpointer data)
{
  OlHotSpots *self = data;

  self->refresh_source = 0;
  refresh(self);
  return G_SOURCE_REMOVE;
}

/* Also while there is none to be seen: the first number may just have come. */
static void queue_refresh(OlHotSpots *self)
{
  if (!self->refresh_source && gtk_widget_get_mapped(GTK_WIDGET(self->area)))
    self->refresh_source = g_timeout_add(REFRESH_MS, on_due, self);
}

static void place_button(GtkWidget *button, const cairo_rectangle_t *box)
{
  GtkAllocation place = {(int)box->x, (int)box->y, MAX((int)box->width, 1),
                         MAX((int)box->height, 1)};

  gtk_widget_measure(button, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate(button, &place, -1);
}

/* The chart below has the same size. */
static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  OlHotSpots *self = OL_HOT_SPOTS(widget);
  g_autoptr(GArray) spots = ol_chart_spots(ol_chart_area_get_chart(self->area), width, height,
                                           get_view(self), ol_chart_area_get_style(self->area));

  for (guint i = 0; i < self->buttons->len; i++) {
    GtkWidget *button = button_at(self, i);
    /* A number may have gone since they were counted. */
    gtk_widget_set_child_visible(button, i < spots->len);
    if (i < spots->len)
      place_button(button, &g_array_index(spots, OlChartSpot, i).box);
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
    if (GTK_IS_TOGGLE_BUTTON(button_at(self, i)) &&
        gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(button_at(self, i))))
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

  g_clear_handle_id(&self->refresh_source, g_source_remove);
  for (guint i = 0; self->buttons && i < self->buttons->len; i++)
    gtk_widget_unparent(button_at(self, i));
  g_clear_pointer(&self->buttons, g_ptr_array_unref);
  g_clear_pointer(&self->spots, g_array_unref);
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
  self->spots = g_array_new(FALSE, FALSE, sizeof(OlChartSpot));
}

GtkWidget *ol_hot_spots_new(OlChartArea *area)
{
  static const char *const signals[] = {"updated", "grown", "view-changed", "cursor-changed"};
  static const char *const names[OL_N_CHARTS] = {[OL_CHART_RANKS] = N_("Grid of ranks"),
                                                 [OL_CHART_TIERS] = N_("Numbers of the memories"),
                                                 [OL_CHART_MEMORY] =
                                                     N_("Memory's ranks and numbers"),
                                                 [OL_CHART_LANES] = N_("Lanes' ranks and numbers"),
                                                 [OL_CHART_LOSS] = N_("Numbers of loss and speed")};
  OlHotSpots *self = g_object_new(OL_TYPE_HOT_SPOTS, NULL);
  OlLabSession *session = ol_chart_area_get_session(area);

  self->area = area;
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(names[ol_chart_area_get_chart(area)]), -1);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(queue_refresh), self,
                            G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
