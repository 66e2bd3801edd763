/* Where the boxes of Where the bytes are stand: in a row, with lines of text broken when that is
 * narrow, or one below the other when it is narrower still for its text. Several ranks stand side
 * by side, each with its boxes below one another, as long as they fit. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

#define OL_N_LINKS 4

typedef struct {
  OlBox box;                          /* with its frame; width 0: left out */
  OlBox interior;                     /* its width is the capacity */
  double head_y, amount_y, caption_y; /* middles of the lines of text; of the caption's first */
  gboolean beside;                    /* the amount stands in the head's line, at its right end */
  OlTextRole amount_role;
  int amount_lines; /* 2: what it holds above `second_y`, its capacity there */
  double second_y;
  int caption_lines;
  double text_width;
} OlTierPlace;

typedef struct {
  OlLane lane;
  OlBox track;     /* width 0: left out; blocks travel along its longer side */
  gboolean onward; /* towards larger x or y: away from the GPU */
  double label_x, label_y, label_width;
  double queue_y; /* of the line that tells what waits; 0: it stands in the label's */
} OlLinkPlace;

typedef struct {
  guint rank;
  OlBox panel;     /* of one of several ranks; width 0: the only one drawn */
  double title_y;  /* of the panel's */
  gboolean column; /* links run down, not to the right */
  OlTierPlace tiers[3];
  OlLinkPlace links[OL_N_LINKS];
} OlTiersLayout;

/* How many ranks are drawn: all, or the selected one alone. */
guint ol_tiers_layout_count(OlCanvas *canvas);
/* Of the i-th of these. */
void ol_tiers_layout_init(OlTiersLayout *layout, OlCanvas *canvas, guint i);
double ol_tiers_layout_height(OlCanvas *canvas);
double ol_tiers_layout_most(OlCanvas *canvas); /* up to which it grows */

G_END_DECLS
