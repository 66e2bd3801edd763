#include "app/window/figure-tiles.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlFigureTiles {
  AdwBin parent_instance;
  GtkWidget *tiles[OL_N_FIGURE_TILES];
  GtkLabel *figures[OL_N_FIGURE_TILES], *words[OL_N_FIGURE_TILES];
};

G_DEFINE_FINAL_TYPE(OlFigureTiles, ol_figure_tiles, ADW_TYPE_BIN)

void ol_figure_tiles_set(OlFigureTiles *self, guint position, const char *figure, const char *words)
{
  g_autofree char *name = g_strdup_printf("%s %s", figure, words);

  gtk_label_set_text(self->figures[position], figure);
  gtk_label_set_text(self->words[position], words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->tiles[position]),
                                 GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(gtk_widget_get_parent(self->tiles[position])), /* a flow box's child */
      GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void ol_figure_tiles_class_init(OlFigureTilesClass *class)
{
}

static GtkWidget *make_tile(OlFigureTiles *self, guint position)
{
  GtkWidget *tile =
      g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role",
                   GTK_ACCESSIBLE_ROLE_GROUP, "css-name", "tile", NULL);

  self->tiles[position] = tile;
  self->figures[position] = ol_words_label_new(NULL, "tile-figure");
  self->words[position] = ol_words_label_new(NULL, "row-words");
  gtk_widget_add_css_class(tile, "card");
  gtk_box_append(GTK_BOX(tile), GTK_WIDGET(self->figures[position]));
  gtk_box_append(GTK_BOX(tile), GTK_WIDGET(self->words[position]));
  return tile;
}

static void ol_figure_tiles_init(OlFigureTiles *self)
{
  GtkWidget *flow = gtk_flow_box_new();
  GtkFlowBoxChild *child;

  gtk_widget_add_css_class(flow, "figure-tiles");
  gtk_accessible_update_property(GTK_ACCESSIBLE(flow), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("At a glance"), -1);
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous(GTK_FLOW_BOX(flow), TRUE);
  gtk_flow_box_set_min_children_per_line(GTK_FLOW_BOX(flow), 1);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(flow), OL_N_FIGURE_TILES);
  for (guint i = 0; i < OL_N_FIGURE_TILES; i++) {
    gtk_flow_box_append(GTK_FLOW_BOX(flow), make_tile(self, i));
    child = gtk_flow_box_get_child_at_index(GTK_FLOW_BOX(flow), (int)i);
    gtk_widget_set_focusable(GTK_WIDGET(child), FALSE);
  }
  adw_bin_set_child(ADW_BIN(self), flow);
}

GtkWidget *ol_figure_tiles_new(void)
{
  return g_object_new(OL_TYPE_FIGURE_TILES, NULL);
}
