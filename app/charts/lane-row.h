/* One row of What runs when: the spans of a lane, or how busy it is where they are too many. */
#pragma once

#include "app/charts/plot.h"

G_BEGIN_DECLS

void ol_lane_row_draw(OlCanvas *canvas, const OlLanesLayout *layout, guint row);

G_END_DECLS
