#include "app/window/bench.h"

#include "app/window/bench-status.h"
#include "app/window/chart-card.h"
#include "app/window/compare-button.h"
#include "app/window/figures-pane.h"
#include "app/window/fold-row.h"
#include "app/window/op-bar.h"
#include "app/window/origin-badge.h"
#include "app/window/run-note.h"
#include "app/window/run-tabs.h"
#include "app/window/scale-button.h"
#include "engine/base/intl.h"

#define FIRST_CHART       (-2) /* pointed at, whichever it is */
#define FRAMES_TO_LAY_OUT 3

struct _OlBench {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkWidget *live, *scale;
  GtkWidget *top, *tools; /* above the charts, or scrolling away with them */
  GtkWidget *scroller, *column, *cards[OL_N_CHARTS];
  GtkWidget *ops, *status, *foot;
  GtkLabel *details;
  gboolean is_short; /* little height: what is not a chart makes room */
  guint tick;
  guint frames_to_scroll; /* to what is pointed at */
  double scrolled_to;     /* to see it */
  int pointed;            /* the chart that shows it, or -1: it follows from what is marked */
};

G_DEFINE_FINAL_TYPE(OlBench, ol_bench, GTK_TYPE_BOX)

/* What the engine has told is read here, once a frame. */
static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  OlLessonWork *work = ol_lab_session_get_work(OL_BENCH(widget)->session);

  ol_lesson_runs_drain(ol_lesson_work_get_runs(work));
  return G_SOURCE_CONTINUE;
}

static void refresh_foot(OlBench *self)
{
  gtk_widget_set_visible(self->foot, *gtk_label_get_text(self->details) != '\0' ||
                                         (self->is_short && gtk_widget_get_visible(self->live)));
}

static void refresh_live(OlBench *self)
{
  gtk_widget_set_visible(self->live, ol_lab_session_is_live(self->session) &&
                                         !ol_lab_session_is_following(self->session));
  refresh_foot(self);
}

/* Whether a line of it fits below the charts, between paddings that are less than its height. */
static gboolean fits_line(OlBench *self, const char *text)
{
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(GTK_WIDGET(self->details), text);
  int width, height, live = 0;

  if (self->is_short && gtk_widget_get_visible(self->live))
    gtk_widget_measure(self->live, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &live, NULL, NULL);
  pango_layout_get_pixel_size(layout, &width, &height);
  return width + 2 * height + live <= gtk_widget_get_width(GTK_WIDGET(self));
}

/* What can be done is told in one line: its last parts go where there is no room. */
static void cut_to_line(OlBench *self, char *text)
{
  char *last = text;

  while (last && *text && !fits_line(self, text)) {
    last = g_strrstr(text, " · ");
    *(last ? last : text) = '\0';
  }
}

static void refresh_details(OlBench *self)
{
  g_autofree char *text = ol_lab_session_dup_details(self->session);

  if (!ol_lab_session_has_details(self->session))
    cut_to_line(self, text);
  gtk_label_set_text(self->details, text);
  refresh_foot(self);
}

static void on_updated(OlBench *self)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  gboolean busy = ol_lesson_runs_get_busy(ol_lesson_work_get_runs(work)) >= 0;

  if (busy && !self->tick)
    self->tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), on_tick, NULL, NULL);
  if (!busy && self->tick) {
    gtk_widget_remove_tick_callback(GTK_WIDGET(self), self->tick);
    self->tick = 0;
  }
  refresh_live(self);
  refresh_details(self);
}

static GtkWidget *first_card(OlBench *self)
{
  int i = 0;

  while (i + 1 < OL_N_CHARTS && !gtk_widget_get_visible(self->cards[i]))
    i++;
  return self->cards[i];
}

/* The card that shows what is pointed at. */
static GtkWidget *pointed_card(OlBench *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  gboolean in_lanes = view->shown_lane >= 0 || view->selected_span >= 0;

  if (self->pointed >= 0)
    return self->cards[self->pointed];
  if (self->pointed == FIRST_CHART) /* but what went wrong comes before it */
    return gtk_widget_get_visible(self->status) ? self->status : first_card(self);
  return self->cards[in_lanes ? OL_CHART_LANES : OL_CHART_TIERS];
}

