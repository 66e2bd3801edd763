/* The cursor, the marked range and the hovered span's outline, above a time chart. It is redrawn
 * with the pointer; the chart below it is not. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

#define OL_TYPE_CHART_CURSOR (ol_chart_cursor_get_type())
G_DECLARE_FINAL_TYPE(OlChartCursor, ol_chart_cursor, OL, CHART_CURSOR, GtkWidget)

GtkWidget *ol_chart_cursor_new(OlChartArea *area);

G_END_DECLS
