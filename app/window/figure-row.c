#include "app/window/figure-row.h"

#include "app/window/fold-row.h"
#include "engine/base/intl.h"

struct _OlFigureRow {
  GtkListBoxRow parent_instance;
  char *path;
  OlFigureGroup group;
  GtkLabel *name, *columns[OL_N_FIGURE_COLUMNS];
  GtkWidget *verdict;
  GtkImage *mark; /* in it: a form beside its colour */
};

G_DEFINE_FINAL_TYPE(OlFigureRow, ol_figure_row, GTK_TYPE_LIST_BOX_ROW)

static const struct {
  const char *icon, *css_class;
} looks[OL_N_VERDICTS] = {
    [OL_VERDICT_BETTER] = {"emblem-ok-symbolic", "better"},
    [OL_VERDICT_WORSE] = {"dialog-warning-symbolic", "worse"},
};

const char *ol_figure_row_get_path(OlFigureRow *self)
{
  return self->path;
}

OlFigureGroup ol_figure_row_get_group(OlFigureRow *self)
{
  return self->group;
}

static void set_words(OlFigureRow *self, OlFigureColumn column, const char *words, gboolean there)
{
  gtk_label_set_text(self->columns[column], words ? words : "–");
  gtk_widget_set_visible(GTK_WIDGET(self->columns[column]), there);
}

static void set_verdict(OlFigureRow *self, OlVerdict verdict, gboolean there)
{
  for (int i = 0; i < OL_N_VERDICTS; i++)
    if (looks[i].css_class)
      gtk_widget_remove_css_class(GTK_WIDGET(self), looks[i].css_class);
  if (there && looks[verdict].css_class)
    gtk_widget_add_css_class(GTK_WIDGET(self), looks[verdict].css_class);
  gtk_image_set_from_icon_name(self->mark, looks[verdict].icon);
  gtk_widget_set_opacity(GTK_WIDGET(self->mark), looks[verdict].icon ? 1 : 0);
  set_words(self, OL_FIGURE_COLUMN_VERDICT, ol_verdict_words(verdict), TRUE);
  gtk_widget_set_visible(self->verdict, there);
}

/* "Busy, GPU → host: 0.29 s; pinned: 0.31 s; −6 %, better" */
static void say(OlFigureRow *self, const OlFigure *figure, gboolean compared)
{
  const char *verdict = ol_verdict_words(figure->verdict);
  GString *words = g_string_new(figure->name);

  g_string_append_printf(words, ": %s", figure->shown ? figure->shown : _("none"));
  if (compared)
    g_string_append_printf(words, _("; pinned: %s%s%s%s%s"),
                           figure->pinned ? figure->pinned : _("none"), figure->change ? "; " : "",
                           figure->change ? figure->change : "", *verdict ? ", " : "", verdict);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, words->str,
                                 -1);
  g_string_free(words, TRUE);
}

void ol_figure_row_set(OlFigureRow *self, const OlFigure *figure, gboolean compared)
{
  if (g_strcmp0(self->path, figure->path) != 0) {
    g_free(self->path);
    self->path = g_strdup(figure->path);
  }
  self->group = figure->group;
  gtk_widget_set_tooltip_text(GTK_WIDGET(self), figure->path);
  gtk_label_set_text(self->name, figure->name);
  set_words(self, OL_FIGURE_COLUMN_SHOWN, figure->shown, TRUE);
  set_words(self, OL_FIGURE_COLUMN_PINNED, figure->pinned, compared);
  set_words(self, OL_FIGURE_COLUMN_CHANGE, figure->change ? figure->change : "", compared);
  set_verdict(self, figure->verdict, compared);
  say(self, figure, compared);
}

static void finalize(GObject *object)
{
  g_free(OL_FIGURE_ROW(object)->path);
  G_OBJECT_CLASS(ol_figure_row_parent_class)->finalize(object);
}

static void ol_figure_row_class_init(OlFigureRowClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
}

/* A form, and a word, of one column. */
static void make_verdict(OlFigureRow *self)
{
  self->verdict = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->mark = GTK_IMAGE(
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  gtk_widget_add_css_class(self->verdict, "verdict");
  gtk_box_append(GTK_BOX(self->verdict), GTK_WIDGET(self->mark));
  gtk_box_append(GTK_BOX(self->verdict), GTK_WIDGET(self->columns[OL_FIGURE_COLUMN_VERDICT]));
}

static void ol_figure_row_init(OlFigureRow *self)
{
  GtkWidget *figures = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->name = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->name, 0);
  gtk_label_set_wrap(self->name, TRUE);
  for (int i = 0; i < OL_N_FIGURE_COLUMNS; i++) {
    self->columns[i] = GTK_LABEL(gtk_label_new(NULL));
    gtk_label_set_xalign(self->columns[i], i == OL_FIGURE_COLUMN_VERDICT ? 0 : 1);
    gtk_widget_add_css_class(GTK_WIDGET(self->columns[i]), "numeric");
    if (i == OL_FIGURE_COLUMN_VERDICT)
      make_verdict(self);
    gtk_box_append(GTK_BOX(figures),
                   i == OL_FIGURE_COLUMN_VERDICT ? self->verdict : GTK_WIDGET(self->columns[i]));
  }
  gtk_widget_add_css_class(GTK_WIDGET(self->columns[OL_FIGURE_COLUMN_PINNED]), "dim-label");
  gtk_widget_add_css_class(figures, "figure-columns");
  gtk_widget_set_halign(figures, GTK_ALIGN_END);
  gtk_widget_add_css_class(GTK_WIDGET(self), "figure-row");
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(self),
                             ol_fold_row_new(GTK_WIDGET(self->name), figures));
}

GtkWidget *ol_figure_row_new(GtkSizeGroup *names, GtkSizeGroup **widths)
{
  OlFigureRow *self = g_object_new(OL_TYPE_FIGURE_ROW, NULL);

  gtk_size_group_add_widget(names, GTK_WIDGET(self->name));
  for (int i = 0; i < OL_N_FIGURE_COLUMNS; i++)
    gtk_size_group_add_widget(
        widths[i], i == OL_FIGURE_COLUMN_VERDICT ? self->verdict : GTK_WIDGET(self->columns[i]));
  return GTK_WIDGET(self);
}
