/* The pace of one run under a control. Two questions are asked of it: may this node begin (the
 * gate), and is it due (the hold). Nodes are numbered by their place in plan order over the whole
 * run, so that `next` lets through the one that comes first, whichever lane it is on. */
#pragma once

#include "engine/run/control.h"

G_BEGIN_DECLS

typedef struct OlPace OlPace;

#define OL_PACE_NO_MORE G_MAXUINT64 /* the place of a lane's next node when it has none left */

/* `control` is borrowed. */
OlPace *ol_pace_new(OlControl *control, guint n_lanes);
void ol_pace_free(OlPace *pace);

/* Tells where a lane stands before its first node. */
void ol_pace_set_next(OlPace *pace, guint lane, guint64 place);

/* What a lane that must not sleep for long does meanwhile, some thousand times a second: the lane
 * that looks after what other processes say. */
typedef struct {
  void (*look)(gpointer data);
  gpointer data;
} OlPaceLook;
void ol_pace_set_look(OlPace *pace, guint lane, const OlPaceLook *look); /* before it runs */

/* The place of the first node that begins next here. While paused, none here begins unless it lies
 * before `place`, which is elsewhere; OL_PACE_NO_MORE, as at first, for nowhere. */
guint64 ol_pace_get_first(OlPace *pace);
void ol_pace_set_first_elsewhere(OlPace *pace, guint64 place);

/* Waits until the lane's next node may begin; `following` is the place of the one after it. FALSE
 * when stopped or closed. */
gboolean ol_pace_pass(OlPace *pace, guint lane, guint64 following);

/* Modelled time is 0 now, or was or will be at that time of the machine's clock. */
void ol_pace_start(OlPace *pace);
void ol_pace_start_at(OlPace *pace, gint64 machine_ns);

/* Waits until modelled time is due_ns, within some tens of µs. `late_ns` is what it is past that
 * when it returns. FALSE when stopped or closed. */
gboolean ol_pace_hold(OlPace *pace, guint lane, gint64 due_ns, gint64 *late_ns);

/* Wakes whoever waits here, for good. */
void ol_pace_close(OlPace *pace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlPace, ol_pace_free)

G_END_DECLS
