/* Rows of Memory over time: a row a tier for every rank that is unfolded, and the GPU's alone, to
 * one scale, for every other. */
#pragma once

#include "app/charts/moment.h"
#include "app/charts/rank-groups.h"

G_BEGIN_DECLS

typedef struct {
  double top, bottom; /* of the scale: `scale` bytes above 0 */
  double hair;        /* the least height of what is not nothing */
  gint64 scale, peak, peak_ns, capacity;
  gboolean used;
  gboolean to_capacity; /* the scale reaches to the capacity, or beyond it for what did not fit */
  gboolean trifling;    /* … of which a hairline is in use */
  OlRefusal refusal;    /* of a block of this tier, or of a folded rank's any; bytes 0: none */
} OlMemoryRow;

typedef struct {
  OlPlot plot;
  double key_y; /* of the line above the groups, with several ranks */
  OlRankGroups groups;
  OlMemoryRow rows[OL_MOST_GROUPS][OL_N_TIERS];
  OlMemoryRow summaries[OL_MOST_GROUPS]; /* of the GPU, when folded */
  double top, bottom;
} OlMemoryLayout;

void ol_memory_layout_init(OlMemoryLayout *layout, OlCanvas *canvas);
double ol_memory_layout_height(OlCanvas *canvas);
double ol_memory_layout_most(OlCanvas *canvas); /* up to which it grows */

static inline double ol_memory_row_y(const OlMemoryRow *row, gint64 bytes)
{
  double share = row->scale > 0 ? (double)bytes / (double)row->scale : 0;
  double height = (row->bottom - row->top) * share;
  return row->bottom - (share > 0 ? MAX(height, row->hair) : 0);
}

G_END_DECLS
