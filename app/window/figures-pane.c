#include "app/window/figures-pane.h"

#include "app/charts/pinned.h"
#include "app/window/config-differences-view.h"
#include "app/window/figure-row.h"
#include "app/window/fold-row.h"
#include "app/window/help-window.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

/* Figures are for reading, and take a sweep over the whole trace. */
#define REFRESH_MS 400
/* A trace that grows beyond this has figures when it has ended. */
#define MOST_LIVE_SPANS 100000

struct _OlFiguresPane {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *subtitle, *note;
  GtkWidget *only; /* the toggle: only what differs */
  OlConfigDifferencesView *config;
  GtkListBox *list;
  GtkSizeGroup *names, *widths[OL_N_FIGURE_COLUMNS];
  OlMetrics *shown, *pinned;
  OlTrace *pinned_trace; /* of `pinned`: it does not change any more */
  guint refresh_source;
};

G_DEFINE_FINAL_TYPE(OlFiguresPane, ol_figures_pane, GTK_TYPE_BOX)

static const OlChartView *get_view(OlFiguresPane *self)
{
  return ol_lab_session_get_view(self->session);
}

static gboolean is_wanted(OlFiguresPane *self, const OlFigure *figure)
{
  gboolean only = gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(self->only));

  return !only || !get_view(self)->pinned || figure->verdict > OL_VERDICT_ALIKE ||
         (figure->verdict == OL_VERDICT_NONE && g_strcmp0(figure->shown, figure->pinned) != 0);
}

/* Rows that stay keep the reader's place; groups have their title above their first row. */
static void show_figures(OlFiguresPane *self, GPtrArray *figures)
{
  gboolean compared = get_view(self)->pinned != NULL;
  int n = 0;
  GtkListBoxRow *row;

  for (guint i = 0; i < figures->len; i++) {
    const OlFigure *figure = g_ptr_array_index(figures, i);
    if (!is_wanted(self, figure))
      continue;
    row = gtk_list_box_get_row_at_index(self->list, n++);
    if (!row) {
      row = GTK_LIST_BOX_ROW(ol_figure_row_new(self->names, self->widths));
      gtk_list_box_append(self->list, GTK_WIDGET(row));
    }
    ol_figure_row_set(OL_FIGURE_ROW(row), figure, compared);
  }
  while ((row = gtk_list_box_get_row_at_index(self->list, n)))
    gtk_list_box_remove(self->list, GTK_WIDGET(row));
  gtk_list_box_invalidate_headers(self->list);
}

static void compute(OlFiguresPane *self)
{
  const OlChartView *view = get_view(self);

  g_clear_pointer(&self->shown, ol_metrics_free);
  if (view->trace && (view->trace->ended || view->trace->spans->len <= MOST_LIVE_SPANS))
    self->shown = ol_metrics_new(view->trace);
  if (view->pinned && self->pinned_trace == view->pinned->trace)
    return;
  g_clear_pointer(&self->pinned, ol_metrics_free);
  g_clear_pointer(&self->pinned_trace, ol_trace_unref);
  if (view->pinned) {
    self->pinned = ol_metrics_new(view->pinned->trace);
    self->pinned_trace = ol_trace_ref((OlTrace *)view->pinned->trace);
  }
}

/* How many are better and worse, in a line. */
static char *dup_summary(GPtrArray *figures)
{
  guint n[OL_N_VERDICTS] = {0};

  for (guint i = 0; i < figures->len; i++)
    n[((const OlFigure *)g_ptr_array_index(figures, i))->verdict]++;
  return g_strdup_printf(_("%u better, %u worse, %u other, %u alike"), n[OL_VERDICT_BETTER],
                         n[OL_VERDICT_WORSE], n[OL_VERDICT_OTHER], n[OL_VERDICT_ALIKE]);
}

