/* The block that did not fit (ol_moment_refusal()): how it looks and what is said of it, alike in
 * every view. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/moment.h"

G_BEGIN_DECLS

/* A ghost: hatched in the payload's colour, in a broken outline of the capacity's. */
void ol_refused_draw(OlCanvas *canvas, OlBox box, OlPayload payload);

/* "no room for 2.00 MiB". Caller frees. */
char *ol_refused_dup_brief(const OlChartView *view, const OlRefusal *refusal);
/* "no room for 2.00 MiB of activations". Caller frees. */
char *ol_refused_dup_words(const OlChartView *view, const OlRefusal *refusal);
/* "There was no room for 2.00 MiB more of activations on GPU." Caller frees. */
char *ol_refused_dup_sentence(const OlChartView *view, const OlRefusal *refusal);

G_END_DECLS
