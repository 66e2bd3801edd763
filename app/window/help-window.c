#include "app/window/help-window.h"

#include "app/window/escape.h"
#include "app/window/fold-row.h"
#include "app/window/help-text.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include <adwaita.h>

#define DATA    "help-page"
#define WIDE_EM 46 /* room for the list and a page */

#define OL_TYPE_HELP_WINDOW (ol_help_window_get_type())
G_DECLARE_FINAL_TYPE(OlHelpWindow, ol_help_window, OL, HELP_WINDOW, AdwWindow)

struct _OlHelpWindow {
  AdwWindow parent_instance;
  GPtrArray *pages; /* OlHelpPage */
  AdwLeaflet *leaflet;
  GtkListBox *list;
  GtkWidget *scroller, *back;
  AdwBin *page;
  guint fold_source;
};

G_DEFINE_FINAL_TYPE(OlHelpWindow, ol_help_window, ADW_TYPE_WINDOW)

void ol_help_set_page(GtkWidget *widget, const char *id)
{
  g_object_set_data(G_OBJECT(widget), DATA, (gpointer)id);
}

const char *ol_help_find_page(GtkWidget *widget)
{
  const char *id = NULL;

  for (; widget && !id; widget = gtk_widget_get_parent(widget))
    id = g_object_get_data(G_OBJECT(widget), DATA);
  return id;
}

/* ---- a page ---- */

static GtkWidget *make_point(const char *text)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *mark =
      g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "label",
                   "•", "valign", GTK_ALIGN_START, NULL);

  gtk_widget_add_css_class(mark, "help-mark");
  gtk_box_append(GTK_BOX(row), mark);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(ol_words_label_new(text, NULL)));
  return row;
}

static GtkWidget *make_keys(const OlHelpPart *part)
{
  GtkWidget *keys = gtk_shortcut_label_new(part->keys);
  GtkWidget *row;

  gtk_widget_set_valign(keys, GTK_ALIGN_CENTER);
  gtk_widget_set_halign(keys, GTK_ALIGN_START);
  row = ol_fold_row_new(GTK_WIDGET(ol_words_label_new(_(part->text), NULL)), keys);
  gtk_widget_add_css_class(row, "shortcut-row");
  return row;
}

static GtkWidget *make_part(const OlHelpPart *part)
{
  switch (part->kind) {
  case OL_HELP_POINT:
    return make_point(_(part->text));
  case OL_HELP_KEYS:
    return make_keys(part);
  default:
    return GTK_WIDGET(ol_words_label_new(_(part->text), NULL));
  }
}

static GtkWidget *make_page(const OlHelpPage *page)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(column, "help-column");
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(ol_words_label_new(_(page->title), "title-2")));
  for (guint i = 0; i < page->parts->len; i++)
    gtk_box_append(GTK_BOX(column), make_part(g_ptr_array_index(page->parts, i)));
  return column;
}

static void on_row_selected(OlHelpWindow *self, GtkListBoxRow *row)
{
  if (!row)
    return;
  const OlHelpPage *page = g_ptr_array_index(self->pages, gtk_list_box_row_get_index(row));
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW(self->scroller);

  adw_bin_set_child(self->page, make_page(page));
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(scroller), 0);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->scroller), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _(page->title), -1);
}

/* ---- the window ---- */

static void show_page(OlHelpWindow *self)
{
  adw_leaflet_navigate(self->leaflet, ADW_NAVIGATION_DIRECTION_FORWARD);
  gtk_widget_grab_focus(self->scroller); /* arrows and Page Down turn it */
}

static void on_back(OlHelpWindow *self)
{
  adw_leaflet_navigate(self->leaflet, ADW_NAVIGATION_DIRECTION_BACK);
  gtk_widget_grab_focus(GTK_WIDGET(gtk_list_box_get_selected_row(self->list)));
}

static gboolean show_back(gpointer data)
{
  OlHelpWindow *self = data;

  self->fold_source = 0;
  gtk_widget_set_visible(self->back, adw_leaflet_get_folded(self->leaflet));
  return G_SOURCE_REMOVE;
}

/* Not while the window lays itself out. */
static void on_folded(OlHelpWindow *self)
{
  if (!self->fold_source)
    self->fold_source = g_idle_add_full(G_PRIORITY_HIGH_IDLE, show_back, self, NULL);
}

