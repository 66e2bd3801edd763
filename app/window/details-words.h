/* What the line below the charts says. */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

/* What is marked (begin = end: nothing), hovered or selected, else what can be done. Caller frees.
 */
char *ol_details_dup_words(const OlChartView *view, gint64 marked_begin, gint64 marked_end);

G_END_DECLS
