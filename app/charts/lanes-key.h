/* The lines below What runs when that tell what its hatches and lines mean: as many as they need.
 */
#pragma once

#include "app/charts/lanes-layout.h"

G_BEGIN_DECLS

/* How many lines there are, below a plot that begins at `plot_left`; something has run. */
guint ol_lanes_key_count_lines(OlCanvas *canvas, double plot_left);
void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout);
/* Where the idle share stands; FALSE: none is told. */
gboolean ol_lanes_key_find_idle(OlCanvas *canvas, const OlLanesLayout *layout, OlBox *box);
/* Strokes a path of lines as exposed transfers are hatched. */
void ol_lanes_key_stroke_exposed(OlCanvas *canvas);

G_END_DECLS
