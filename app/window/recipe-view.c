#include "app/window/recipe-view.h"

#include "app/window/fold.h"
#include "app/window/sideways.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include <string.h>

/* Lines as they are: where a key stands says what it belongs to. */
static GtkWidget *make_text(const OlLessonRun *run)
{
  g_autofree char *text = g_strchomp(g_strdup(run->recipe_text));
  GtkWidget *label = gtk_label_new(text), *scroller = ol_sideways_new(label, FALSE);

  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, "monospace");
  gtk_widget_add_css_class(scroller, "recipe-text");
  return scroller;
}

/* "aio.queue_depth: the lab chooses …": the key in bold. */
static GtkWidget *make_unused(const char *line)
{
  GtkLabel *label = ol_words_label_new(line, "caption");
  const char *colon = strstr(line, ": ");
  PangoAttrList *bold = pango_attr_list_new();
  PangoAttribute *weight = pango_attr_weight_new(PANGO_WEIGHT_BOLD);

  weight->end_index = colon ? (guint)(colon - line) : 0;
  pango_attr_list_insert(bold, weight);
  gtk_label_set_attributes(label, bold);
  pango_attr_list_unref(bold);
  return GTK_WIDGET(label);
}

static GtkWidget *make_content(const OlLessonRun *run)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(column, "recipe-content");
  gtk_box_append(GTK_BOX(column), make_text(run));
  if (run->recipe_unused && *run->recipe_unused)
    gtk_box_append(GTK_BOX(column), GTK_WIDGET(ol_words_label_new(
                                        _("What changes nothing in the lab"), "caption-heading")));
  for (char **line = run->recipe_unused; line && *line; line++)
    gtk_box_append(GTK_BOX(column), make_unused(*line));
  return column;
}

GtkWidget *ol_recipe_view_new(const char *title, const OlLessonRun *run)
{
  GtkWidget *fold = ol_fold_new(title, make_content(run));

  gtk_widget_add_css_class(fold, "recipe");
  return fold;
}
