#include "engine/run/control-private.h"

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include <math.h>
#include <string.h>

#define SLOWEST 0.02
#define FASTEST 50.0

OlControl *ol_control_new(void)
{
  OlControl *control = g_new0(OlControl, 1);
  g_atomic_ref_count_init(&control->ref_count);
  pthread_mutex_init(&control->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&control->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  control->speed = 1;
  return control;
}

OlControl *ol_control_ref(OlControl *control)
{
  g_atomic_ref_count_inc(&control->ref_count);
  return control;
}

void ol_control_unref(OlControl *control)
{
  if (!g_atomic_ref_count_dec(&control->ref_count))
    return;
  pthread_cond_destroy(&control->changed);
  pthread_mutex_destroy(&control->lock);
  g_free(control);
}

gint64 ol_control_modelled_ns(const OlControl *control, gint64 now_ns)
{
  gint64 passed = (gint64)((double)(now_ns - control->machine_ns) * control->speed);
  gint64 modelled = control->modelled_ns + passed;
  return control->paused ? MIN(modelled, control->limit_ns) : modelled;
}

void ol_control_rebase(OlControl *control)
{
  gint64 now = ol_clock_now_ns();
  control->modelled_ns = ol_control_modelled_ns(control, now);
  control->machine_ns = now;
}

static void begin_change(OlControl *control)
{
  pthread_mutex_lock(&control->lock);
  ol_control_rebase(control);
}

static void end_change(OlControl *control)
{
  pthread_cond_broadcast(&control->changed);
  pthread_mutex_unlock(&control->lock);
}

/* Between begin_change() and end_change(). */
static void set_paused(OlControl *control, gboolean paused)
{
  control->paused = paused;
  control->limit_ns = control->modelled_ns;
  control->stepping = FALSE;
  control->tokens = 0;
}

void ol_control_pause(OlControl *control)
{
  begin_change(control);
  set_paused(control, TRUE);
  control->touched = TRUE;
  end_change(control);
}

void ol_control_resume(OlControl *control)
{
  begin_change(control);
  set_paused(control, FALSE);
  end_change(control);
}

void ol_control_next(OlControl *control)
{
  begin_change(control);
  if (!control->paused)
    set_paused(control, TRUE);
  control->stepping = TRUE;
  control->tokens++;
  control->touched = TRUE;
  end_change(control);
}

void ol_control_set_speed(OlControl *control, double speed)
{
  g_return_if_fail(!isnan(speed));
  begin_change(control);
  control->speed = CLAMP(speed, SLOWEST, FASTEST);
  control->touched = TRUE;
  end_change(control);
}

void ol_control_forbid_speed(OlControl *control)
{
  pthread_mutex_lock(&control->lock);
  control->one_speed = TRUE;
  pthread_mutex_unlock(&control->lock);
}

void ol_control_stop(OlControl *control)
{
  begin_change(control);
  control->stopped = TRUE;
  end_change(control);
}

static gboolean get(OlControl *control, const gboolean *flag)
{
  pthread_mutex_lock(&control->lock);
  gboolean value = *flag;
  pthread_mutex_unlock(&control->lock);
  return value;
}

gboolean ol_control_is_stopped(OlControl *control)
{
  return get(control, &control->stopped);
}

gboolean ol_control_was_touched(OlControl *control)
{
  return get(control, &control->touched);
}

static gboolean speed_command(OlControl *control, const char *value, GError **error)
{
  char *end = NULL;
  double speed = g_ascii_strtod(value, &end);
  if (end == value || *end != '\0' || !(speed >= SLOWEST && speed <= FASTEST)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("command \"speed\": \"%s\" is not a number from %g to %g"), value, SLOWEST,
                FASTEST);
    return FALSE;
  }
  if (get(control, &control->one_speed)) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                        _("command \"speed\": this run goes as fast as the machine can; only the "
                          "scale clock (hardware.clock) has other speeds"));
    return FALSE;
  }
  ol_control_set_speed(control, speed);
  return TRUE;
}

/* `text` made fit to be shown: short, printable, valid. Caller frees. */
static char *dup_shown(const char *text)
{
  g_autofree char *start = g_strndup(text, 60);
  return g_utf8_make_valid(start, -1);
}

gboolean ol_control_command(OlControl *control, const char *line, GError **error)
{
  static const struct {
    const char *word;
    void (*act)(OlControl *control);
  } commands[] = {
      {"pause", ol_control_pause},
      {"resume", ol_control_resume},
      {"next", ol_control_next},
      {"stop", ol_control_stop},
  };
  g_autofree char *text = g_strstrip(g_strdup(line));
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++)
    if (strcmp(text, commands[i].word) == 0) {
      commands[i].act(control);
      return TRUE;
    }
  if (g_str_has_prefix(text, "speed "))
    return speed_command(control, g_strchug(text + strlen("speed ")), error);
  g_autofree char *shown = dup_shown(text);
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              _("command \"%s\" is unknown: pause, resume, next, speed 0.5 and stop are known"),
              shown);
  return FALSE;
}
