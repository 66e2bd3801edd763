#include "app/window/table-view.h"

#include "app/window/sideways.h"
#include "app/window/table-item.h"
#include "engine/base/intl.h"

/* Figures are for reading: more often than this they would only flicker. */
#define REFRESH_MS 250

struct _OlTableView {
  GtkBox parent_instance;
  OlTableKind kind;
  OlLabSession *session;
  GListStore *items;   /* OlTableItem */
  GListModel *columns; /* GtkColumnViewColumn; of the table */
  GtkLabel *note;
  guint refresh_source;
};

G_DEFINE_FINAL_TYPE(OlTableView, ol_table_view, GTK_TYPE_BOX)

/* Rows that stay keep their items, and so the reader's place. */
static void show_rows(OlTableView *self, GPtrArray *rows)
{
  guint had = g_list_model_get_n_items(G_LIST_MODEL(self->items));

  for (guint i = 0; i < rows->len; i++) {
    g_autoptr(OlTableItem) item =
        i < had ? g_list_model_get_item(G_LIST_MODEL(self->items), i) : ol_table_item_new();
    ol_table_item_take(item, g_ptr_array_index(rows, i));
    if (i >= had)
      g_list_store_append(self->items, item);
  }
  if (had > rows->len)
    g_list_store_splice(self->items, rows->len, had - rows->len, NULL, 0);
}

/* Which rank a row is about is said where there are several, what was pinned while something is. */
static void show_columns(OlTableView *self, const OlChartView *view)
{
  gboolean has_ranks = ol_chart_view_has_ranks(view), has_pinned = view->pinned != NULL;
  guint n;
  const OlTableColumn *looks = ol_table_columns(self->kind, &n);

  for (guint i = 0; i < n; i++) {
    g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(self->columns, i);
    gtk_column_view_column_set_visible(column, (has_ranks || !looks[i].of_ranks) &&
                                                   (has_pinned || !looks[i].of_pinned));
  }
}

static void refresh(OlTableView *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  g_autoptr(GPtrArray) rows = ol_table_rows_new(self->kind, view);
  g_autofree char *note = ol_table_dup_note(self->kind, view);

  show_columns(self, view);
  show_rows(self, rows);
  gtk_label_set_text(self->note, note ? note : "");
}

static gboolean on_due(gpointer data)
{
  OlTableView *self = data;

  self->refresh_source = 0;
  refresh(self);
  return G_SOURCE_REMOVE;
}

static void queue_refresh(OlTableView *self)
{
  if (!self->refresh_source && gtk_widget_get_mapped(GTK_WIDGET(self)))
    self->refresh_source = g_timeout_add(REFRESH_MS, on_due, self);
}

static void map(GtkWidget *widget)
{
  refresh(OL_TABLE_VIEW(widget));
  GTK_WIDGET_CLASS(ol_table_view_parent_class)->map(widget);
}

static void unmap(GtkWidget *widget)
{
  g_clear_handle_id(&OL_TABLE_VIEW(widget)->refresh_source, g_source_remove);
  GTK_WIDGET_CLASS(ol_table_view_parent_class)->unmap(widget);
}

/* One stop for Tab, none without rows; arrows walk within. */
static gboolean focus(GtkWidget *widget, GtkDirectionType direction)
{
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  gboolean is_empty = g_list_model_get_n_items(G_LIST_MODEL(OL_TABLE_VIEW(widget)->items)) == 0;

  if (is_tab && (is_empty || gtk_widget_get_focus_child(widget)))
    return FALSE;
  return GTK_WIDGET_CLASS(ol_table_view_parent_class)->focus(widget, direction);
}

/* Cells */

typedef struct {
  guint column;
  OlTableColumn look;
} Column;

static const Column *column_of(gpointer factory)
{
  return g_object_get_data(factory, "column");
}

static void set_name(GtkWidget *widget, const char *name)
{
  if (widget)
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* A cell's name says the column too: a reader that walks from cell to cell hears what the figure
 * is. A row has the name of what it is about. */
static void fill_cell(GtkListItem *list_item, const Column *column)
{
  GtkWidget *label = gtk_list_item_get_child(list_item), *cell = gtk_widget_get_parent(label);
  const char *text = ol_table_item_get_cell(gtk_list_item_get_item(list_item), column->column);
  g_autofree char *name = g_strdup_printf("%s: %s", column->look.title, text);

  gtk_label_set_text(GTK_LABEL(label), text);
  set_name(label, name);
  set_name(cell, name);
  if (column->column == 0 && cell)
    set_name(gtk_widget_get_parent(cell), text);
}

static void on_item_changed(GtkListItem *list_item)
{
  fill_cell(list_item, g_object_get_data(G_OBJECT(list_item), "column"));
}

static void on_setup(GtkListItemFactory *factory, GtkListItem *list_item)
{
  const Column *column = column_of(factory);
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_xalign(GTK_LABEL(label), column->look.is_figure ? 1 : 0);
  if (column->look.is_figure)
    gtk_widget_add_css_class(label, "numeric");
  g_object_set_data(G_OBJECT(list_item), "column", (gpointer)column);
  gtk_list_item_set_child(list_item, label);
}

static void on_bind(GtkListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_connect_object(gtk_list_item_get_item(list_item), "changed", G_CALLBACK(on_item_changed),
                          list_item, G_CONNECT_SWAPPED);
  fill_cell(list_item, column_of(factory));
}

static void on_unbind(GtkListItemFactory *factory, GtkListItem *list_item)
{
  g_signal_handlers_disconnect_by_data(gtk_list_item_get_item(list_item), list_item);
}

static GtkColumnViewColumn *make_column(guint position, const OlTableColumn *look)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  GtkColumnViewColumn *column = gtk_column_view_column_new(look->title, factory);
  Column *kept = g_new0(Column, 1);

  *kept = (Column){position, *look};
  g_object_set_data_full(G_OBJECT(factory), "column", kept, g_free);
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind), NULL);
  g_signal_connect(factory, "unbind", G_CALLBACK(on_unbind), NULL);
  return column;
}

