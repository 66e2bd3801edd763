#include "app/window/doing-rows.h"

#include "app/window/fold-row.h"
#include "app/window/words-label.h"

#define WORDS_BESIDE 24 /* letters of a line that is worth keeping beside the button */

GtkWidget *ol_doing_rows_new(void)
{
  GtkWidget *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(rows, "card");
  gtk_widget_add_css_class(rows, "doings");
  return rows;
}

void ol_doing_rows_clear(GtkBox *rows)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child(GTK_WIDGET(rows))))
    gtk_box_remove(rows, row);
}

/* Wraps rather than sends the button to a line of its own, as long as there is room for some words.
 */
static void add_words(GtkWidget *texts, const char *words, const char *css_class)
{
  GtkLabel *label = ol_words_label_new(words, css_class);

  gtk_label_set_max_width_chars(label, WORDS_BESIDE);
  gtk_box_append(GTK_BOX(texts), GTK_WIDGET(label));
}

void ol_doing_rows_add(GtkBox *rows, const char *title, const char *words, GtkWidget *end)
{
  GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *row;

  add_words(texts, title, NULL);
  if (words)
    add_words(texts, words, "row-words");
  gtk_widget_set_valign(texts, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(end, GTK_ALIGN_CENTER);
  row = ol_fold_row_new(texts, end);
  gtk_widget_add_css_class(row, "doing");
  gtk_box_append(rows, row);
}

GtkWidget *ol_doing_button_new(const char *words, const char *whole, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label(words);

  if (action)
    gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(button), action);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  return button;
}
