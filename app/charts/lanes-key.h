/* The line below What runs when that tells what its hatches and lines mean, as far as there is
 * room. */
#pragma once

#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout);
/* Strokes a path of lines as exposed transfers are hatched. */
void ol_lanes_key_stroke_exposed(OlCanvas *canvas);

G_END_DECLS