/* As little as brings all of it into sight, or its top when it is too high for that. */
static gboolean scroll_to_pointed(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  OlBench *self = OL_BENCH(widget);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(self->scroller));
  double value = gtk_adjustment_get_value(place), page = gtk_adjustment_get_page_size(place);
  graphene_rect_t card;

  if (--self->frames_to_scroll > 0)
    return G_SOURCE_CONTINUE;
  if (!gtk_widget_compute_bounds(pointed_card(self), self->column, &card))
    return G_SOURCE_REMOVE;
  value = MAX(value, card.origin.y + card.size.height - page);
  gtk_adjustment_set_value(place, MIN(value, card.origin.y));
  self->scrolled_to = gtk_adjustment_get_value(place);
  return G_SOURCE_REMOVE;
}

/* What is pointed at may just have been unfolded: frames lay it out before another one scrolls.
 */
static void scroll_soon(OlBench *self, int pointed)
{
  if (self->frames_to_scroll == 0)
    gtk_widget_add_tick_callback(GTK_WIDGET(self), scroll_to_pointed, NULL, NULL);
  self->frames_to_scroll = FRAMES_TO_LAY_OUT;
  self->pointed = pointed;
}

static void on_pointed(OlBench *self)
{
  scroll_soon(self, ol_lab_session_get_pointed(self->session));
}

static void on_live_clicked(OlBench *self)
{
  ol_lab_session_follow(self->session);
}

int ol_bench_get_charts_width(OlBench *self)
{
  GtkWidget *last = self->cards[OL_CHART_LANES];

  return gtk_widget_get_mapped(last) ? gtk_widget_get_width(last) : 0;
}

static void set_css_class(GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

/* The frames of the charts say where these come from, as those of a picture do. */
static void refresh_frames(OlBench *self)
{
  const OlTrace *trace = ol_lab_session_get_view(self->session)->trace;

  set_css_class(self->column, "simulated", trace && trace->source == OL_SOURCE_SIMULATED);
  set_css_class(self->column, "replayed", trace && trace->replayed);
}

/* Of a run that begins there is nothing to see but its charts. */
static void on_run_shown(OlBench *self)
{
  refresh_details(self);
  refresh_frames(self);
  if (self->is_short && ol_lab_session_is_live(self->session))
    scroll_soon(self, FIRST_CHART);
}

/* What the run tells may take another line above the charts, which do not give way to it. */
static void on_column_changed(OlBench *self, GtkAdjustment *place)
{
  if (self->is_short && self->pointed == FIRST_CHART && ol_lab_session_is_live(self->session) &&
      gtk_adjustment_get_value(place) == self->scrolled_to)
    scroll_soon(self, FIRST_CHART);
}

void ol_bench_show_charts(OlBench *self)
{
  if (!self->is_short)
    return;
  gtk_widget_child_focus(gtk_widget_get_last_child(first_card(self)), GTK_DIR_TAB_FORWARD);
  scroll_soon(self, FIRST_CHART);
}

static void move_to(GtkWidget *child, GtkWidget *box, gboolean to_begin)
{
  GtkWidget *from = gtk_widget_get_parent(child);

  if (from == box)
    return;
  g_object_ref(child);
  if (from)
    gtk_box_remove(GTK_BOX(from), child);
  if (to_begin)
    gtk_box_prepend(GTK_BOX(box), child);
  else
    gtk_box_append(GTK_BOX(box), child);
  g_object_unref(child);
}

/* The way back to a live run stays in sight when the top does not. */
void ol_bench_set_room(OlBench *self, gboolean is_narrow, gboolean is_short)
{
  gtk_widget_set_visible(self->scale, is_narrow);
  self->is_short = is_short;
  ol_op_bar_set_short(OL_OP_BAR(self->ops), is_short);
  move_to(self->top, is_short ? self->column : GTK_WIDGET(self), TRUE);
  move_to(self->live, is_short ? self->foot : self->tools, FALSE);
  if (!is_short)
    gtk_box_reorder_child_after(GTK_BOX(self->tools), self->live,
                                gtk_widget_get_first_child(self->tools));
  refresh_details(self);
}

static GtkWidget *make_figures_button(void)
{
  GtkWidget *button = gtk_toggle_button_new_with_label(_("Figures"));

  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.figures");
  gtk_widget_set_tooltip_text(button, _("All figures of the run, and what differs (Ctrl+I)"));
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  return button;
}

static void make_live(OlBench *self)
{
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append(GTK_BOX(content), gtk_image_new_from_icon_name("media-record-symbolic"));
  gtk_box_append(GTK_BOX(content), gtk_label_new(_("Live")));
  self->live = gtk_button_new();
  gtk_button_set_child(GTK_BUTTON(self->live), content);
  gtk_widget_add_css_class(self->live, "live");
  gtk_widget_set_tooltip_text(self->live, _("Follow the run again (End)"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->live), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Live: follow the run again"), -1);
  g_signal_connect_swapped(self->live, "clicked", G_CALLBACK(on_live_clicked), self);
  gtk_widget_set_visible(self->live, FALSE);
}

/* The runs, and beside them or below what can be done with the one on the bench. */
static GtkWidget *make_top(OlBench *self)
{
  GtkWidget *tools = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *top = ol_fold_row_new(ol_run_tabs_new(self->session), tools);

  self->tools = tools;
  make_live(self);
  gtk_widget_add_css_class(top, "bench-top");
  gtk_widget_add_css_class(tools, "bench-tools");
  gtk_widget_set_halign(tools, GTK_ALIGN_END);
  gtk_box_append(GTK_BOX(tools), ol_origin_badge_new(self->session));
  gtk_box_append(GTK_BOX(tools), self->live);
  gtk_box_append(GTK_BOX(tools), ol_compare_button_new(self->session));
  gtk_box_append(GTK_BOX(tools), make_figures_button());
  return top;
}

static GtkWidget *make_charts(OlBench *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->scroller = scroller;
  self->column = column;
  gtk_widget_add_css_class(column, "charts");
  self->scale = ol_scale_button_new(self->session);
  gtk_widget_set_visible(self->scale, FALSE);
  gtk_box_append(GTK_BOX(column), self->scale);
  self->status = ol_bench_status_new(self->session);
  gtk_box_append(GTK_BOX(column), self->status);
  gtk_box_append(GTK_BOX(column), ol_run_note_new(self->session));
  for (int i = 0; i < OL_N_CHARTS; i++) {
    self->cards[i] = ol_chart_card_new((OlChart)i, self->session);
    gtk_box_append(GTK_BOX(column), self->cards[i]);
  }
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), column);
  gtk_widget_set_vexpand(scroller, TRUE);
  g_signal_connect_object(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller)),
                          "changed", G_CALLBACK(on_column_changed), self, G_CONNECT_SWAPPED);
  return scroller;
}

