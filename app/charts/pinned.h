/* The pinned run: kept to be compared with the one that is shown. Both lie on one time axis, on
 * which the same step begins at the same place: the first step that begins in sight of the shown
 * one, or the last of all. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

/* The shown run's time minus the pinned one's. 0 where they have no step in common, or none is
 * pinned. */
gint64 ol_pinned_offset_ns(const OlChartView *view);
/* The step that both begin at the same place, or -1. */
int ol_pinned_step(const OlChartView *view);

/* Where the pinned run ends on the shown one's axis; 0 when none is pinned, or a second is not as
 * long for both. */
gint64 ol_pinned_end_ns(const OlChartView *view);

/* The pinned run's view beside the shown one: same axis, units and rank, nothing selected (see
 * twin.h). `back` is filled with the shown run, so that both are drawn to the same scales; it and
 * what `view` points at must outlive the result. view->pinned is not NULL. */
OlChartView ol_pinned_view(const OlChartView *view, OlPinnedRun *back);

/* The highest that the other of two compared runs held on a tier, as far as it has such a rank; 0
 * when there is none. In bytes of the shown one's machine. */
gint64 ol_pinned_peak(const OlChartView *view, OlTier tier);

/* One second here is as long for both, and so is a byte. */
gboolean ol_pinned_has_same_scale(const OlChartView *view);

/* What is drawn over a chart for a pinned run that lies behind it. */
void ol_overlay_draw(OlChart chart, OlCanvas *canvas);
/* "dash-dot: run 1": what of the chart is the pinned run's; "" when nothing is. Caller frees. */
char *ol_overlay_dup_key(OlChart chart, const OlChartView *view);

G_END_DECLS
