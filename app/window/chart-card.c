#include "app/window/chart-card.h"

#include "app/charts/chart-text.h"
#include "app/window/chart-frame.h"
#include "app/window/fold-row.h"
#include "app/window/help-window.h"
#include "app/window/legend.h"
#include "app/window/pinned-area.h"
#include "app/window/table-view.h"
#include "engine/base/intl.h"

struct _OlChartCard {
  GtkBox parent_instance;
  OlChart chart;
  OlLabSession *session;
  GtkLabel *subtitle;
  GtkStack *stack; /* "chart" and, while asked for, "table" */
};

G_DEFINE_FINAL_TYPE(OlChartCard, ol_chart_card, GTK_TYPE_BOX)

/* "1.2 s shown of 4.8 s" */
static char *dup_range(OlLabSession *session)
{
  const OlChartView *view = ol_lab_session_get_view(session);
  g_autofree char *shown =
      ol_chart_view_dup_seconds(view, (double)(view->end_ns - view->begin_ns) / 1e9);
  g_autofree char *all =
      ol_chart_view_dup_seconds(view, (double)ol_trace_index_end_ns(view->index) / 1e9);

  if (view->is_stepping)
    return g_strdup(ol_lab_session_is_following(session) ? _("held; time spent waiting is left out")
                                                         : _("held, view held"));
  if (ol_lab_session_is_live(session))
    return g_strdup(ol_lab_session_is_following(session) ? _("live") : _("live, view held"));
  if (view->begin_ns <= 0 && view->end_ns >= ol_trace_index_end_ns(view->index))
    return g_strdup_printf(_("the whole run, %s"), all);
  return g_strdup_printf(_("%s of %s"), shown, all);
}

static void refresh(OlChartCard *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  g_autofree char *range =
      self->chart == OL_CHART_LANES && view->trace ? dup_range(self->session) : NULL;
  g_autofree char *subtitle = ol_chart_dup_subtitle(self->chart, view);
  g_autofree char *text =
      range && *subtitle ? g_strconcat(range, " · ", subtitle, NULL) : g_strdup(range);

  gtk_label_set_text(self->subtitle, text ? text : subtitle);
  gtk_widget_set_visible(GTK_WIDGET(self->subtitle), text || *subtitle);
  gtk_widget_set_visible(GTK_WIDGET(self), ol_chart_is_there(self->chart, view));
}

static GtkWidget *make_tables(OlChartCard *self)
{
  guint n;
  const OlTableKind *kinds = ol_chart_tables(self->chart, &n);
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(column, "card");
  gtk_widget_add_css_class(column, "chart-card");
  gtk_widget_set_overflow(column, GTK_OVERFLOW_HIDDEN);
  for (guint i = 0; i < n; i++)
    gtk_box_append(GTK_BOX(column), ol_table_view_new(kinds[i], self->session));
  return column;
}

/* Tables are many widgets, most of all to assistive technology: there while they are looked at. */
static void on_table_toggled(OlChartCard *self, GtkToggleButton *button)
{
  GtkWidget *tables = gtk_stack_get_child_by_name(self->stack, "table");

  if (gtk_toggle_button_get_active(button)) {
    gtk_stack_add_named(self->stack, make_tables(self), "table");
    gtk_stack_set_visible_child_name(self->stack, "table");
  } else {
    gtk_stack_set_visible_child_name(self->stack, "chart");
    gtk_stack_remove(self->stack, tables);
  }
}

static GtkWidget *make_table_button(OlChartCard *self)
{
  GtkWidget *button = gtk_toggle_button_new_with_label(_("Table"));
  g_autofree char *name = g_strdup_printf(_("%s as a table"), ol_chart_title(self->chart));

  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "table-button");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(button, _("The same in figures"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_table_toggled), self);
  return button;
}

