/* The drawing of the pinned run's chart: a picture to look at. What can be done is done with the
 * shown run's chart above it. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_PINNED_CHART (ol_pinned_chart_get_type())
G_DECLARE_FINAL_TYPE(OlPinnedChart, ol_pinned_chart, OL, PINNED_CHART, GtkWidget)

GtkWidget *ol_pinned_chart_new(OlChart chart, OlLabSession *session);
/* Another run, another height, other words. */
void ol_pinned_chart_refresh(OlPinnedChart *chart);

G_END_DECLS
