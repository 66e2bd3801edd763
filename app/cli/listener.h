/* What may stop or steer a live run from outside: SIGINT and SIGTERM, and the control stream. */
#pragma once

#include "app/cli/input.h"
#include "engine/run/control.h"

G_BEGIN_DECLS

typedef struct OlListener OlListener;

/* Keeps SIGINT and SIGTERM from this thread and all that it starts from now on: to be called before
 * any other thread exists. The first signal stops the run, a second kills the process; before
 * ol_listener_run_begins() the first one kills it.
 * `input` (borrowed; may be NULL) is the control stream; its end stops the run. */
OlListener *ol_listener_start(OlControl *control, OlLines *input);

/* The same, when others start threads before it can listen: what comes meanwhile is heard then. */
void ol_listener_hold_signals(void);

/* From here on there is a run to be stopped in order. */
void ol_listener_run_begins(OlListener *listener);

/* Under mpirun, which sends the signals itself, to each of its processes: that need not be said. */
void ol_listener_be_quiet(OlListener *listener);

/* Waits for the listening thread to end. */
void ol_listener_stop(OlListener *listener);

G_END_DECLS
