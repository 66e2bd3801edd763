#include "app/cli/progress.h"

#include "engine/base/intl.h"
#include "lessons/lesson-words.h"
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

static void put_calibration(GString *text, const OlSummary *summary)
{
  g_autofree char *verdict = ol_summary_dup_verdict(summary);

  g_string_append_printf(text, "\n%s\n", _("How sure, how right"));
  for (int i = 0; i < OL_N_SURENESSES; i++) {
    const OlCalibrationBin *bin = &summary->bins[i];
    g_autofree char *words = ol_calibration_bin_dup_words(bin);
    if (bin->n > 0)
      g_string_append_printf(text, "  %-24s %s\n", ol_sureness_get_words((OlSureness)i), words);
  }
  g_string_append_printf(text, "  %s\n", verdict);
}

static void put_missed(GString *text, const OlSummary *summary, gint64 now)
{
  g_autoptr(GPtrArray) missed = ol_summary_list_missed(summary);

  if (missed->len > 0)
    g_string_append_printf(text, "\n%s\n", _("To look at again"));
  for (guint i = 0; i < missed->len; i++) {
    const OlLessonSummary *of = g_ptr_array_index(missed, i);
    g_autofree char *when = ol_review_dup_when(of->review.due, now);
    g_autofree char *review = g_strdup_printf(_("To be reviewed %s."), when);
    g_string_append_printf(text, "  %-24s %s %s\n", of->lesson->id,
                           ol_lesson_summary_get_missed(of), review);
  }
}

/* Over all courses. */
static void put_summary(GString *text, GPtrArray *courses, const OlProgress *progress)
{
  gint64 now = g_get_real_time() / G_USEC_PER_SEC;
  g_autoptr(OlSummary) summary = ol_summary_new(courses, progress, now);
  g_autofree char *time = ol_summary_dup_time(summary->seconds);

  put_calibration(text, summary);
  put_missed(text, summary, now);
  g_string_append_c(text, '\n');
  g_string_append_printf(text, _("Time spent, breaks left out: %s"), time);
  g_string_append_c(text, '\n');
  if (summary->due > 0) {
    g_string_append_printf(text,
                           ol_ngettext("%u question is due for review",
                                       "%u questions are due for review", summary->due),
                           summary->due);
    g_string_append(text, "\n  offload-lab-cli review\n");
  }
}

OlExit ol_progress_print_table(GPtrArray *courses, const OlProgress *progress)
{
  const OlLesson *next = ol_courses_find_next(courses, progress, NULL, NULL);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  g_string_append_printf(text, "%s\n", ol_progress_get_learner(progress));
  for (guint i = 0; i < courses->len; i++)
    put_course(text, courses->pdata[i], progress);
  put_summary(text, courses, progress);
  if (next)
    g_string_append_printf(text, _("\nNext: %s\n  offload-lab-cli lesson %s\n"), next->title,
                           next->id);
  else
    g_string_append(text, _("\nAll lessons are done.\n"));
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}
