/* What is to be said about a run that did not go well: out of memory with who holds what, failed,
 * or lost with the engine's own last words. Not there otherwise. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_BENCH_STATUS (ol_bench_status_get_type())
G_DECLARE_FINAL_TYPE(OlBenchStatus, ol_bench_status, OL, BENCH_STATUS, GtkBox)

GtkWidget *ol_bench_status_new(OlLabSession *session);

G_END_DECLS
