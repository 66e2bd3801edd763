#include "engine/run/pace.h"

#include "engine/base/clock.h"
#include "engine/run/control-private.h"
#include <sys/prctl.h>

/* How much later than asked the kernel may wake a sleeper: 50 µs, unless it is told otherwise. */
#define SLACK_NS 1000

#define LOOK_NS 100000 /* between two looks of a lane that looks meanwhile */

struct OlPace {
  OlControl *control;
  gboolean closed;
  guint n_lanes;
  guint64 first_elsewhere;
  guint64 *next;    /* [n_lanes]: place of the node that each lane begins next */
  OlPaceLook *look; /* [n_lanes]: what it does while it waits; no function: nothing */
};

OlPace *ol_pace_new(OlControl *control, guint n_lanes)
{
  OlPace *pace = g_new0(OlPace, 1);
  pace->control = control;
  pace->n_lanes = n_lanes;
  pace->first_elsewhere = OL_PACE_NO_MORE;
  pace->next = g_new(guint64, n_lanes);
  pace->look = g_new0(OlPaceLook, n_lanes);
  for (guint i = 0; i < n_lanes; i++)
    pace->next[i] = OL_PACE_NO_MORE;
  return pace;
}

void ol_pace_free(OlPace *pace)
{
  if (!pace)
    return;
  g_free(pace->next);
  g_free(pace->look);
  g_free(pace);
}

void ol_pace_set_look(OlPace *pace, guint lane, const OlPaceLook *look)
{
  pace->look[lane] = *look;
}

void ol_pace_set_next(OlPace *pace, guint lane, guint64 place)
{
  pthread_mutex_lock(&pace->control->lock);
  pace->next[lane] = place;
  pthread_mutex_unlock(&pace->control->lock);
}

/* With the lock held. */
static guint64 find_first(const OlPace *pace)
{
  guint64 first = OL_PACE_NO_MORE;
  for (guint i = 0; i < pace->n_lanes; i++)
    first = MIN(first, pace->next[i]);
  return first;
}

/* Nodes wait for earlier ones only, so the first of all can always begin. */
static gboolean is_first(const OlPace *pace, guint lane)
{
  return pace->next[lane] == find_first(pace) && pace->next[lane] <= pace->first_elsewhere;
}

guint64 ol_pace_get_first(OlPace *pace)
{
  pthread_mutex_lock(&pace->control->lock);
  guint64 first = find_first(pace);
  pthread_mutex_unlock(&pace->control->lock);
  return first;
}

void ol_pace_set_first_elsewhere(OlPace *pace, guint64 place)
{
  pthread_mutex_lock(&pace->control->lock);
  pace->first_elsewhere = place;
  pthread_cond_broadcast(&pace->control->changed);
  pthread_mutex_unlock(&pace->control->lock);
}

/* With the lock held: waits for a change, or until `left_ns` of the machine's time have passed. It
 * sleeps all the way: who yields gives the rest of its turn away, and where ranks share a core the
 * next comes ticks later. */
static void wait_for_time(OlControl *control, gint64 now_ns, gint64 left_ns)
{
  gint64 until = now_ns + left_ns;
  struct timespec time = {until / OL_NS_PER_SECOND, until % OL_NS_PER_SECOND};
  prctl(PR_SET_TIMERSLACK, SLACK_NS);
  pthread_cond_timedwait(&control->changed, &control->lock, &time);
}

/* With the lock held, as all of this: what the look finds may change the control. */
static void look_meanwhile(OlPace *pace, guint lane, gint64 left_ns)
{
  const OlPaceLook *look = &pace->look[lane];
  wait_for_time(pace->control, ol_clock_now_ns(), MIN(left_ns, LOOK_NS));
  pthread_mutex_unlock(&pace->control->lock);
  look->look(look->data);
  pthread_mutex_lock(&pace->control->lock);
}

static void wait_for_change(OlPace *pace, guint lane)
{
  if (pace->look[lane].look)
    look_meanwhile(pace, lane, LOOK_NS);
  else
    pthread_cond_wait(&pace->control->changed, &pace->control->lock);
}

gboolean ol_pace_pass(OlPace *pace, guint lane, guint64 following)
{
  OlControl *control = pace->control;
  pthread_mutex_lock(&control->lock);
  while (!control->stopped && !pace->closed && control->paused &&
         !(control->tokens > 0 && is_first(pace, lane)))
    wait_for_change(pace, lane);
  gboolean open = !control->stopped && !pace->closed;
  if (open) {
    pace->next[lane] = following;
    if (control->paused) {
      control->tokens--;
      pthread_cond_broadcast(&control->changed);
    }
  }
  pthread_mutex_unlock(&control->lock);
  return open;
}

void ol_pace_start(OlPace *pace)
{
  ol_pace_start_at(pace, ol_clock_now_ns());
}

void ol_pace_start_at(OlPace *pace, gint64 machine_ns)
{
  OlControl *control = pace->control;
  pthread_mutex_lock(&control->lock);
  control->machine_ns = machine_ns;
  control->modelled_ns = control->limit_ns = 0;
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
}

/* With the lock held: a node that is held while the learner steps moves time on to its due. */
static void let_time_pass(OlControl *control, gint64 due_ns)
{
  if (!control->stepping || control->limit_ns >= due_ns)
    return;
  ol_control_rebase(control);
  control->limit_ns = due_ns;
  pthread_cond_broadcast(&control->changed);
}

/* With the lock held: left_ns of the machine's time are left. */
static void wait_till_due(OlPace *pace, guint lane, gint64 now_ns, gint64 left_ns)
{
  if (pace->look[lane].look)
    look_meanwhile(pace, lane, left_ns);
  else
    wait_for_time(pace->control, now_ns, left_ns);
}

gboolean ol_pace_hold(OlPace *pace, guint lane, gint64 due_ns, gint64 *late_ns)
{
  OlControl *control = pace->control;
  gboolean open;
  pthread_mutex_lock(&control->lock);
  while ((open = !control->stopped && !pace->closed)) {
    let_time_pass(control, due_ns);
    gint64 now = ol_clock_now_ns();
    gint64 modelled = ol_control_modelled_ns(control, now);
    *late_ns = modelled - due_ns;
    if (modelled >= due_ns)
      break;
    if (control->paused && control->limit_ns < due_ns)
      wait_for_change(pace, lane);
    else
      wait_till_due(pace, lane, now, (gint64)((double)(due_ns - modelled) / control->speed) + 1);
  }
  pthread_mutex_unlock(&control->lock);
  return open;
}

void ol_pace_close(OlPace *pace)
{
  pthread_mutex_lock(&pace->control->lock);
  pace->closed = TRUE;
  pthread_cond_broadcast(&pace->control->changed);
  pthread_mutex_unlock(&pace->control->lock);
}
