/* Which part of a run is in sight: arithmetic on a view's range. Its trace and index are not NULL,
 * except for ol_view_move() and ol_view_set_range(), which do nothing then. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* In sight of a run that has no step to go by yet. */
#define OL_VIEW_FIRST_SIGHT_NS (600 * 1000 * 1000)

/* The last steps, when there are enough to show what every step looks like; else everything. */
void ol_view_fit_steps(OlChartView *view);
/* A window of constant length whose right edge is the newest moment. */
void ol_view_follow(OlChartView *view);
/* What holds a chart: the moment under the fingers, and how long the range was when they came. */
typedef struct {
  gint64 at_ns, length_ns;
} OlViewGrip;
OlViewGrip ol_view_take(const OlChartView *view, gint64 at_ns);
/* They are now at this share of the range and `spread` times as far apart (1: they only moved):
 * what they hold stays under them, as near as the run allows. */
void ol_view_move(OlChartView *view, const OlViewGrip *grip, double share, double spread);

/* As near to this as the run allows, and the pinned one: never outside both, never too short to
 * draw. */
void ol_view_set_range(OlChartView *view, gint64 begin_ns, gint64 length_ns);

G_END_DECLS
