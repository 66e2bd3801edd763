#include "app/window/words-label.h"

GtkLabel *ol_words_label_new(const char *text, const char *css_class)
{
  GtkLabel *label = GTK_LABEL(gtk_label_new(text));

  gtk_label_set_wrap(label, TRUE);
  gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(label, 0);
  if (css_class)
    gtk_widget_add_css_class(GTK_WIDGET(label), css_class);
  return label;
}
