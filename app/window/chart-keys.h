/* The keys on a chart, as actions of its class: assistive technology has them by name. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

/* What a key does, a notch of the wheel does too. */
#define OL_CHART_ZOOM_STEP 1.25
#define OL_CHART_PAN_STEP  0.1 /* of the range */

void ol_chart_keys_install(GtkWidgetClass *class);
void ol_chart_keys_attach(OlChartArea *area);

G_END_DECLS
