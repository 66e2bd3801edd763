/* A learner's progress, and whether the disk has it: a save that failed is tried again by itself.
 * No widgets. */
#pragma once

#include "lessons/progress.h"
#include <glib-object.h>

G_BEGIN_DECLS

#define OL_TYPE_PROGRESS_KEEPER (ol_progress_keeper_get_type())
G_DECLARE_FINAL_TYPE(OlProgressKeeper, ol_progress_keeper, OL, PROGRESS_KEEPER, GObject)

/* Signals: "changed" (whether and why something is not saved), "recovered" (all is saved, which it
 * was not). `error`: what is wrong with the learner's file, as ol_progress_load(). */
OlProgressKeeper *ol_progress_keeper_new(const char *learner, GError **error);
OlProgress *ol_progress_keeper_get(OlProgressKeeper *keeper);

/* Why the disk does not have all of it, or NULL. */
const char *ol_progress_keeper_get_why(OlProgressKeeper *keeper);
/* Tries once more, now. */
gboolean ol_progress_keeper_save(OlProgressKeeper *keeper);

G_END_DECLS
