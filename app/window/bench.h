/* The bench: which run, what became of it, the three charts one above the other, and the details
 * line. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_BENCH (ol_bench_get_type())
G_DECLARE_FINAL_TYPE(OlBench, ol_bench, OL, BENCH, GtkBox)

GtkWidget *ol_bench_new(OlLabSession *session);
/* Narrow: the header has no room for what is modelled, and the bench says it. Short: the runs and
 * what can be done with them scroll away with the charts. */
void ol_bench_set_room(OlBench *bench, gboolean is_narrow, gboolean is_short);
/* Where a short bench has room for charts or what is above them, it is the charts, and keys are
 * theirs. */
void ol_bench_show_charts(OlBench *bench);
/* In logical pixels; 0 while the bench is out of sight. */
int ol_bench_get_charts_width(OlBench *bench);

G_END_DECLS
