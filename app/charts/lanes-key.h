/* The line below What runs when that tells what its hatches and lines mean, as far as there is
 * room. */
#pragma once

#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout);
/* How exposed transfers look, in a box. */
void ol_lanes_key_paint_exposed(OlCanvas *canvas, OlBox box);

G_END_DECLS