/* Figures below the charts, so that both are in sight when one leads to the other. */
static GtkWidget *make_panes(OlBench *self)
{
  GtkWidget *panes = g_object_new(GTK_TYPE_PANED, "orientation", GTK_ORIENTATION_VERTICAL,
                                  "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);

  gtk_accessible_update_property(GTK_ACCESSIBLE(panes), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Charts and figures"), -1);
  gtk_paned_set_start_child(GTK_PANED(panes), make_charts(self));
  gtk_paned_set_end_child(GTK_PANED(panes), ol_figures_pane_new(self->session));
  gtk_paned_set_shrink_end_child(GTK_PANED(panes), TRUE);
  gtk_widget_set_vexpand(panes, TRUE);
  return panes;
}

/* The details line. */
static GtkWidget *make_foot(OlBench *self)
{
  self->foot = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->details =
      GTK_LABEL(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL));
  gtk_label_set_wrap(self->details, TRUE); /* the charts above end earlier, and do not move */
  gtk_label_set_xalign(self->details, 0);
  gtk_widget_set_hexpand(GTK_WIDGET(self->details), TRUE);
  gtk_widget_add_css_class(self->foot, "details");
  gtk_box_append(GTK_BOX(self->foot), GTK_WIDGET(self->details));
  return self->foot;
}

static void dispose(GObject *object)
{
  OlBench *self = OL_BENCH(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_bench_parent_class)->dispose(object);
}

static void ol_bench_class_init(OlBenchClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "bench");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static void ol_bench_init(OlBench *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Bench"),
                                 -1);
}

GtkWidget *ol_bench_new(OlLabSession *session)
{
  OlBench *self = g_object_new(OL_TYPE_BENCH, NULL);

  self->session = g_object_ref(session);
  self->top = make_top(self);
  gtk_box_append(GTK_BOX(self), self->top);
  self->ops = ol_op_bar_new(session);
  gtk_box_append(GTK_BOX(self), self->ops);
  gtk_box_append(GTK_BOX(self), make_panes(self));
  gtk_box_append(GTK_BOX(self), make_foot(self));
  g_signal_connect_object(session, "updated", G_CALLBACK(on_updated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "view-changed", G_CALLBACK(refresh_live), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "cursor-changed", G_CALLBACK(refresh_details), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "pointed", G_CALLBACK(on_pointed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(refresh_details), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(on_run_shown), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
