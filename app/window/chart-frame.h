/* A chart in its card, with what lies above it: the cursor of a time chart and, on the run on the
 * bench, buttons where it shows ranks. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

GtkWidget *ol_chart_frame_new(OlChart chart, OlChartRun run, OlLabSession *session);

G_END_DECLS
