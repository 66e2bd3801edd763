/* The peak of a row of Memory over time: a dot, and its name above the row. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/memory-layout.h"

G_BEGIN_DECLS

void ol_memory_peak_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier);
/* Where the name stands; FALSE: it is not drawn. */
gboolean ol_memory_peak_find(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row,
                             OlTier tier, OlBox *box);

G_END_DECLS
