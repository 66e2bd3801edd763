/* The groups that a time chart with several ranks has: one a rank, with a header, folded to a
 * single line or with all rows below it. With one rank there is one group and no header. */
#pragma once

#include "app/charts/plot.h"

G_BEGIN_DECLS

/* More ranks than this are shown by so many at a time: those around the selected one. */
#define OL_MOST_GROUPS 16u

typedef struct {
  guint rank;
  gboolean open;
  double top, bottom; /* of all of it */
  double body;        /* where its rows begin, below the header; when folded its bottom */
} OlRankGroup;

typedef struct {
  guint n;
  OlRankGroup items[OL_MOST_GROUPS];
  double head; /* height of a header, or 0 */
  double note; /* height of a line at the end that says which ranks these are, or 0 */
} OlRankGroups;

/* Chooses the groups; they have no places yet. */
void ol_rank_groups_choose(OlRankGroups *groups, const OlChartView *view, OlChart chart);
/* Stacks them from `top` on; returns the bottom, the note's included. */
double ol_rank_groups_place(OlRankGroups *groups, double top, double head, double body);
/* Heights of all groups together. */
double ol_rank_groups_height(const OlRankGroups *groups, double head, double body);
/* NULL when the rank has no group here. */
const OlRankGroup *ol_rank_groups_find(const OlRankGroups *groups, guint rank);
const OlRankGroup *ol_rank_groups_at(const OlRankGroups *groups, double y); /* or NULL */

/* Where a header can be pressed: its line, up to the plot. */
OlBox ol_rank_groups_spot(const OlRankGroups *groups, const OlRankGroup *group, const OlPlot *plot);
/* Arrow and name of a group, and at the right edge a figure (or NULL). */
void ol_rank_groups_draw_head(OlCanvas *canvas, const OlRankGroups *groups,
                              const OlRankGroup *group, const OlPlot *plot, const char *figure);
/* Where a group's figure stands: its line, right of the plot; width 0 with a single rank. */
OlBox ol_rank_groups_figure_box(const OlCanvas *canvas, const OlRankGroups *groups,
                                const OlRankGroup *group, const OlPlot *plot);
/* The note, and above the column of figures what they are. */
void ol_rank_groups_draw_note(OlCanvas *canvas, const OlRankGroups *groups, const OlPlot *plot);

G_END_DECLS
