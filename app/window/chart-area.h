/* One chart, of the run on the bench or of the pinned one beside it: draws what app/charts says,
 * takes the pointer and keys, and tells the session. Both lie on one time axis, so that what moves
 * one moves the other. The cursor is drawn by a widget of its own above it (chart-cursor.h), so
 * that following the pointer never redraws a heavy chart. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CHART_AREA (ol_chart_area_get_type())
G_DECLARE_FINAL_TYPE(OlChartArea, ol_chart_area, OL, CHART_AREA, GtkWidget)

typedef enum { OL_RUN_SHOWN, OL_RUN_PINNED } OlChartRun;

GtkWidget *ol_chart_area_new(OlChart chart, OlChartRun run, OlLabSession *session);

OlChart ol_chart_area_get_chart(OlChartArea *area);
OlChartRun ol_chart_area_get_run(OlChartArea *area);
OlLabSession *ol_chart_area_get_session(OlChartArea *area);
/* What is drawn, in the times of its own run. Borrowed; until the session tells of a change. While
 * nothing is pinned, and so no pinned chart is seen, that one has the shown run's. */
const OlChartView *ol_chart_area_get_view(OlChartArea *area);
/* The session's time, which is the shown run's, minus that of the run that is drawn. */
gint64 ol_chart_area_get_offset_ns(OlChartArea *area);
/* Borrowed; until the desktop's look changes. */
const OlChartStyle *ol_chart_area_get_style(OlChartArea *area);

/* The moment at a place, as the session counts it, and what lies there. */
gint64 ol_chart_area_time_at(OlChartArea *area, double x);
OlChartHit ol_chart_area_hit(OlChartArea *area, double x, double y);
/* Drags the prediction to x; FALSE, when it `begins`, where there is none to take hold of. */
gboolean ol_chart_area_guess(OlChartArea *area, double x, double y, gboolean begins);
/* The cursor goes there, and the details line speaks of what lies there. */
void ol_chart_area_point(OlChartArea *area, double x, double y);

G_END_DECLS
