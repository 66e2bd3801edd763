/* Rows of What runs when: the time axis, a row a lane for every rank that is unfolded, a single one
 * for every other, and what is hidden. Middles and heights in cairo units. */
#pragma once

#include "app/charts/rank-groups.h"

G_BEGIN_DECLS

typedef struct {
  OlPlot plot;
  double ticks_y; /* of the labels of the time axis */
  double top, bottom;
  OlRankGroups groups;
  guint n_lanes; /* of an unfolded rank */
  double row, bar;
  double summary_bar; /* of a folded rank's row */
  double rows_bottom; /* of the last group */
  double hidden_y, hidden_bar;
  double key_y; /* of the first line that tells what hatches and lines mean; 0: nothing has run */
  double key_line; /* from one of these lines to the next */
} OlLanesLayout;

void ol_lanes_layout_init(OlLanesLayout *layout, OlCanvas *canvas);
double ol_lanes_layout_height(OlCanvas *canvas);
double ol_lanes_layout_most(OlCanvas *canvas); /* up to which it grows */

/* The middle of a lane's row in an unfolded group. */
double ol_lanes_layout_y(const OlLanesLayout *layout, const OlRankGroup *group, OlLane lane);
/* Where a rank's spans of a lane are drawn: the bar of its row, or for compute the folded rank's
 * summary. FALSE when they are nowhere. */
gboolean ol_lanes_layout_bar(const OlLanesLayout *layout, guint rank, OlLane lane, double *top,
                             double *height);
/* The lane whose row lies at y, or -1. */
int ol_lanes_layout_lane_at(const OlLanesLayout *layout, const OlRankGroup *group, double y);

/* Stages wait for each other: their bubbles are marked. */
gboolean ol_lanes_layout_has_bubbles(const OlChartView *view);

G_END_DECLS
