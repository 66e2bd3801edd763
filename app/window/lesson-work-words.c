/* What is said of a lesson's runs beside their figures. */
#include "app/window/lesson-work.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/config/hardware.h"

char *ol_lesson_work_dup_note(OlLessonWork *self, gboolean complete, gboolean there)
{
  const char *sentences[3] = {NULL};
  guint n = 0;

  if (!complete)
    sentences[n++] =
        _("A figure shown as … comes from a run that is not kept from last time: make it "
          "again to see it.");
  if (there)
    sentences[n++] = _("Bytes and seconds in this text are those of this machine.");
  return n > 0 ? g_strjoinv(" ", (char **)sentences) : NULL;
}

/* Its own, once it has begun: runs of the sandbox have a clock each. */
static double find_slowdown(OlLessonRuns *runs, guint run)
{
  const OlTrace *trace = ol_lesson_runs_get_trace(runs, run);

  return trace ? trace->header.slowdown : ol_lesson_runs_get_slowdown(runs);
}

char *ol_lesson_work_dup_scale(OlLessonWork *self, int run)
{
  OlLessonRuns *runs = ol_lesson_work_get_runs(self);
  guint of = (guint)MAX(run, 0);
  double slowdown;
  g_autoptr(OlRunConfig) config = NULL;
  g_autofree char *mib = NULL, *second = NULL;
  OlMachine *machine = NULL;
  GString *words;

  if (ol_lesson_runs_count(runs) <= of)
    return NULL;
  slowdown = find_slowdown(runs, of);
  config = ol_run_config_copy(ol_lesson_runs_get(runs, of)->config);
  machine = ol_machine_new(config, ol_lesson_runs_get_data_folder(runs), NULL);
  if (!machine || !machine->reference) {
    g_clear_pointer(&machine, ol_machine_free);
    return NULL;
  }
  mib = ol_measure_dup_bytes(machine->mu * 1024 * 1024);
  words = g_string_new(NULL);
  g_string_append_printf(words, _("%s on %s"), machine->reference->title, machine->hardware->title);
  g_string_append(words, " · ");
  g_string_append_printf(words, _("1 MiB is %s"), mib);
  if (slowdown > 0) {
    second = ol_measure_dup_seconds(machine->mu / slowdown);
    g_string_append(words, " · ");
    g_string_append_printf(words, _("1 s is %s"), second);
  }
  ol_machine_free(machine);
  return g_string_free(words, FALSE);
}
