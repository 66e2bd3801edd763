#include "app/window/chart-menu.h"

#include "engine/base/intl.h"

static GMenuModel *make_menu(OlChartArea *area)
{
  OlLabSession *session = ol_chart_area_get_session(area);
  gboolean there = ol_lab_session_get_view(session)->there;
  gboolean path = ol_lab_session_shows_critical(session);
  GMenu *menu = g_menu_new();

  if (ol_chart_is_timed(ol_chart_area_get_chart(area))) {
    g_menu_append(menu, _("Zoom to the selection"), "chart.zoom-to-marked");
    g_menu_append(menu, _("The whole run"), "chart.fit");
    g_menu_append(menu, _("Back to the range before"), "chart.back");
    g_menu_append(menu, _("Forward again"), "chart.forward");
    if (ol_lab_session_is_live(session))
      g_menu_append(menu, _("Follow the run"), "chart.follow");
    g_menu_append(menu, path ? _("Hide the critical path") : _("Show the critical path"),
                  "chart.critical");
  }
  g_menu_append(menu, there ? _("In units of this machine") : _("In units of what it stands for"),
                "chart.units");
  g_menu_append(menu, _("Copy as text"), "chart.copy");
  return G_MENU_MODEL(menu);
}

static gboolean drop(gpointer popover)
{
  if (gtk_widget_get_parent(popover))
    gtk_widget_unparent(popover);
  return G_SOURCE_REMOVE;
}

/* What was chosen is activated after it has closed: it must live until then. */
static void on_closed(GtkWidget *popover)
{
  g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, drop, g_object_ref(popover), g_object_unref);
}

static void open_at(OlChartArea *area, double x, double y)
{
  g_autoptr(GMenuModel) menu = make_menu(area);
  GtkWidget *popover = gtk_popover_menu_new_from_model(menu);
  GdkRectangle at = {(int)x, (int)y, 1, 1};

  gtk_widget_set_parent(popover, GTK_WIDGET(area));
  gtk_popover_set_pointing_to(GTK_POPOVER(popover), &at);
  gtk_popover_set_has_arrow(GTK_POPOVER(popover), FALSE);
  g_signal_connect(popover, "closed", G_CALLBACK(on_closed), NULL);
  gtk_popover_popup(GTK_POPOVER(popover));
}

static void open_by_key(GtkWidget *widget, const char *name, GVariant *parameter)
{
  open_at(OL_CHART_AREA(widget), gtk_widget_get_width(widget) / 3.0,
          gtk_widget_get_height(widget) / 3.0);
}

static void on_pressed(OlChartArea *area, int presses, double x, double y)
{
  open_at(area, x, y);
}

/* A finger cannot hover: the details line speaks of what it rests on. */
static void on_long_press(OlChartArea *area, double x, double y)
{
  ol_chart_area_point(area, x, y);
  open_at(area, x, y);
}

void ol_chart_menu_install_actions(GtkWidgetClass *class)
{
  gtk_widget_class_install_action(class, "chart.menu", NULL, open_by_key);
  gtk_widget_class_add_binding_action(class, GDK_KEY_Menu, 0, "chart.menu", NULL);
  gtk_widget_class_add_binding_action(class, GDK_KEY_F10, GDK_SHIFT_MASK, "chart.menu", NULL);
}

void ol_chart_menu_attach(OlChartArea *area)
{
  GtkGesture *click = gtk_gesture_click_new(), *press = gtk_gesture_long_press_new();

  gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped(click, "pressed", G_CALLBACK(on_pressed), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(click));
  gtk_gesture_single_set_touch_only(GTK_GESTURE_SINGLE(press), TRUE);
  g_signal_connect_swapped(press, "pressed", G_CALLBACK(on_long_press), area);
  gtk_widget_add_controller(GTK_WIDGET(area), GTK_EVENT_CONTROLLER(press));
}
