/* offload-lab-cli progress: what a learner has done; shown, moved to and from files, begun anew. */
#include "app/cli/progress.h"

#include "app/cli/learner.h"
#include "app/cli/lesson.h"
#include "app/cli/terminal.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/hardware.h"
#include "lessons/learners.h"
#include "lessons/results.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_LESSONS 100

typedef struct {
  char *learner, *list, *export, *import, *results;
  gboolean reset, all, yes, undo;
} Arguments;

static void clear_arguments(Arguments *arguments)
{
  g_free(arguments->learner);
  g_free(arguments->list);
  g_free(arguments->export);
  g_free(arguments->import);
  g_free(arguments->results);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Arguments, clear_arguments)

static gboolean refuse(const char *why)
{
  ol_cli_complain(_("%s; see offload-lab-cli progress --help"), why);
  return FALSE;
}

static gboolean check_arguments(const Arguments *arguments, int n_lessons)
{
  guint tasks = !!arguments->list + !!arguments->export + !!arguments->import +
                !!arguments->results + arguments->reset + arguments->undo;
  if (tasks > 1)
    return refuse(
        _("one thing at a time: --list, --export, --import, --results, --reset or --undo"));
  if (arguments->list && strcmp(arguments->list, "learners") != 0)
    return refuse(_("--list: there are only \"learners\" to be listed"));
  if (arguments->list && arguments->learner)
    return refuse(_("--list learners tells all of them: --learner has no place there"));
  if (!arguments->reset && (n_lessons > 0 || arguments->all || arguments->yes))
    return refuse(_("lessons, --all and --yes go with --reset"));
  if (arguments->reset && (n_lessons > 0) == arguments->all)
    return refuse(_("--reset: say which lessons, or --all"));
  return ol_learner_check(arguments->learner);
}

static OlExit list_learners(void)
{
  g_autoptr(GPtrArray) learners = ol_learners_list();
  g_autoptr(GString) text = g_string_new(NULL);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < learners->len; i++) {
    const OlLearner *learner = learners->pdata[i];
    if (learner->name)
      g_string_append_printf(text, "%s\n", learner->name);
    else
      ol_cli_complain(_("%s: is passed over: it is damaged, a newer lab's, or under another "
                        "learner's name"),
                      learner->path);
  }
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

