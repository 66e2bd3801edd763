/* The sandbox and the planner as places of the window, beside the lessons: which of them is open,
 * its page in the window's left column, its actions, and files dropped on the window.
 *
 * Each function that asks about "the open one" says FALSE, and does nothing, while a lesson is. */
#pragma once

#include "app/window/lab-session.h"
#include "app/window/lesson-list.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_SANDBOX_N_PLACES 2
extern const OlLabPlace ol_sandbox_place_names[OL_SANDBOX_N_PLACES];

#define OL_TYPE_SANDBOX_PLACE (ol_sandbox_place_get_type())
G_DECLARE_FINAL_TYPE(OlSandboxPlace, ol_sandbox_place, OL, SANDBOX_PLACE, GObject)

/* Signals: "told" (char *: for a toast), "changed" (what can be done), "made" (something is on the
 * bench), "asks-for" (guint place: to be opened). What it is given must outlive it. */
OlSandboxPlace *ol_sandbox_place_new(OlLabSession *session, OlProgress *progress,
                                     const char *data_folder, OlEngineSlot *engine);
OlLessonWork *ol_sandbox_place_get_work(OlSandboxPlace *self, guint place);

/* The window's class installs these, and passes them on when they are activated. */
#define OL_SANDBOX_N_ACTIONS 5
extern const char *const ol_sandbox_place_actions[OL_SANDBOX_N_ACTIONS];
void ol_sandbox_place_act(OlSandboxPlace *self, const char *action);
/* Hands files that are dropped on the window to its action "win.open-file" (s: a path). */
void ol_sandbox_place_install(OlSandboxPlace *self, GtkWidget *window);
/* Into the open one; while a lesson is open, into the sandbox, which is asked for. */
void ol_sandbox_place_open_config(OlSandboxPlace *self, const char *path);
/* Its first child is the lesson's page; those of the places are added when first opened. */
void ol_sandbox_place_set_column(OlSandboxPlace *self, GtkStack *column);

/* The page of `work` comes in sight: a place's, else the lesson's. */
void ol_sandbox_place_open(OlSandboxPlace *self, OlLessonWork *work);
/* See ol_sandbox_page_set_short(). */
void ol_sandbox_place_set_short(OlSandboxPlace *self, gboolean is_short);
gboolean ol_sandbox_place_has_run_button(OlSandboxPlace *self);
gboolean ol_sandbox_place_refresh(OlSandboxPlace *self, gboolean busy);
gboolean ol_sandbox_place_run(OlSandboxPlace *self, gboolean held);
gboolean ol_sandbox_place_is_simulating(OlSandboxPlace *self);
void ol_sandbox_place_cancel(OlSandboxPlace *self);
gboolean ol_sandbox_place_grab(OlSandboxPlace *self);

G_END_DECLS
