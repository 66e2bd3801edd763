/* What belongs to what is selected, both ways: of a span what it waited for, what waited for it and
 * which buffers it held; of a buffer in a layer of memory, which spans made and freed it. Worked
 * out once, when the selection changes. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* More of a kind than these are not told: arrows would hide what they point at. */
#define OL_MOST_TIES 48u

struct OlTies {
  int span;                /* selected, or -1 */
  gboolean is_layer;       /* a buffer is selected in a layer of memory */
  OlHeld layer;            /* this one */
  GArray *waits, *waiters; /* guint: spans */
  GArray *held;            /* OlHeld: the span's own, or the layer */
  int made, freed;         /* spans of the layer, or -1 */
  guint
      uses[OL_N_TIERS]; /* bits of payloads that the span reads or writes where they are at home */
};

/* Of a span. The index must know it. */
OlTies *ol_ties_new_of_span(const OlChartView *view, int span);
/* Of a buffer, as it was seen at `time_ns`: what lives for the whole run is filled and drained over
 * and over, and the last filling before and the first draining after that moment count. */
OlTies *ol_ties_new_of_layer(const OlChartView *view, const OlHeld *layer, gint64 time_ns);
void ol_ties_free(OlTies *ties);

/* "Activations of 2.6 MiB on GPU, from 0.51 s to 0.68 s · made by: … · freed by: …" of a layer.
 * Caller frees. */
char *ol_ties_dup_words(const OlChartView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlTies, ol_ties_free)

G_END_DECLS
