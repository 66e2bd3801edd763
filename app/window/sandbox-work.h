/* The sandbox or the planner under way: the config being edited, what is wrong with it, its
 * forecast, and the runs made of it. No widgets: the page shows it and asks it to act.
 *
 * To the bench its runs are those of a lesson without a question, which gets one more each time. */
#pragma once

#include "app/sandbox/config-draft.h"
#include "app/sandbox/field-words.h"
#include "app/sandbox/forecast.h"
#include "app/window/lesson-work.h"

G_BEGIN_DECLS

#define OL_TYPE_SANDBOX_WORK (ol_sandbox_work_get_type())
G_DECLARE_FINAL_TYPE(OlSandboxWork, ol_sandbox_work, OL, SANDBOX_WORK, GObject)

/* Signals:
 *   "edited"      the draft, and what is wrong with it
 *   "forecast"    (OlForecast *, char *why) one of the two; see OlForecaster
 *   "simulating"  a simulation has begun, got further or ended
 *   "made"        (guint run) a simulation is there to be shown
 *   "refused"     (char *) why a file was not opened or not written: to stay until read
 *   "told"        (char *) something for a toast
 * What it is given must outlive it, but for `engine`. */
OlSandboxWork *ol_sandbox_work_new(OlFormKind kind, OlProgress *progress, const char *data_folder,
                                   OlEngineSlot *engine);

OlFormKind ol_sandbox_work_get_kind(OlSandboxWork *sandbox);
OlLessonWork *ol_sandbox_work_get_work(OlSandboxWork *sandbox);
const OlConfigDraft *ol_sandbox_work_get_draft(OlSandboxWork *sandbox);
GPtrArray *ol_sandbox_work_get_faults(OlSandboxWork *sandbox); /* NULL: it can be run */
gboolean ol_sandbox_work_is_forecasting(OlSandboxWork *sandbox);
/* Whether the last config that could stand has no forecast yet. */
gboolean ol_sandbox_work_is_behind(OlSandboxWork *sandbox);

void ol_sandbox_work_edit(OlSandboxWork *sandbox, guint key, const char *typed);
void ol_sandbox_work_pick_model(OlSandboxWork *sandbox, const char *name);
void ol_sandbox_work_undo(OlSandboxWork *sandbox);
void ol_sandbox_work_redo(OlSandboxWork *sandbox);
void ol_sandbox_work_reset(OlSandboxWork *sandbox);
/* FALSE, and refused, when the file is no config or cannot be written. */
gboolean ol_sandbox_work_open(OlSandboxWork *sandbox, const char *path);
gboolean ol_sandbox_work_save(OlSandboxWork *sandbox, const char *path);

/* Asks for the forecast of what is in the draft. */
void ol_sandbox_work_ask(OlSandboxWork *sandbox);

/* Runs the config as a lesson's, or simulates it at full size; `held`: waits for the first node to
 * be let through. FALSE, and told, when it cannot. */
gboolean ol_sandbox_work_run(OlSandboxWork *sandbox, gboolean held);
gboolean ol_sandbox_work_is_simulating(OlSandboxWork *sandbox);
void ol_sandbox_work_cancel(OlSandboxWork *sandbox);
/* "Planning", "Simulating": what it is at. Static. */
const char *ol_sandbox_work_get_part(OlSandboxWork *sandbox);

G_END_DECLS