static void dispose(GObject *object)
{
  g_clear_handle_id(&OL_HELP_WINDOW(object)->fold_source, g_source_remove);
  G_OBJECT_CLASS(ol_help_window_parent_class)->dispose(object);
}

static void finalize(GObject *object)
{
  g_clear_pointer(&OL_HELP_WINDOW(object)->pages, g_ptr_array_unref);
  G_OBJECT_CLASS(ol_help_window_parent_class)->finalize(object);
}

static void ol_help_window_class_init(OlHelpWindowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
}

static GtkWidget *make_list(OlHelpWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();

  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "navigation-sidebar");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Pages"), -1);
  g_signal_connect_swapped(self->list, "row-selected", G_CALLBACK(on_row_selected), self);
  g_signal_connect_swapped(self->list, "row-activated", G_CALLBACK(show_page), self);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->list));
  gtk_widget_add_css_class(scroller, "help-list");
  return scroller;
}

static GtkWidget *make_reader(OlHelpWindow *self)
{
  self->scroller = gtk_scrolled_window_new();
  self->page = ADW_BIN(adw_bin_new());
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scroller), GTK_WIDGET(self->page));
  gtk_widget_set_hexpand(self->scroller, TRUE);
  gtk_widget_set_focusable(self->scroller, TRUE);
  gtk_widget_add_css_class(self->scroller, "help-page");
  return self->scroller;
}

static GtkWidget *make_header(OlHelpWindow *self)
{
  GtkWidget *header = adw_header_bar_new();

  self->back = gtk_button_new_from_icon_name("go-previous-symbolic");
  gtk_widget_set_tooltip_text(self->back, _("All pages"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->back), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("All pages"), -1);
  gtk_widget_set_visible(self->back, FALSE);
  g_signal_connect_swapped(self->back, "clicked", G_CALLBACK(on_back), self);
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), self->back);
  return header;
}

static void ol_help_window_init(OlHelpWindow *self)
{
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *reader = make_reader(self);

  self->leaflet = ADW_LEAFLET(adw_leaflet_new());
  adw_leaflet_append(self->leaflet, make_list(self));
  adw_leaflet_page_set_navigatable(
      adw_leaflet_append(self->leaflet, gtk_separator_new(GTK_ORIENTATION_VERTICAL)), FALSE);
  adw_leaflet_append(self->leaflet, reader);
  gtk_widget_set_vexpand(GTK_WIDGET(self->leaflet), TRUE);
  gtk_box_append(GTK_BOX(content), make_header(self));
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->leaflet));
  adw_window_set_content(ADW_WINDOW(self), content);
  gtk_window_set_title(GTK_WINDOW(self), _("Help"));
  ol_escape_closes(GTK_WIDGET(self));
  g_signal_connect_swapped(self->leaflet, "notify::folded", G_CALLBACK(on_folded), self);
}

static void add_pages(OlHelpWindow *self, const char *page)
{
  for (guint i = 0; i < self->pages->len; i++) {
    const OlHelpPage *each = g_ptr_array_index(self->pages, i);
    gtk_list_box_append(self->list, GTK_WIDGET(ol_words_label_new(_(each->title), NULL)));
  }
  guint first = ol_help_pages_find(self->pages, page);
  gtk_list_box_select_row(self->list, gtk_list_box_get_row_at_index(self->list, (int)first));
}

/* As large as two columns of words, as far as the parent has the room. */
static void choose_size(GtkWindow *self, GtkWidget *parent)
{
  PangoContext *context = gtk_widget_get_pango_context(parent);
  PangoFontMetrics *metrics = pango_context_get_metrics(context, NULL, NULL);
  int em = pango_font_metrics_get_height(metrics) / PANGO_SCALE;

  pango_font_metrics_unref(metrics);
  gtk_window_set_default_size(self, MIN((WIDE_EM + 6) * em, gtk_widget_get_width(parent)),
                              MIN(36 * em, gtk_widget_get_height(parent)));
}

gboolean ol_help_window_show(GtkWindow *parent, const char *data_folder, const char *page,
                             GError **error)
{
  GPtrArray *pages = ol_help_pages_load(data_folder, error);
  OlHelpWindow *self;

  if (!pages)
    return FALSE;
  self =
      g_object_new(OL_TYPE_HELP_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE, NULL);
  self->pages = pages;
  add_pages(self, page);
  choose_size(GTK_WINDOW(self), GTK_WIDGET(parent));
  gtk_window_present(GTK_WINDOW(self));
  show_page(self);
  return TRUE;
}
