/* The loop that simulator and scale clock share: when each node of a step begins and is due, in
 * modelled ns here. A lane is busy until, a node starts when its lane and its waits allow. */
#pragma once

#include "engine/run/cost.h"

G_BEGIN_DECLS

typedef struct OlTimetable OlTimetable;

/* Of nodes that last as ol_costs_ns() says. `floor_ns`: real cost of each node or NULL: then a node
 * ends at the later of begin + floor and its due, and lateness is end minus due. Costs and floor
 * are borrowed and outlive the timetable. */
OlTimetable *ol_timetable_new(const OlGraph *graph, const OlCosts *costs, double slowdown,
                              const gint64 *floor_ns);
void ol_timetable_free(OlTimetable *timetable);

/* Keeps when nodes begin, too; without it ol_timetable_begin() is NULL. */
void ol_timetable_keep_begin(OlTimetable *timetable);

/* Computes the nodes of `part` once more: steps must be asked in order. begin, due and end:
 * [nodes], borrowed until the next call; entries of other parts are stale. */
void ol_timetable_advance(OlTimetable *timetable, OlPart part);
const gint64 *ol_timetable_begin(const OlTimetable *timetable);
const gint64 *ol_timetable_due(const OlTimetable *timetable);
const gint64 *ol_timetable_end(const OlTimetable *timetable);
gint64 ol_timetable_lateness(const OlTimetable *timetable); /* largest so far */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlTimetable, ol_timetable_free)

G_END_DECLS
