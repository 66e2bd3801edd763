/* One real run, made by a child process: `offload-lab-cli run - --events - --control`. A crash or a
 * kill of the engine can so never take the learner's work with it.
 *
 * Bytes arrive whenever they like and are kept; they are read into the trace only by
 * ol_engine_process_drain(), which the window calls once a frame. */
#pragma once

#include "engine/trace/events.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define OL_TYPE_ENGINE_PROCESS (ol_engine_process_get_type())
G_DECLARE_FINAL_TYPE(OlEngineProcess, ol_engine_process, OL, ENGINE_PROCESS, GObject)

/* Signal "ended": the child is gone and all it said has been read. */
OlEngineProcess *ol_engine_process_new(void);

/* Starts the child with this config (JSON on one line) and the first commands, each on a line of
 * its own ("" for none): they are there before the run begins. OL_ERROR_DEVICE when it cannot be
 * started; the message says which program was tried. */
gboolean ol_engine_process_start(OlEngineProcess *process, const char *config, const char *commands,
                                 GError **error);

/* Sends a command (contracts.md: pause, resume, next, speed). One that is gone does not hear it. */
void ol_engine_process_tell(OlEngineProcess *process, const char *command);

/* Asks the child to stop; one that does not within a few seconds is ended by force. */
void ol_engine_process_stop(OlEngineProcess *process);

/* Reads what has come. TRUE when there was something. */
gboolean ol_engine_process_drain(OlEngineProcess *process);

/* As far as it goes; NULL at first. Borrowed. */
OlTrace *ol_engine_process_get_trace(OlEngineProcess *process);

/* After "ended": NULL when the run came to an end that it told of itself, else one sentence on how
 * the child was lost. Caller frees. */
char *ol_engine_process_dup_fate(OlEngineProcess *process);
/* What the child said on standard error; "" when nothing. Borrowed. */
const char *ol_engine_process_get_complaints(OlEngineProcess *process);

/* $OFFLOAD_LAB_CLI, else the build tree's when run from it, else the one beside this program.
 * Caller frees. */
char *ol_engine_process_dup_program(void);

G_END_DECLS
