/* One row of What runs when: the spans of a lane, or how busy it is where they are too many. */
#pragma once

#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

/* Of the view's rank; nothing where its group has no such row. */
void ol_lane_row_draw(OlCanvas *canvas, const OlLanesLayout *layout, OlLane lane);

G_END_DECLS
