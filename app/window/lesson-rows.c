#include "app/window/lesson-rows.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

static void on_activated(GtkListBox *rows, GtkListBoxRow *row)
{
  const OlLesson *lesson = g_object_get_data(G_OBJECT(row), "lesson");

  gtk_widget_activate_action(GTK_WIDGET(rows), "win.open-lesson", "s", lesson->id);
}

GtkWidget *ol_lesson_rows_new(const char *name)
{
  GtkWidget *rows = gtk_list_box_new();

  gtk_list_box_set_selection_mode(GTK_LIST_BOX(rows), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(rows, "card");
  gtk_widget_add_css_class(rows, "lesson-rows");
  gtk_accessible_update_property(GTK_ACCESSIBLE(rows), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect(rows, "row-activated", G_CALLBACK(on_activated), NULL);
  return rows;
}

void ol_lesson_rows_clear(GtkWidget *rows)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child(rows)))
    gtk_list_box_remove(GTK_LIST_BOX(rows), row);
}

static GtkWidget *make_mark(OlRowMark mark)
{
  static const struct {
    const char *icon, *css_class;
  } looks[] = {
      [OL_ROW_OPEN] = {NULL, "open"},
      [OL_ROW_RIGHT] = {"object-select-symbolic", "done"},
      [OL_ROW_WRONG] = {"window-close-symbolic", "missed"},
  };
  GtkWidget *image =
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  gtk_image_set_from_icon_name(GTK_IMAGE(image), looks[mark].icon);
  gtk_widget_add_css_class(image, "mark");
  gtk_widget_add_css_class(image, looks[mark].css_class);
  gtk_widget_set_valign(image, GTK_ALIGN_CENTER);
  return image;
}

void ol_lesson_rows_add(GtkWidget *rows, const OlLesson *lesson, OlRowMark mark, const char *words,
                        const char *aside)
{
  GtkWidget *row = gtk_list_box_row_new(), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *texts = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *name =
      g_strdup_printf("%s. %s %s", lesson->title, words ? words : "", aside ? aside : "");

  gtk_box_append(GTK_BOX(texts), GTK_WIDGET(ol_words_label_new(lesson->title, NULL)));
  if (words)
    gtk_box_append(GTK_BOX(texts), GTK_WIDGET(ol_words_label_new(words, "row-words")));
  gtk_widget_set_hexpand(texts, TRUE);
  gtk_widget_set_valign(texts, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(line), make_mark(mark));
  gtk_box_append(GTK_BOX(line), texts);
  if (aside) {
    GtkWidget *label = gtk_label_new(aside);
    gtk_widget_add_css_class(label, "row-aside");
    gtk_widget_set_valign(label, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(line), label);
  }
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), line);
  g_object_set_data(G_OBJECT(row), "lesson", (gpointer)lesson);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 g_strchomp(name), -1);
  gtk_list_box_append(GTK_LIST_BOX(rows), row);
}
