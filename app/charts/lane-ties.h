/* In What runs when, above the spans: arrows from what the selected span waited for and to what
 * waited for it; the spans that made and freed a selected buffer; the critical path; and, while a
 * run is held, the node about to run. */
#pragma once

#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

void ol_lane_ties_draw(OlCanvas *canvas, const OlLanesLayout *layout);
void ol_lane_path_draw(OlCanvas *canvas, const OlLanesLayout *layout);
void ol_lane_next_draw(OlCanvas *canvas, const OlLanesLayout *layout);

/* Where a span is drawn, wherever its rank's lanes are folded to; FALSE: its rank has no group. */
gboolean ol_lane_ties_place(const OlCanvas *canvas, const OlLanesLayout *layout, guint rank,
                            OlLane lane, double *middle, double *height);

G_END_DECLS
