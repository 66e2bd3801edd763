/* The peak of a row of Memory over time: a dot, and its name above the row. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/memory-layout.h"

G_BEGIN_DECLS

/* "peak 18.1 MiB of weights, block 5": of a payload, or (-1) of all; `when` 0: of no unit. Caller
 * frees. */
char *ol_memory_peak_dup_words(const OlChartView *view, gint64 bytes, gint64 when, int payload);

void ol_memory_peak_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier);
/* Where the name stands; FALSE: it is not drawn. */
gboolean ol_memory_peak_find(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row,
                             OlTier tier, OlBox *box);

G_END_DECLS
