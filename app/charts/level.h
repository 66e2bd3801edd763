/* Level of detail of a lane: what to draw of its spans at a given width. A span that is wide
 * enough is an item of its own; narrower ones become columns of a pixel each with the share of it
 * that is busy, runs of like columns merged. The cost depends on the width, not on the spans. */
#pragma once

#include "app/charts/columns.h"

G_BEGIN_DECLS

typedef struct {
  double x0, x1;
  int span; /* index in the trace, or -1: a run of columns */
  OlPayload payload;
  gboolean aside; /* fill and hash, not part of a step */
  double busy;    /* share of each column's time; 1 for a span */
} OlLevelItem;

/* Items in order of x. Caller unrefs. What is walked over on the way is kept in `columns`; NULL: it
 * is not. */
GArray *ol_level_items(const OlChartView *view, OlLane lane, const OlPlot *plot,
                       OlColumns *columns);

/* The colour of a span: what it moves, or what it makes. */
OlPayload ol_level_span_payload(const OlTrace *trace, guint span);

G_END_DECLS
