/* offload-lab-cli lesson: finds the lessons asked for and hands them on. */
#include "app/cli/lesson.h"

#include "engine/config/hardware.h"
#include <string.h>

#define MOST_LESSONS 100

static OlExit list(GPtrArray *courses)
{
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = courses->pdata[i];
    g_string_append_printf(text, "%s\n", course->title);
    for (guint j = 0; j < course->n_lessons; j++)
      g_string_append_printf(text, "  %-24s %s\n", course->lessons[j].id, course->lessons[j].title);
  }
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

static void add_all(GPtrArray *courses, GPtrArray *lessons)
{
  for (guint i = 0; i < courses->len; i++) {
    OlCourse *course = courses->pdata[i];
    for (guint j = 0; j < course->n_lessons; j++)
      g_ptr_array_add(lessons, &course->lessons[j]);
  }
}

/* The lessons with these ids, in that order. FALSE when one is unknown, which is then told. */
static gboolean add_named(GPtrArray *courses, char **ids, int n, GPtrArray *lessons)
{
  for (int i = 0; i < n; i++) {
    const OlLesson *lesson = ol_courses_find(courses, ids[i], NULL);
    if (!lesson) {
      ol_cli_complain("there is no lesson \"%s\"; offload-lab-cli lesson --list tells them all",
                      ids[i]);
      return FALSE;
    }
    g_ptr_array_add(lessons, (gpointer)lesson);
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

OlExit ol_command_lesson(int argc, char **argv)
{
  gboolean list_all = FALSE, check_evidence = FALSE;
  const GOptionEntry entries[] = {
      {"list", 'l', 0, G_OPTION_ARG_NONE, &list_all, "List all lessons", NULL},
      {"check", 'c', 0, G_OPTION_ARG_NONE, &check_evidence,
       "Run the lessons (all, or those given) and hold every claim against its run and its "
       "counter-run",
       NULL},
      {NULL}};
  g_autoptr(GError) error = NULL;
  OlExit status;

  if (!ol_cli_parse("[ID…]", "Without ID the first lesson is opened.", entries, &argc, &argv,
                    MOST_LESSONS, &status))
    return status;
  g_autoptr(GPtrArray) courses = ol_courses_load(ol_data_folder(), &error);
  if (!courses)
    return ol_cli_fail(error);
  if (list_all)
    return list(courses);

  g_autoptr(GPtrArray) lessons = g_ptr_array_new();
  if (!add_named(courses, argv + 1, argc - 1, lessons))
    return OL_EXIT_BAD_INPUT;
  if (lessons->len == 0)
    add_all(courses, lessons);
  if (lessons->len == 0) {
    ol_cli_complain("there are no courses in %s/courses", ol_data_folder());
    return OL_EXIT_BAD_INPUT;
  }
  if (check_evidence)
    return check(lessons);
  if (argc > 2) {
    ol_cli_complain("one lesson at a time: \"%s\" is one too many", argv[2]);
    return OL_EXIT_BAD_INPUT;
  }
  return ol_lesson_in_terminal(lessons->pdata[0]);
}
