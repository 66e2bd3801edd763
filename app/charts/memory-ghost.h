/* In Memory over time: the block that did not fit, on top of what was held when it was refused. */
#pragma once

#include "app/charts/memory-layout.h"

G_BEGIN_DECLS

/* In the row of the tier that refused it; nothing in any other, nor while the moment is out of
 * sight. */
void ol_memory_ghost_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row);
/* The same in a folded rank's line, which shows its GPU; of another tier only words. */
void ol_memory_ghost_draw_folded(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row);

G_END_DECLS
