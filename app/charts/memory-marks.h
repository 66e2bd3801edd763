/* In Memory over time: what the selected span holds and uses, or the selected buffer, outlined in
 * the stack. */
#pragma once

#include "app/charts/memory-layout.h"

G_BEGIN_DECLS

/* Of the view's rank, in the row of a tier; `steps` as the row was drawn with (memory-steps.h). */
void ol_memory_marks_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier,
                          const GArray *steps);

G_END_DECLS
