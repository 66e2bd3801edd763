#include "app/window/chart-frame.h"

#include "app/window/chart-cursor.h"
#include "app/window/hot-spots.h"

static gboolean has_hot_spots(OlChart chart, OlChartRun run)
{
  return run == OL_RUN_SHOWN && chart != OL_CHART_SLICES;
}

GtkWidget *ol_chart_frame_new(OlChart chart, OlChartRun run, OlLabSession *session)
{
  GtkWidget *frame = gtk_overlay_new(), *area = ol_chart_area_new(chart, run, session);

  gtk_overlay_set_child(GTK_OVERLAY(frame), area);
  if (ol_chart_is_timed(chart))
    gtk_overlay_add_overlay(GTK_OVERLAY(frame), ol_chart_cursor_new(OL_CHART_AREA(area)));
  if (has_hot_spots(chart, run))
    gtk_overlay_add_overlay(GTK_OVERLAY(frame), ol_hot_spots_new(OL_CHART_AREA(area)));
  gtk_widget_add_css_class(frame, "card");
  gtk_widget_add_css_class(frame, "chart-card");
  gtk_widget_set_overflow(frame, GTK_OVERFLOW_HIDDEN);
  return frame;
}
