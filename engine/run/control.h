/* The hand on a live run: pause, resume, one node at a time, speed, stop. Any thread may call. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct OlControl OlControl;

OlControl *ol_control_new(void);
OlControl *ol_control_ref(OlControl *control);
void ol_control_unref(OlControl *control);

void ol_control_pause(OlControl *control);
void ol_control_resume(OlControl *control);
void ol_control_next(OlControl *control);                    /* pauses, and lets one node through */
void ol_control_set_speed(OlControl *control, double speed); /* 1: as modelled; 0.02 … 50 */
void ol_control_forbid_speed(OlControl *control); /* of a run that goes as fast as the machine */
void ol_control_stop(OlControl *control);

/* A line of the control stream: "pause", "resume", "next", "speed 0.5", "stop". FALSE with
 * OL_ERROR_BAD_INPUT and nothing changed when it is none of these, or asks for a speed where that
 * is forbidden. */
gboolean ol_control_command(OlControl *control, const char *line, GError **error);

gboolean ol_control_is_stopped(OlControl *control);
gboolean ol_control_was_touched(OlControl *control); /* paused, stepped or speed changed, ever */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlControl, ol_control_unref)

G_END_DECLS
