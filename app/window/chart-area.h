/* One chart: draws what app/charts says, takes the pointer and keys, and tells the session. The
 * cursor is drawn by a widget of its own above it (chart-cursor.h), so that following the pointer
 * never redraws a heavy chart. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CHART_AREA (ol_chart_area_get_type())
G_DECLARE_FINAL_TYPE(OlChartArea, ol_chart_area, OL, CHART_AREA, GtkWidget)

GtkWidget *ol_chart_area_new(OlChart chart, OlLabSession *session);

OlChart ol_chart_area_get_chart(OlChartArea *area);
OlLabSession *ol_chart_area_get_session(OlChartArea *area);
/* Borrowed; until the desktop's look changes. */
const OlChartStyle *ol_chart_area_get_style(OlChartArea *area);

/* The moment at a place, and what lies there. */
gint64 ol_chart_area_time_at(OlChartArea *area, double x);
OlChartHit ol_chart_area_hit(OlChartArea *area, double x, double y);

G_END_DECLS
