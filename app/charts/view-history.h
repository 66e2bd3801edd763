/* The ranges that have been looked at, to go back to and forward again, as a browser does with
 * pages. Turns of a wheel that follow each other closely are one step back. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 begin_ns, end_ns;
} OlSight;

typedef struct {
  GArray *back, *forward; /* OlSight, the nearest last */
  gint64 noted_us;        /* when the latest change was */
} OlViewHistory;

void ol_view_history_init(OlViewHistory *history);
void ol_view_history_clear(OlViewHistory *history); /* frees */
void ol_view_history_forget(OlViewHistory *history);

/* Before a change away from `from`; `now_us` on any clock that does not go back. */
void ol_view_history_note(OlViewHistory *history, OlSight from, gint64 now_us);

/* The range to go to from `from`. FALSE: there is none. */
gboolean ol_view_history_go_back(OlViewHistory *history, OlSight from, OlSight *to);
gboolean ol_view_history_go_forward(OlViewHistory *history, OlSight from, OlSight *to);

G_END_DECLS
