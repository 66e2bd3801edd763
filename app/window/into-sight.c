#include "app/window/into-sight.h"

void ol_into_sight(GtkWidget *widget)
{
  GtkWidget *scroller = gtk_widget_get_ancestor(widget, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t box;

  if (!scroller || !gtk_widget_compute_bounds(widget, scroller, &box))
    return;
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
  double top = gtk_adjustment_get_value(place) + box.origin.y;
  double page = gtk_adjustment_get_page_size(place);
  gtk_adjustment_clamp_page(place, top, top + MIN(box.size.height, page));
}
