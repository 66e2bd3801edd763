/* One run, one hand: what rank 0 is commanded all ranks do. Pause, resume and speed are passed on.
 * For `next`, which begins the first node of all in plan order, rank 0 asks every rank where its
 * next node is, and gives leave to the one that has the first; not again before that has told its
 * next. The main threads see to this, some tens of times a second. */
#include "engine/run/remote-private.h"

#include "engine/run/control-private.h"

/* A place that is not known: it may be the first. */
#define UNKNOWN 0

/* Nodes are numbered from 1 on: a place of 0 is none. */
static guint64 first_here(const OlRemote *remote)
{
  guint64 first = ol_pace_get_first(remote->executor->pace);
  return first == OL_PACE_NO_MORE ? first : first + 1;
}

/* Before the first meeting lanes have not all said where they stand. */
static gboolean stands(const OlRemote *remote)
{
  return atomic_load(&remote->met) > 0;
}

/* 0 before that clock has been started, after the second meeting. */
static gint64 modelled_here(const OlRemote *remote)
{
  OlControl *control = remote->executor->options.control;
  if (atomic_load(&remote->met) <= 2)
    return 0;
  pthread_mutex_lock(&control->lock);
  ol_control_rebase(control);
  gint64 modelled = control->modelled_ns;
  pthread_mutex_unlock(&control->lock);
  return modelled;
}

/* Modelled time stands still while paused, but for the nodes that are stepped through. */
static void catch_up(OlControl *control, gint64 modelled_ns)
{
  pthread_mutex_lock(&control->lock);
  ol_control_rebase(control);
  if (control->paused && control->modelled_ns < modelled_ns)
    control->modelled_ns = control->limit_ns = modelled_ns;
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
}

/* How far the ranks are that have told. */
static gint64 modelled_anywhere(OlRemote *remote)
{
  pthread_mutex_lock(&remote->lock);
  gint64 modelled = remote->modelled_ns;
  pthread_mutex_unlock(&remote->lock);
  return modelled;
}

static gboolean take_token(OlControl *control)
{
  pthread_mutex_lock(&control->lock);
  gboolean taken = control->paused && control->tokens > 0;
  if (taken)
    control->tokens--;
  pthread_mutex_unlock(&control->lock);
  return taken;
}

/* ---- rank 0 ---- */

static gboolean note_commands(OlRemote *remote, OlControl *control)
{
  pthread_mutex_lock(&control->lock);
  gboolean pauses = control->paused != remote->paused;
  gboolean changed = pauses || control->speed != remote->speed;
  remote->paused = control->paused;
  remote->speed = control->speed;
  pthread_mutex_unlock(&control->lock);
  return changed;
}

static void forget_places(OlRemote *remote)
{
  pthread_mutex_lock(&remote->lock);
  remote->commands++;
  for (guint rank = 0; rank < remote->n; rank++)
    remote->places[rank] = UNKNOWN;
  pthread_mutex_unlock(&remote->lock);
  ol_pace_set_first_elsewhere(remote->executor->pace, UNKNOWN);
}

static void pass_on(OlRemote *remote)
{
  OlNote note = {OL_NOTE_CONTROL, .id = remote->paused, .first = remote->commands,
                 .begin_ns = modelled_anywhere(remote), .speed = remote->speed};
  ol_remote_tell_all(remote, &note, NULL, 0);
}

/* Of another rank; its place is unknown from then on, until it tells the next. */
static void give_leave(OlRemote *remote, guint rank)
{
  gint64 modelled = modelled_here(remote);
  pthread_mutex_lock(&remote->lock);
  remote->places[rank] = UNKNOWN;
  remote->modelled_ns = MAX(remote->modelled_ns, modelled);
  OlNote note = {OL_NOTE_NEXT, .begin_ns = remote->modelled_ns};
  pthread_mutex_unlock(&remote->lock);
  ol_pace_set_first_elsewhere(remote->executor->pace, UNKNOWN);
  ol_remote_tell(remote, rank, &note, NULL, 0);
}

/* The rank that has the first node, of the others. */
static guint find_first_rank(OlRemote *remote, guint64 *place)
{
  guint first = 1;
  pthread_mutex_lock(&remote->lock);
  for (guint rank = 2; rank < remote->n; rank++)
    if (remote->places[rank] < remote->places[first])
      first = rank;
  *place = remote->places[first];
  pthread_mutex_unlock(&remote->lock);
  return first;
}

static void steer_steps(OlRemote *remote)
{
  OlExecutor *executor = remote->executor;
  guint64 place;
  guint rank = find_first_rank(remote, &place);
  if (place == UNKNOWN)
    return;
  catch_up(executor->options.control, modelled_anywhere(remote));
  ol_pace_set_first_elsewhere(executor->pace, place == OL_PACE_NO_MORE ? place : place - 1);
  if (place < first_here(remote) && take_token(executor->options.control))
    give_leave(remote, rank);
}

/* ---- the others ---- */

static gboolean is_paused(OlRemote *remote)
{
  pthread_mutex_lock(&remote->lock);
  gboolean paused = remote->paused;
  pthread_mutex_unlock(&remote->lock);
  return paused;
}

/* Rank 0 is told once of each place, and again when it has given leave. */
static void tell_place(OlRemote *remote)
{
  if (!is_paused(remote) || !stands(remote))
    return;
  guint64 place = first_here(remote);
  gint64 modelled = modelled_here(remote);
  pthread_mutex_lock(&remote->lock);
  gboolean news = remote->places[remote->rank] != place;
  remote->places[remote->rank] = place;
  OlNote note = {OL_NOTE_PLACE, .id = remote->commands, .first = place, .begin_ns = modelled};
  pthread_mutex_unlock(&remote->lock);
  if (news)
    ol_remote_tell(remote, 0, &note, NULL, 0);
}

void ol_remote_hear_control(OlRemote *remote, const OlNote *note)
{
  OlControl *control = remote->executor->options.control;
  catch_up(control, note->begin_ns);
  if (note->id)
    ol_control_pause(control);
  else
    ol_control_resume(control);
  ol_control_set_speed(control, note->speed);
  pthread_mutex_lock(&remote->lock);
  remote->paused = (gboolean)note->id;
  remote->commands = (guint)note->first;
  remote->places[remote->rank] = UNKNOWN;
  pthread_mutex_unlock(&remote->lock);
}

/* What was told before a later command says nothing any more. */
void ol_remote_hear_place(OlRemote *remote, guint from, const OlNote *note)
{
  pthread_mutex_lock(&remote->lock);
  if (note->id == remote->commands)
    remote->places[from] = note->first;
  remote->modelled_ns = MAX(remote->modelled_ns, note->begin_ns);
  pthread_mutex_unlock(&remote->lock);
}

void ol_remote_hear_next(OlRemote *remote, const OlNote *note)
{
  OlControl *control = remote->executor->options.control;
  catch_up(control, note->begin_ns);
  ol_control_next(control);
}

void ol_remote_steer(OlRemote *remote)
{
  if (remote->rank > 0) {
    tell_place(remote);
    return;
  }
  if (note_commands(remote, remote->executor->options.control)) {
    forget_places(remote);
    pass_on(remote);
  }
  if (remote->paused && stands(remote))
    steer_steps(remote);
}

/* A pause from the beginning is heard before anybody begins. */
void ol_remote_begin_steering(OlRemote *remote)
{
  if (remote->rank > 0)
    return;
  ol_pace_set_first_elsewhere(remote->executor->pace, UNKNOWN);
  ol_remote_steer(remote);
}