static void on_folded(OlChartCard *self, GtkToggleButton *button)
{
  gboolean open = gtk_toggle_button_get_active(button);

  gtk_widget_set_visible(GTK_WIDGET(self->stack), open);
  gtk_image_set_from_icon_name(g_object_get_data(G_OBJECT(button), "arrow"),
                               open ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static GtkWidget *make_title(OlChartCard *self)
{
  GtkWidget *label = gtk_label_new(ol_chart_title(self->chart));
  GtkWidget *button, *line, *arrow;

  gtk_widget_add_css_class(label, "heading");
  if (self->chart != OL_CHART_SLICES)
    return label;
  /* Of use to one lesson: it can be put out of the way. */
  button = gtk_toggle_button_new();
  line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  arrow = g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                       "icon-name", "pan-down-symbolic", NULL);
  gtk_box_append(GTK_BOX(line), arrow);
  gtk_box_append(GTK_BOX(line), label);
  gtk_button_set_child(GTK_BUTTON(button), line);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "fold");
  g_object_set_data(G_OBJECT(button), "arrow", arrow);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_chart_title(self->chart), -1);
  gtk_accessible_update_state(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_STATE_EXPANDED, TRUE, -1);
  g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_folded), self);
  return button;
}

static GtkWidget *make_words(OlChartCard *self)
{
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->subtitle = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_wrap(self->subtitle, TRUE);
  gtk_label_set_xalign(self->subtitle, 0);
  gtk_widget_add_css_class(GTK_WIDGET(self->subtitle), "dim-label");
  gtk_widget_add_css_class(GTK_WIDGET(self->subtitle), "caption");
  gtk_widget_set_hexpand(GTK_WIDGET(self->subtitle), TRUE);
  gtk_widget_add_css_class(words, "chart-words");
  gtk_box_append(GTK_BOX(words), make_title(self));
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->subtitle));
  gtk_widget_set_hexpand(words, TRUE);
  return words;
}

/* The legend is beside title and subtitle or, where it is narrow, below them, as wide as the chart.
 */
static GtkWidget *make_line(OlChartCard *self, GtkWidget *words, GtkWidget *button)
{
  GtkWidget *line, *legend;

  if (self->chart == OL_CHART_TIERS) {
    legend = ol_legend_new(self->session);
    gtk_widget_set_valign(legend, GTK_ALIGN_CENTER);
    line = ol_fold_row_new(words, legend);
    ol_fold_row_set_end(OL_FOLD_ROW(line), button);
    return line;
  }
  line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append(GTK_BOX(line), words);
  gtk_box_append(GTK_BOX(line), button);
  return line;
}

static GtkWidget *make_title_row(OlChartCard *self)
{
  GtkWidget *words = make_words(self), *button = make_table_button(self);
  GtkWidget *row = make_line(self, words, button);

  gtk_widget_add_css_class(row, "chart-title");
  gtk_widget_set_valign(button, GTK_ALIGN_START);
  return row;
}

static void dispose(GObject *object)
{
  OlChartCard *self = OL_CHART_CARD(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_chart_card_parent_class)->dispose(object);
}

static void ol_chart_card_class_init(OlChartCardClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_chart_card_init(OlChartCard *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
}

static const char *const help_pages[OL_N_CHARTS] = {
    [OL_CHART_RANKS] = "ranks",   [OL_CHART_SLICES] = "ranks", [OL_CHART_TIERS] = "tiers",
    [OL_CHART_MEMORY] = "memory", [OL_CHART_LANES] = "lanes",  [OL_CHART_LOSS] = "loss"};

GtkWidget *ol_chart_card_new(OlChart chart, OlLabSession *session)
{
  static const char *const signals[] = {"run-shown",    "grown",   "view-changed",
                                        "rank-changed", "updated", "compare-changed"};
  OlChartCard *self = g_object_new(OL_TYPE_CHART_CARD, NULL);
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->chart = chart;
  self->session = g_object_ref(session);
  ol_help_set_page(GTK_WIDGET(self), help_pages[chart]);
  gtk_box_append(GTK_BOX(self), make_title_row(self));
  self->stack = GTK_STACK(gtk_stack_new());
  gtk_stack_set_vhomogeneous(self->stack, FALSE);
  gtk_box_append(GTK_BOX(both), ol_chart_frame_new(chart, OL_RUN_SHOWN, session));
  gtk_box_append(GTK_BOX(both), ol_pinned_area_new(chart, session));
  gtk_stack_add_named(self->stack, both, "chart");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->stack));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 ol_chart_title(chart), -1);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
