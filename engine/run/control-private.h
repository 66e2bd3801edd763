/* What a run shares with its control: the gate before each node and the modelled clock. */
#pragma once

#include "engine/run/control.h"
#include <pthread.h>

G_BEGIN_DECLS

struct OlControl {
  gatomicrefcount ref_count;
  pthread_mutex_t lock; /* guards all below, and every OlPace of this control */
  pthread_cond_t changed;
  gboolean paused, stopped, touched;
  gboolean stepping;  /* paused, and `next` was asked since: nodes that have begun may end */
  guint tokens;       /* nodes that may begin although paused */
  double speed;       /* modelled ns a machine ns */
  gboolean one_speed; /* the machine's own: nothing is modelled */

  /* Modelled time was modelled_ns when the machine's clock said machine_ns. While paused it goes no
   * further than limit_ns. */
  gint64 modelled_ns, machine_ns, limit_ns;
};

/* With the lock held. */
gint64 ol_control_modelled_ns(const OlControl *control, gint64 now_ns);
/* Counts on from now, so that a change of rate or limit does not touch the past. */
void ol_control_rebase(OlControl *control);

G_END_DECLS
