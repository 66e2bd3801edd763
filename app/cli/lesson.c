/* offload-lab-cli lesson: finds the lessons asked for and hands them on. */
#include "app/cli/lesson.h"

#include "app/cli/learner.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/next-lesson.h"
#include <string.h>

#define MOST_LESSONS 100

static OlExit list(GPtrArray *courses, const char *learner)
{
  g_autoptr(OlProgress) progress = ol_learner_progress(learner);
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = courses->pdata[i];
    g_string_append_printf(text, "%s (%s)\n", course->title, course->id);
    for (guint j = 0; j < course->n_lessons; j++) {
      const OlLesson *lesson = &course->lessons[j];
      gboolean done = ol_progress_is_done(progress, lesson->id);
      g_string_append_printf(text, "  %-24s %s%s\n", lesson->id, lesson->title,
                             done ? _(" (done)") : "");
    }
  }
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

/* All lessons of the course with this id, or of every course. FALSE when there is no such. */
static gboolean add_course(GPtrArray *courses, const char *id, GPtrArray *lessons)
{
  guint before = lessons->len;
  for (guint i = 0; i < courses->len; i++) {
    OlCourse *course = courses->pdata[i];
    if (id && !g_str_equal(course->id, id))
      continue;
    for (guint j = 0; j < course->n_lessons; j++)
      g_ptr_array_add(lessons, &course->lessons[j]);
  }
  return lessons->len > before;
}

gboolean ol_lessons_add_named(GPtrArray *courses, char **ids, int n, GPtrArray *lessons)
{
  for (int i = 0; i < n; i++) {
    const OlLesson *lesson = ol_courses_find(courses, ids[i], NULL);
    if (lesson) {
      g_ptr_array_add(lessons, (gpointer)lesson);
    } else if (!add_course(courses, ids[i], lessons)) {
      ol_cli_complain(_("there is no lesson and no course \"%s\"; offload-lab-cli lesson --list "
                        "tells them all"),
                      ids[i]);
      return FALSE;
    }
  }
  return TRUE;
}

static OlExit check(GPtrArray *lessons)
{
  gboolean all_hold = TRUE;

  for (guint i = 0; i < lessons->len; i++) {
    g_autoptr(GError) error = NULL;
    if (!ol_lesson_check(lessons->pdata[i], &all_hold, &error))
      return ol_cli_fail(error);
  }
  return all_hold ? OL_EXIT_DONE : OL_EXIT_CLAIM;
}

/* The lesson named, or the next that the learner has not done; with all of them done, the first. */
static OlExit open_one(GPtrArray *courses, GPtrArray *lessons, gboolean named, const char *learner)
{
  g_autoptr(OlProgress) progress = ol_learner_progress(learner);
  const OlLesson *next = named ? NULL : ol_courses_find_next(courses, progress, NULL, NULL);

  return ol_lesson_in_terminal(next ? next : lessons->pdata[0], courses, progress);
}

OlExit ol_command_lesson(int argc, char **argv)
{
  gboolean list_all = FALSE, check_evidence = FALSE;
  g_autofree char *learner = NULL;
  const GOptionEntry entries[] = {
      {"list", 'l', 0, G_OPTION_ARG_NONE, &list_all, _("List all lessons"), NULL},
      {"check", 'c', 0, G_OPTION_ARG_NONE, &check_evidence,
       _("Run the lessons (all, or those given) and hold every claim against its run and its "
         "counter-run"),
       NULL},
      OL_LEARNER_OPTION(&learner),
      {NULL}};
  g_autoptr(GError) error = NULL;
  OlExit status;

  if (!ol_cli_parse("[ID…]",
                    _("Without ID the next lesson that you have not done is opened. The ID of a "
                      "course stands for its lessons."),
                    entries, &argc, &argv, MOST_LESSONS, &status))
    return status;
  if (!ol_learner_check(learner))
    return OL_EXIT_BAD_INPUT;
  g_autoptr(GPtrArray) courses = ol_cli_load_courses(&error);
  if (!courses)
    return ol_cli_fail(error);
  if (list_all)
    return list(courses, learner);

  g_autoptr(GPtrArray) lessons = g_ptr_array_new();
  if (argc > 1 ? !ol_lessons_add_named(courses, argv + 1, argc - 1, lessons)
               : !add_course(courses, NULL, lessons))
    return OL_EXIT_BAD_INPUT;
  if (check_evidence)
    return check(lessons);
  if (argc > 2) {
    ol_cli_complain(_("one lesson at a time: \"%s\" is one too many"), argv[2]);
    return OL_EXIT_BAD_INPUT;
  }
  return open_one(courses, lessons, argc > 1, learner);
}