/* A span's row puts it on the charts, a number's what it comes from. */
static void on_activated(OlTableView *self, guint position)
{
  g_autoptr(OlTableItem) item = g_list_model_get_item(G_LIST_MODEL(self->items), position);

  if (item && ol_table_item_get_span(item) >= 0)
    ol_lab_session_select(self->session, ol_table_item_get_span(item));
  else if (item && ol_table_item_get_number(item)->kind != OL_NUMBER_NONE)
    ol_lab_session_press(self->session, ol_table_item_get_number(item));
}

static GtkWidget *make_table(OlTableView *self)
{
  GtkSelectionModel *model =
      GTK_SELECTION_MODEL(gtk_no_selection_new(g_object_ref(G_LIST_MODEL(self->items))));
  GtkWidget *table = gtk_column_view_new(model);
  GtkWidget *scroller = ol_sideways_new(table, self->kind == OL_TABLE_SPANS);
  guint n;
  const OlTableColumn *columns = ol_table_columns(self->kind, &n);

  for (guint i = 0; i < n; i++) {
    GtkColumnViewColumn *column = make_column(i, &columns[i]);
    gtk_column_view_append_column(GTK_COLUMN_VIEW(table), column);
    g_object_unref(column);
  }
  self->columns = g_object_ref(gtk_column_view_get_columns(GTK_COLUMN_VIEW(table)));
  gtk_widget_add_css_class(table, "data-table");
  gtk_accessible_update_property(GTK_ACCESSIBLE(table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_table_title(self->kind), -1);
  g_signal_connect_swapped(table, "activate", G_CALLBACK(on_activated), self);
  /* As wide as its columns: it would take room beyond them for an overshoot. */
  gtk_scrolled_window_set_propagate_natural_width(GTK_SCROLLED_WINDOW(scroller), TRUE);
  gtk_widget_set_halign(scroller, GTK_ALIGN_START);
  if (self->kind == OL_TABLE_SPANS)
    gtk_widget_add_css_class(scroller, "long-table");
  return scroller;
}

static void dispose(GObject *object)
{
  OlTableView *self = OL_TABLE_VIEW(object);

  g_clear_handle_id(&self->refresh_source, g_source_remove);
  g_clear_object(&self->columns);
  g_clear_object(&self->items);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_table_view_parent_class)->dispose(object);
}

static void ol_table_view_class_init(OlTableViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->map = map;
  widget_class->unmap = unmap;
  widget_class->focus = focus;
}

static void ol_table_view_init(OlTableView *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "table-view");
  self->items = g_list_store_new(OL_TYPE_TABLE_ITEM);
  self->note = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(self->note, TRUE);
  gtk_label_set_xalign(self->note, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->note), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->note), "dim-label");
}

/* The note, and beside it the way to a file. */
static GtkWidget *make_foot(OlTableView *self)
{
  GtkWidget *foot = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *save = gtk_button_new_with_label(_("Save as CSV…"));
  g_autofree char *name =
      g_strdup_printf(_("Save the table “%s” as CSV"), ol_table_title(self->kind));

  gtk_actionable_set_action_name(GTK_ACTIONABLE(save), "win.save-table");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(save), "s", ol_table_nick(self->kind));
  gtk_widget_add_css_class(save, "flat");
  gtk_widget_add_css_class(save, "table-button");
  gtk_widget_set_valign(save, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(save), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_hexpand(GTK_WIDGET(self->note), TRUE);
  gtk_box_append(GTK_BOX(foot), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(foot), save);
  gtk_widget_add_css_class(foot, "table-foot");
  return foot;
}

GtkWidget *ol_table_view_new(OlTableKind kind, OlLabSession *session)
{
  static const char *const signals[] = {"run-shown",      "grown",          "view-changed",
                                        "rank-changed",   "cursor-changed", "updated",
                                        "compare-changed"};
  OlTableView *self = g_object_new(OL_TYPE_TABLE_VIEW, NULL);

  self->kind = kind;
  self->session = g_object_ref(session);
  gtk_box_append(GTK_BOX(self), make_table(self));
  gtk_box_append(GTK_BOX(self), make_foot(self));
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(queue_refresh), self,
                            G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
