#include "app/window/config-differences-view.h"

#include "app/charts/config-differences.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlConfigDifferencesView {
  GtkBox parent_instance;
  GtkGrid *grid;
  const OlTrace *shown, *pinned; /* compared by address alone */
};

G_DEFINE_FINAL_TYPE(OlConfigDifferencesView, ol_config_differences_view, GTK_TYPE_BOX)

static void clear(GtkGrid *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(GTK_WIDGET(grid))))
    gtk_grid_remove(grid, child);
}

static GtkLabel *attach(GtkGrid *grid, int column, int row, const char *text, const char *css_class)
{
  GtkLabel *label = ol_words_label_new(text, css_class);

  gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR);
  gtk_grid_attach(grid, GTK_WIDGET(label), column, row, 1, 1);
  return label;
}

/* "overlap.prefetch   0 → 2": from the pinned run to the one on the bench. */
static void add_row(GtkGrid *grid, int row, const OlConfigDifference *difference)
{
  g_autofree char *values = g_strdup_printf("%s → %s", difference->pinned, difference->shown);
  g_autofree char *name = g_strdup_printf(_("%s: %s, pinned: %s"), difference->key,
                                          difference->shown, difference->pinned);
  GtkLabel *label = attach(grid, 0, row, difference->key, "monospace");

  attach(grid, 1, row, values, "config-values");
  gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void ol_config_differences_view_show(OlConfigDifferencesView *self, const OlChartView *view)
{
  const OlTrace *pinned = view->pinned ? view->pinned->trace : NULL;
  g_autoptr(GPtrArray) differences = NULL;

  gtk_widget_set_visible(GTK_WIDGET(self), pinned != NULL);
  if (self->shown == view->trace && self->pinned == pinned)
    return;
  self->shown = view->trace;
  self->pinned = pinned;
  clear(self->grid);
  if (!pinned)
    return;
  differences = ol_config_differences_new(view->trace->header.config, pinned->header.config);
  for (guint i = 0; i < differences->len; i++)
    add_row(self->grid, (int)i, g_ptr_array_index(differences, i));
  if (differences->len == 0)
    attach(self->grid, 0, 0, _("Both runs have the same config."), NULL);
}

static void ol_config_differences_view_class_init(OlConfigDifferencesViewClass *class)
{
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_config_differences_view_init(OlConfigDifferencesView *self)
{
  GtkWidget *title = gtk_label_new(_("Config, pinned → on the bench"));

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "config-differences");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Config keys that differ"), -1);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_add_css_class(title, "figures-group");
  self->grid = GTK_GRID(gtk_grid_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->grid), "config-grid");
  gtk_box_append(GTK_BOX(self), title);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->grid));
}

GtkWidget *ol_config_differences_view_new(void)
{
  return g_object_new(OL_TYPE_CONFIG_DIFFERENCES_VIEW, NULL);
}
