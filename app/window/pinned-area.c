#include "app/window/pinned-area.h"

#include "app/charts/pinned.h"
#include "app/window/chart-frame.h"
#include "engine/base/intl.h"

struct _OlPinnedArea {
  GtkBox parent_instance;
  OlChart chart;
  OlLabSession *session;
  GtkLabel *caption;
};

G_DEFINE_FINAL_TYPE(OlPinnedArea, ol_pinned_area, GTK_TYPE_BOX)

/* Which steps begin at the same place, where times are compared. */
static char *dup_caption(OlPinnedArea *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  const char *title = ol_lab_session_get_pinned_title(self->session);
  int step = ol_pinned_step(view);

  if (!ol_chart_is_timed(self->chart) || step < 0)
    return g_strdup_printf(_("Pinned: %s"), title);
  return g_strdup_printf(_("Pinned: %s · step %d of both begins at the same place"), title,
                         step + 1);
}

static void refresh(OlPinnedArea *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  gboolean there = view->pinned && !view->pinned->overlay && self->chart != OL_CHART_LOSS &&
                   self->chart != OL_CHART_RANKS && self->chart != OL_CHART_SLICES;
  g_autofree char *caption = NULL;

  gtk_widget_set_visible(GTK_WIDGET(self), there);
  if (!there)
    return;
  caption = dup_caption(self);
  gtk_label_set_text(self->caption, caption);
}

/* While the view moves, another step may begin at the same place. */
static void on_view_changed(OlPinnedArea *self)
{
  if (gtk_widget_get_visible(GTK_WIDGET(self)))
    refresh(self);
}

static void dispose(GObject *object)
{
  OlPinnedArea *self = OL_PINNED_AREA(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_pinned_area_parent_class)->dispose(object);
}

static void ol_pinned_area_class_init(OlPinnedAreaClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_pinned_area_init(OlPinnedArea *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "pinned-area");
}

GtkWidget *ol_pinned_area_new(OlChart chart, OlLabSession *session)
{
  static const char *const signals[] = {"run-shown", "compare-changed", "updated"};
  OlPinnedArea *self = g_object_new(OL_TYPE_PINNED_AREA, NULL);
  GtkWidget *frame = ol_chart_frame_new(chart, OL_RUN_PINNED, session);

  self->chart = chart;
  self->session = g_object_ref(session);
  self->caption = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->caption, 0);
  gtk_label_set_wrap(self->caption, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->caption), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->caption), "dim-label");
  gtk_widget_add_css_class(frame, "pinned-card");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->caption));
  gtk_box_append(GTK_BOX(self), frame);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "view-changed", G_CALLBACK(on_view_changed), self,
                          G_CONNECT_SWAPPED);
  refresh(self);
  return GTK_WIDGET(self);
}