static const char *find_note(OlFiguresPane *self)
{
  const OlChartView *view = get_view(self);

  if (!view->trace)
    return _("Nothing has run yet: a run fills this.");
  if (!self->shown)
    return _("This run is long: its figures come when it has ended.");
  if (ol_lab_session_is_pinned_shown(self->session))
    return _("This is the pinned run: show another one to compare it with.");
  if (view->pinned && !ol_pinned_has_same_scale(view) && !view->there)
    return _("The two runs were made on other clocks or scales: seconds and bytes of here do not "
             "compare. Units of what they stand for (menu, Units) do.");
  return NULL;
}

static void refresh(OlFiguresPane *self)
{
  const OlChartView *view = get_view(self);
  g_autoptr(GPtrArray) figures = NULL;
  g_autofree char *summary = NULL;
  const char *note;

  compute(self);
  figures = ol_figures_new(view, self->shown, view->pinned ? self->pinned : NULL);
  summary =
      view->pinned ? dup_summary(figures) : g_strdup(_("press one to see where it comes from"));
  note = find_note(self);
  gtk_label_set_text(self->subtitle, summary);
  gtk_label_set_text(self->note, note ? note : "");
  gtk_widget_set_visible(GTK_WIDGET(self->note), note != NULL);
  gtk_widget_set_visible(self->only, view->pinned != NULL);
  ol_config_differences_view_show(self->config, view);
  show_figures(self, figures);
}

static gboolean on_due(gpointer data)
{
  OlFiguresPane *self = data;

  self->refresh_source = 0;
  refresh(self);
  return G_SOURCE_REMOVE;
}

static void queue_refresh(OlFiguresPane *self)
{
  if (!self->refresh_source && gtk_widget_get_mapped(GTK_WIDGET(self)))
    self->refresh_source = g_timeout_add(REFRESH_MS, on_due, self);
}

static void on_compare_changed(OlFiguresPane *self)
{
  gboolean open = ol_lab_session_get_figures(self->session);

  gtk_widget_set_visible(GTK_WIDGET(self), open);
  if (open)
    refresh(self);
}

static void on_activated(OlFiguresPane *self, GtkListBoxRow *row)
{
  OlFigurePlace place;
  const char *path = ol_figure_row_get_path(OL_FIGURE_ROW(row));

  if (self->shown && ol_figure_place_find(get_view(self), self->shown, path, &place))
    ol_lab_session_go_to(self->session, &place);
  else
    ol_lab_session_tell(self->session, _("The run says this of itself: it comes from no span."));
}

/* Above the first row: what the columns are. */
static GtkWidget *make_columns(OlFiguresPane *self)
{
  static const char *const titles[OL_N_FIGURE_COLUMNS] = {N_("Shown"), N_("Pinned"), N_("Change"),
                                                          ""};
  GtkWidget *columns = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  for (int i = 0; i < OL_N_FIGURE_COLUMNS; i++) {
    GtkWidget *label = gtk_label_new(_(titles[i]));
    gtk_label_set_xalign(GTK_LABEL(label), 1);
    gtk_size_group_add_widget(self->widths[i], label);
    gtk_box_append(GTK_BOX(columns), label);
  }
  gtk_widget_add_css_class(columns, "figure-columns");
  gtk_widget_set_halign(columns, GTK_ALIGN_END);
  return columns;
}

static GtkWidget *make_header(OlFiguresPane *self, OlFigureRow *row, gboolean is_top)
{
  GtkWidget *label = gtk_label_new(ol_figure_group_title(ol_figure_row_get_group(row)));
  GtkWidget *line;

  gtk_label_set_xalign(GTK_LABEL(label), 0);
  if (!is_top || !get_view(self)->pinned) {
    gtk_widget_add_css_class(label, "figures-group");
    return label;
  }
  gtk_size_group_add_widget(self->names, label);
  line = ol_fold_row_new(label, make_columns(self));
  gtk_widget_add_css_class(line, "figures-group");
  return line;
}

static void update_header(GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  gboolean first = !before || ol_figure_row_get_group(OL_FIGURE_ROW(before)) !=
                                  ol_figure_row_get_group(OL_FIGURE_ROW(row));

  gtk_list_box_row_set_header(row, first ? make_header(data, OL_FIGURE_ROW(row), !before) : NULL);
}

