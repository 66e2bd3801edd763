#include "app/window/sideways.h"

#include <math.h>

static gboolean can_go(GtkScrolledWindow *window, double dy)
{
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(window);
  double value = gtk_adjustment_get_value(place);

  return dy < 0 ? value > gtk_adjustment_get_lower(place)
                : value < gtk_adjustment_get_upper(place) - gtk_adjustment_get_page_size(place);
}

/* As far as GTK goes for one turn of the wheel. */
static void scroll(GtkScrolledWindow *window, double dy, GdkScrollUnit unit)
{
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(window);
  double step =
      unit == GDK_SCROLL_UNIT_WHEEL ? pow(gtk_adjustment_get_page_size(place), 2.0 / 3) : 1;

  gtk_adjustment_set_value(place, gtk_adjustment_get_value(place) + dy * step);
}

static gboolean on_scroll(GtkScrolledWindow *self, double dx, double dy,
                          GtkEventControllerScroll *controller)
{
  GtkWidget *parent = gtk_widget_get_parent(GTK_WIDGET(self));
  GtkWidget *outer = parent ? gtk_widget_get_ancestor(parent, GTK_TYPE_SCROLLED_WINDOW) : NULL;

  if (fabs(dx) >= fabs(dy) || !outer || can_go(self, dy))
    return FALSE;
  scroll(GTK_SCROLLED_WINDOW(outer), dy, gtk_event_controller_scroll_get_unit(controller));
  return TRUE;
}

GtkWidget *ol_sideways_new(GtkWidget *child, gboolean tall)
{
  GtkWidget *self = gtk_scrolled_window_new();
  GtkEventController *wheel =
      gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self), GTK_POLICY_AUTOMATIC,
                                 tall ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self), child);
  gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped(wheel, "scroll", G_CALLBACK(on_scroll), self);
  gtk_widget_add_controller(self, wheel);
  return self;
}
