/* Real buttons, without a look of their own, over what a chart draws to be pressed: the cells of
 * the grid of ranks, the names of ranks that fold, and numbers. So they can be reached by Tab,
 * walked by arrow keys, and are read by assistive technology with name and state. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

#define OL_TYPE_HOT_SPOTS (ol_hot_spots_get_type())
G_DECLARE_FINAL_TYPE(OlHotSpots, ol_hot_spots, OL, HOT_SPOTS, GtkWidget)

/* To be laid over the area, as large as it. The area must live as long. */
GtkWidget *ol_hot_spots_new(OlChartArea *area);

G_END_DECLS