static gboolean on_escape(GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return ol_lab_session_clear(OL_FIGURES_PANE(widget)->session);
}

static void unmap(GtkWidget *widget)
{
  g_clear_handle_id(&OL_FIGURES_PANE(widget)->refresh_source, g_source_remove);
  GTK_WIDGET_CLASS(ol_figures_pane_parent_class)->unmap(widget);
}

static void dispose(GObject *object)
{
  OlFiguresPane *self = OL_FIGURES_PANE(object);

  g_clear_handle_id(&self->refresh_source, g_source_remove);
  g_clear_pointer(&self->shown, ol_metrics_free);
  g_clear_pointer(&self->pinned, ol_metrics_free);
  g_clear_pointer(&self->pinned_trace, ol_trace_unref);
  g_clear_object(&self->names);
  for (int i = 0; i < OL_N_FIGURE_COLUMNS; i++)
    g_clear_object(&self->widths[i]);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_figures_pane_parent_class)->dispose(object);
}

static void ol_figures_pane_class_init(OlFiguresPaneClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->unmap = unmap;
  gtk_widget_class_add_binding(widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_figures_pane_init(OlFiguresPane *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "figures-pane");
  ol_help_set_page(GTK_WIDGET(self), "figures");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Figures"),
                                 -1);
  self->names = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
  for (int i = 0; i < OL_N_FIGURE_COLUMNS; i++)
    self->widths[i] = gtk_size_group_new(GTK_SIZE_GROUP_HORIZONTAL);
}

static GtkWidget *make_top(OlFiguresPane *self)
{
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *title = gtk_label_new(_("Figures"));
  GtkWidget *top;

  gtk_widget_add_css_class(words, "chart-words");
  gtk_widget_add_css_class(title, "heading");
  self->subtitle = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->subtitle, 0);
  gtk_label_set_wrap(self->subtitle, TRUE);
  gtk_widget_set_hexpand(GTK_WIDGET(self->subtitle), TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->subtitle), "dim-label");
  gtk_widget_add_css_class(GTK_WIDGET(self->subtitle), "caption");
  self->only = gtk_toggle_button_new_with_label(_("Only what differs"));
  gtk_widget_add_css_class(self->only, "table-button");
  gtk_widget_set_valign(self->only, GTK_ALIGN_CENTER);
  gtk_widget_set_halign(self->only, GTK_ALIGN_END);
  g_signal_connect_swapped(self->only, "toggled", G_CALLBACK(refresh), self);
  gtk_box_append(GTK_BOX(words), title);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->subtitle));
  top = ol_fold_row_new(words, self->only);
  gtk_widget_add_css_class(top, "chart-title");
  return top;
}

static GtkWidget *make_list(OlFiguresPane *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->note = ol_words_label_new(NULL, "figures-note");
  self->config = OL_CONFIG_DIFFERENCES_VIEW(ol_config_differences_view_new());
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_list_box_set_header_func(self->list, update_header, self, NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Figures of the run"), -1);
  g_signal_connect_swapped(self->list, "row-activated", G_CALLBACK(on_activated), self);
  gtk_widget_set_halign(column, GTK_ALIGN_START); /* names and figures near each other */
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->config));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->list));
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), column);
  gtk_widget_set_vexpand(scroller, TRUE);
  return scroller;
}

GtkWidget *ol_figures_pane_new(OlLabSession *session)
{
  static const char *const signals[] = {"run-shown", "updated", "rank-changed"};
  OlFiguresPane *self = g_object_new(OL_TYPE_FIGURES_PANE, NULL);

  self->session = g_object_ref(session);
  gtk_box_append(GTK_BOX(self), make_top(self));
  gtk_box_append(GTK_BOX(self), make_list(self));
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(queue_refresh), self,
                            G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "compare-changed", G_CALLBACK(on_compare_changed), self,
                          G_CONNECT_SWAPPED);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  return GTK_WIDGET(self);
}