/* On standard output for "-", else to a file, whole or not at all. */
static OlExit write_text(const char *path, const char *text)
{
  g_autoptr(GError) error = NULL;
  if (strcmp(path, "-") == 0)
    return ol_cli_print(text, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
  return ol_whole_file_replace(path, text, strlen(text), &error) ? OL_EXIT_DONE
                                                                 : ol_cli_fail(error);
}

static void append_taken(GString *text, const char *path, const OlProgressTaken *taken)
{
  g_string_append_printf(
      text,
      ol_ngettext("New from %s, in %u lesson: ", "New from %s, in %u lessons: ", taken->lessons),
      path, taken->lessons);
  g_string_append_printf(text, ol_ngettext("%u answer, ", "%u answers, ", taken->answers),
                         taken->answers);
  g_string_append_printf(text,
                         ol_ngettext("%u prediction, ", "%u predictions, ", taken->predictions),
                         taken->predictions);
  g_string_append_printf(text, ol_ngettext("%u run, ", "%u runs, ", taken->runs), taken->runs);
  g_string_append_printf(text, ol_ngettext("%u review.\n", "%u reviews.\n", taken->reviews),
                         taken->reviews);
}

static OlExit import(OlProgress *progress, const char *path)
{
  OlProgressTaken taken;
  g_autoptr(GError) error = NULL;
  g_autoptr(GString) text = g_string_new(NULL);

  if (!ol_progress_import(progress, path, &taken, &error))
    return ol_cli_fail(error);
  if (taken.lessons == 0)
    g_string_append_printf(text, _("%s has nothing that was not there.\n"), path);
  else
    append_taken(text, path, &taken);
  return ol_cli_print(text->str, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

/* form: with a place for the number, or without one. */
static OlExit tell_count(const char *form, guint n)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *sentence = g_strdup_printf(form, n);
  g_autofree char *text = g_strconcat(sentence, "\n", NULL);
  return ol_cli_print(text, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}

/* Whether it was asked for, or a person says so. n: lessons named; 0: all. */
static OlExit confirm(const OlProgress *progress, gboolean yes, guint n)
{
  if (yes)
    return OL_EXIT_DONE;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
    refuse(_("--reset: there is nobody to ask; say --yes"));
    return OL_EXIT_BAD_INPUT;
  }
  const char *ask =
      n == 0 ? _("Forget what %s has done in all lessons? --undo can take it back. [y/N]")
      : n == 1
          ? _("Forget what %s has done in this lesson? --undo can take it back. [y/N]")
          : ol_ngettext(
                "Forget what %s has done in this %u lesson? --undo can take it back. [y/N]",
                "Forget what %s has done in these %u lessons? --undo can take it back. [y/N]", n);
  g_autofree char *prompt = g_strdup_printf(ask, ol_progress_get_learner(progress), n);
  g_autofree char *answer = ol_terminal_ask(prompt);
  if (answer && (g_ascii_strcasecmp(answer, "y") == 0 || g_ascii_strcasecmp(answer, "yes") == 0))
    return OL_EXIT_DONE;
  ol_cli_complain(_("nothing was changed"));
  return OL_EXIT_STOPPED;
}

static OlExit reset(OlProgress *progress, GPtrArray *courses, const Arguments *arguments,
                    char **lessons, int n)
{
  g_autoptr(GPtrArray) named = g_ptr_array_new();
  g_autoptr(GPtrArray) ids = g_ptr_array_new();
  g_autoptr(GError) error = NULL;
  gboolean saved;

  if (!ol_lessons_add_named(courses, lessons, n, named))
    return OL_EXIT_BAD_INPUT;
  for (guint i = 0; i < named->len; i++)
    g_ptr_array_add(ids, ((const OlLesson *)named->pdata[i])->id);
  g_ptr_array_add(ids, NULL);
  OlExit status = confirm(progress, arguments->yes, named->len);
  if (status != OL_EXIT_DONE)
    return status;
  guint count =
      ol_progress_reset(progress, n > 0 ? (const char *const *)ids->pdata : NULL, &saved, &error);
  if (!saved)
    return ol_cli_fail(error);
  return tell_count(count == 0 ? _("%u lessons had anything to forget.")
                    : count == 1
                        ? _("One lesson is as new; --undo takes that back.")
                        : ol_ngettext("%u lesson is as new; --undo takes that back.",
                                      "%u lessons are as new; --undo takes that back.", count),
                    count);
}

static OlExit undo(OlProgress *progress)
{
  g_autoptr(GError) error = NULL;
  gboolean saved;

  guint count = ol_progress_undo_reset(progress, &saved, &error);
  if (!saved)
    return ol_cli_fail(error);
  return tell_count(
      count == 0   ? _("%u lessons came back: there is no reset to take back.")
      : count == 1 ? _("One lesson is as it was.")
                   : ol_ngettext("%u lesson is as it was.", "%u lessons are as they were.", count),
      count);
}

static OlExit use(const Arguments *arguments, char **lessons, int n)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) courses = ol_cli_load_courses(&error);
  if (!courses)
    return ol_cli_fail(error);
  g_autoptr(OlProgress) progress = ol_learner_progress(arguments->learner);
  g_autofree char *text = NULL;

  if (arguments->import)
    return import(progress, arguments->import);
  if (arguments->reset)
    return reset(progress, courses, arguments, lessons, n);
  if (arguments->undo)
    return undo(progress);
  if (arguments->export)
    return write_text(arguments->export, text = ol_progress_dup_json(progress));
  if (arguments->results)
    return write_text(arguments->results, text = ol_results_dup_csv(courses, progress));
  if (arguments->learner && !g_file_test(ol_progress_get_path(progress), G_FILE_TEST_EXISTS))
    ol_cli_complain(_("nothing is kept of %s yet; --list learners tells of whom something is"),
                    ol_progress_get_learner(progress));
  return ol_progress_print_table(courses, progress);
}

OlExit ol_command_progress(int argc, char **argv)
{
  g_auto(Arguments) arguments = {NULL};
  const GOptionEntry entries[] = {
      OL_LEARNER_OPTION(&arguments.learner),
      {"list", 'l', 0, G_OPTION_ARG_STRING, &arguments.list,
       _("List the learners of this computer, one a line"), "learners"},
      {"export", 'e', 0, G_OPTION_ARG_FILENAME, &arguments.export,
       _("Write everything as JSON, for --import on another computer (-: standard output)"),
       "FILE"},
      {"import", 'i', 0, G_OPTION_ARG_FILENAME, &arguments.import,
       _("Add what such a file has and this progress has not; nothing is lost"), "FILE"},
      {"results", 'r', 0, G_OPTION_ARG_FILENAME, &arguments.results,
       _("Write a table as CSV, a row a lesson (-: standard output)"), "FILE"},
      {"reset", 0, 0, G_OPTION_ARG_NONE, &arguments.reset,
       _("Forget the lessons given (or of the courses given), or --all"), NULL},
      {"all", 'a', 0, G_OPTION_ARG_NONE, &arguments.all, _("With --reset: every lesson"), NULL},
      {"yes", 'y', 0, G_OPTION_ARG_NONE, &arguments.yes, _("With --reset: do not ask"), NULL},
      {"undo", 'u', 0, G_OPTION_ARG_NONE, &arguments.undo, _("Take the last reset back"), NULL},
      {NULL}};
  OlExit status;

  if (!ol_cli_parse("[LESSON…]",
                    _("Without an option: what was answered first, what is done and what is next.\n"
                      "The letters in --results are those of the course file, alike for a whole "
                      "class; a learner sees the options in an order of their own."),
                    entries, &argc, &argv, MOST_LESSONS, &status))
    return status;
  if (!check_arguments(&arguments, argc - 1))
    return OL_EXIT_BAD_INPUT;
  return arguments.list ? list_learners() : use(&arguments, argv + 1, argc - 1);
}
