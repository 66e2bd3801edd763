#include "app/window/page-frame.h"

#include "app/window/words-label.h"
#include <adwaita.h>

#define WIDEST 900 /* logical pixels: where lines get too long to read */

GtkWidget *ol_page_frame_scroll(GtkWidget *column)
{
  GtkWidget *scroller = gtk_scrolled_window_new(), *clamp = adw_clamp_new();

  adw_clamp_set_maximum_size(ADW_CLAMP(clamp), WIDEST);
  adw_clamp_set_child(ADW_CLAMP(clamp), column);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), clamp);
  gtk_widget_set_hexpand(scroller, TRUE);
  return scroller;
}

GtkBox *ol_page_frame_fill(GtkWidget *page, const char *title)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_accessible_update_property(GTK_ACCESSIBLE(page), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_add_css_class(column, "page-column");
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(ol_words_label_new(title, "title-2")));
  gtk_box_append(GTK_BOX(page), ol_page_frame_scroll(column));
  return GTK_BOX(column);
}
