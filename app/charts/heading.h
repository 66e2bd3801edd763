/* The heading of a picture: what ran on what, where the figures come from, how it ended. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

void ol_heading_draw(OlCanvas *canvas, double x, double y, double width);
double ol_heading_height(const OlChartView *view, const OlChartStyle *style);

/* "GPT 2 B · 6 layers of width 128 · a100-pcie4": as far as the trace's config tells. */
char *ol_heading_dup_title(const OlTrace *trace);

G_END_DECLS
