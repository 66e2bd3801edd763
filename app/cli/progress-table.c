#include "app/cli/progress.h"
#include "engine/base/intl.h"

#include "lessons/next-lesson.h"
#include "lessons/results.h"

static void put_lesson(GString *text, const OlLesson *lesson, const OlProgress *progress)
{
  OlAnswers answers;

  if (!ol_progress_get_answers(progress, lesson->id, &answers)) {
    g_string_append_printf(text, "  %-24s %-8s -\n", lesson->id, "-");
    return;
  }
  g_string_append_printf(text, "  %-24s %-8s %s", lesson->id,
                         answers.first_right ? _("right") : _("wrong"),
                         ol_progress_is_done(progress, lesson->id) ? _("done") : "-");
  if (answers.n > 1)
    g_string_append_printf(text, _(", %u answers"), answers.n);
  g_string_append_c(text, '\n');
}

static void put_course(GString *text, const OlCourse *course, const OlProgress *progress)
{
  OlScore score = ol_results_score(course, progress);

  g_string_append_printf(text, _("\n%s (%s)\n  %-24s %-8s done\n"), course->title, course->id,
                         _("lesson"), _("first"));
  for (guint i = 0; i < course->n_lessons; i++)
    put_lesson(text, &course->lessons[i], progress);
  g_string_append_printf(text, _("  %u of %u done"), score.done, course->n_lessons);
  if (score.answered > 0)
    g_string_append_printf(text, _("; first answers: %u of %u right"), score.first_right,
                           score.answered);
  g_string_append_c(text, '\n');
}

OlExit ol_progress_print_table(GPtrArray *courses, const OlProgress *progress)
{
  const OlLesson *next = ol_courses_find_next(courses, progress, NULL, NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  g_string_append_printf(text, "%s\n", ol_progress_get_learner(progress));
  for (guint i = 0; i < courses->len; i++)
    put_course(text, courses->pdata[i], progress);
  if (next)
    g_string_append_printf(text, _("\nNext: %s\n  offload-lab-cli lesson %s\n"), next->title,
                           next->id);
  else
    g_string_append(text, _("\nAll lessons are done.\n"));
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}
