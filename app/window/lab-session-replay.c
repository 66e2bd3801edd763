/* A run opened from a file takes the bench without touching the lesson: it is no evidence of
 * anything, and the lesson's runs are there again at a click. */
#include "app/window/lab-session-private.h"

void ol_lab_session_open_replay(OlLabSession *self, OlReplay *replay)
{
  OlReplay *old = self->replay;

  self->replay = replay;
  self->on_replay = FALSE;
  ol_lab_session_show_replay(self);
  ol_replay_free(old);
}

void ol_lab_session_show_replay(OlLabSession *self)
{
  if (!self->replay || self->on_replay)
    return;
  self->on_replay = TRUE;
  self->was_live = FALSE;
  ol_lab_session_catch_up(self);
  ol_lab_session_emit(self, OL_SESSION_UPDATED);
}

void ol_lab_session_close_replay(OlLabSession *self)
{
  OlReplay *old = g_steal_pointer(&self->replay);

  self->on_replay = FALSE;
  self->was_live = FALSE;
  ol_lab_session_catch_up(self);
  ol_lab_session_emit(self, OL_SESSION_UPDATED);
  ol_replay_free(old);
}

const OlReplay *ol_lab_session_get_replay(OlLabSession *self)
{
  return self->replay;
}

gboolean ol_lab_session_is_on_replay(OlLabSession *self)
{
  return self->on_replay;
}
