/* The links of Where the bytes are: blocks that travel while a copy runs, its direction and rate,
 * and how many copies wait for the link. */
#pragma once

#include "app/charts/tiers-layout.h"

G_BEGIN_DECLS

void ol_tiers_link_draw(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link);
/* Where its rate and what waits are written: OlNumberSpot (chart-rooms.h). */
void ol_tiers_link_numbers(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link,
                           GArray *numbers);

G_END_DECLS
