/* Which figures a late run spoils. Private to lessons/. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "busy.gpu" of "rank.1.busy.gpu" and "all.busy.gpu". */
const char *ol_metric_skip_rank(const char *metric);
/* Whether it is measured with a clock: seconds, and shares of them. */
gboolean ol_metric_is_time(const char *metric);

G_END_DECLS
