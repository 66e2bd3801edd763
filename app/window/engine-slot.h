/* One run at a time in the whole window, since two would slow each other: who has the engine now.
 * Kept in a reference-counted box (g_rc_box), since a run may outlive the window by a little. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gconstpointer user; /* NULL: it is free */
} OlEngineSlot;

static inline gboolean ol_engine_slot_take(OlEngineSlot *slot, gconstpointer user)
{
  if (slot->user)
    return FALSE;
  slot->user = user;
  return TRUE;
}

static inline void ol_engine_slot_leave(OlEngineSlot *slot, gconstpointer user)
{
  if (slot->user == user)
    slot->user = NULL;
}

G_END_DECLS
