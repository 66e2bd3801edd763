#include "app/window/replay.h"

#include "app/charts/view.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/config/hardware.h"
#include "engine/run/slowdown.h"
#include "engine/trace/events.h"
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

struct OlReplay {
  char *path, *name, *damage;
  OlTrace *trace;
  OlMachine *machine; /* that the file's config names, or NULL */
  OlMetrics *metrics; /* made once: looking at every span takes its time */
};

gboolean ol_replay_is_run(const char *path)
{
  static const char begin[] = "{\"type\":\"run\"";
  char bytes[sizeof begin - 1];
  FILE *stream = g_fopen(path, "re");
  gboolean is_run = stream && fread(bytes, 1, sizeof bytes, stream) == sizeof bytes &&
                    memcmp(bytes, begin, sizeof bytes) == 0;

  if (stream)
    fclose(stream);
  return is_run;
}

OlReplay *ol_replay_new(const char *path)
{
  OlReplay *replay = g_new0(OlReplay, 1);

  replay->path = g_strdup(path);
  replay->name = g_filename_display_basename(path);
  return replay;
}

void ol_replay_free(OlReplay *replay)
{
  if (!replay)
    return;
  g_clear_pointer(&replay->metrics, ol_metrics_free);
  g_clear_pointer(&replay->machine, ol_machine_free);
  g_clear_pointer(&replay->trace, ol_trace_unref);
  g_free(replay->damage);
  g_free(replay->name);
  g_free(replay->path);
  g_free(replay);
}

/* Which file it is, and that it holds events, stands beside the message already: what is left
 * begins with the line. */
static char *dup_damage(const char *path, const char *message)
{
  g_autofree char *name = g_filename_display_name(path), *first = NULL;

  if (g_str_has_prefix(message, name))
    message += strlen(name) + strspn(message + strlen(name), ": ");
  if (g_str_has_prefix(message, "events"))
    message += strlen("events") + strspn(message + strlen("events"), ":, ");
  first = g_utf8_strup(message, 1);
  return g_strconcat(first, g_utf8_next_char(message), NULL);
}

static OlMachine *find_machine(const OlTrace *trace)
{
  g_autoptr(OlRunConfig) config =
      trace->header.config
          ? ol_run_config_parse(trace->header.config, -1, _("the file's config"), NULL)
          : NULL;

  return config ? ol_machine_new(config, NULL, NULL) : NULL;
}

gboolean ol_replay_load(OlReplay *replay, const OlWatch *watch, GError **error)
{
  g_autoptr(GError) damage = NULL;

  replay->trace = ol_events_read_file_watched(replay->path, watch, &damage);
  if (!replay->trace) {
    g_propagate_error(error, g_steal_pointer(&damage));
    return FALSE;
  }
  if (damage)
    replay->damage = dup_damage(replay->path, damage->message);
  replay->machine = find_machine(replay->trace);
  replay->metrics = ol_metrics_new(replay->trace);
  return TRUE;
}

char *ol_replay_dup_scale(const OlReplay *replay)
{
  const OlTraceHeader *header = &replay->trace->header;
  g_autofree char *mib = ol_measure_dup_bytes(header->mu * 1024 * 1024);
  GString *words;

  if (!replay->machine || !replay->machine->reference)
    return NULL;
  words = g_string_new(NULL);
  g_string_append_printf(words, _("%s on %s"), replay->machine->reference->title,
                         replay->machine->hardware->title);
  g_string_append(words, " · ");
  g_string_append_printf(words, _("1 MiB is %s"), mib);
  if (header->slowdown > 0) {
    g_autofree char *second = ol_measure_dup_seconds(header->mu / header->slowdown);
    g_string_append(words, " · ");
    g_string_append_printf(words, _("1 s is %s"), second);
  }
  return g_string_free(words, FALSE);
}

const char *ol_replay_get_name(const OlReplay *replay)
{
  return replay->name;
}

OlTrace *ol_replay_get_trace(const OlReplay *replay)
{
  return replay->trace;
}

const char *ol_replay_get_damage(const OlReplay *replay)
{
  return replay->damage;
}

static const char *outcome_words(const OlTrace *trace)
{
  static const char *const words[OL_N_OUTCOMES] = {
      [OL_OUTCOME_DONE] = N_("Done"),
      [OL_OUTCOME_OUT_OF_MEMORY] = N_("Out of memory"),
      [OL_OUTCOME_STOPPED] = N_("Stopped"),
      [OL_OUTCOME_FAILED] = N_("Failed"),
  };

  return trace->ended ? _(words[trace->outcome]) : _("Cut off");
}

GArray *ol_replay_new_state(const OlReplay *replay, gboolean there)
{
  OlChartView view = {.trace = replay->trace, .there = there};
  GArray *parts = ol_run_parts_new();
  guint n = replay->trace->steps->len;
  double seconds, late = 0;

  ol_run_parts_add(parts, OL_NUMBER_NONE, "%s", outcome_words(replay->trace));
  ol_run_parts_add(parts, OL_NUMBER_NONE, ol_ngettext("%u step", "%u steps", n), n);
  ol_trace_get_number(replay->trace, "late", &late);
  if (late > OL_LATE_SHARE && !replay->trace->touched)
    ol_run_parts_add(parts, OL_NUMBER_NONE, _("%.0f %% late: times do not count"), late * 100);
  else if (ol_metrics_get_number(replay->metrics, "step.seconds", &seconds))
    ol_run_parts_add_step(parts, &view, seconds);
  ol_run_parts_add_loss(parts, replay->trace);
  return parts;
}
