/* What a layer of memory is made of: buffers, each held from one moment to another, stacked in the
 * order in which they were acquired. Looks at every memory change of the trace: for a selection,
 * not for every frame. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct OlChartView OlChartView;

typedef struct {
  guint buffer;
  gint64 begin_ns, end_ns; /* end G_MAXINT64: held until the end of what is known */
  gint64 bytes;
} OlHeld;

/* For so long a buffer lies so many bytes above its layer's bottom. */
typedef struct {
  gint64 begin_ns, end_ns, offset;
} OlHeldPiece;

/* What the view's rank holds of a payload `offset` bytes above the layer's bottom; FALSE: nothing
 * there. */
gboolean ol_held_at(const OlChartView *view, OlTier tier, OlPayload payload, gint64 time_ns,
                    gint64 offset, OlHeld *held);
/* The buffer as held at a moment; FALSE: it is not held then. */
gboolean ol_held_find(const OlTrace *trace, guint buffer, gint64 time_ns, OlHeld *held);
/* The one of its payload and tier acquired next after (`by` 1) or before it (-1); FALSE: none. */
gboolean ol_held_neighbour(const OlTrace *trace, const OlHeld *from, int by, OlHeld *held);

/* Pieces of OlHeldPiece, in order of time. Caller unrefs. */
GArray *ol_held_pieces_new(const OlTrace *trace, const OlHeld *held);

G_END_DECLS
