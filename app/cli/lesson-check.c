#include "app/cli/lesson.h"

#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/evidence.h"
#include <stdio.h>

static void tell_run(const OlLessonRun *run, guint attempt, gpointer lesson)
{
  const char *again = attempt ? _(", again and slower: the machine was too busy") : "";
  fprintf(stderr, _("%s: running %s%s\n"), ((const OlLesson *)lesson)->id, run->name, again);
}

/* Bytes, hashes and losses do not depend on how busy the machine was. */
static gboolean claims_times(const OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_claims; i++)
    if (ol_claim_is_about_time(&lesson->claims[i]))
      return TRUE;
  return FALSE;
}

gboolean ol_lesson_check(const OlLesson *lesson, gboolean *holds, GError **error)
{
  g_autoptr(OlExperiment) experiment = ol_experiment_new(lesson);
  g_autoptr(GString) report = g_string_new(NULL);

  if (!ol_experiment_run_all(experiment, ol_data_folder(), claims_times(lesson), tell_run,
                             (gpointer)lesson, error))
    return FALSE;
  gboolean proved = ol_evidence_check(experiment, report);
  *holds = *holds && proved;
  g_string_prepend(report, ":\n");
  g_string_prepend(report, lesson->id);
  return ol_cli_print(report->str, error);
}
