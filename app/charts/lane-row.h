/* One row of What runs when: the spans of a lane, or how busy it is where they are too many. */
#pragma once

#include "app/charts/columns.h"
#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

/* Of the view's rank; nothing where its group has no such row. `columns` as in ol_level_items(). */
void ol_lane_row_draw(OlCanvas *canvas, const OlLanesLayout *layout, OlLane lane,
                      OlColumns *columns);

G_END_DECLS
