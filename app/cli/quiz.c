/* offload-lab-cli quiz: takes the questions of a course or a file, and asks, lists or writes them.
 */
#include "app/cli/quiz.h"

#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/grading.h"

typedef struct {
  char *import, *format, *answers, *export, *save;
  gboolean list;
} Arguments;

static void clear_arguments(Arguments *arguments)
{
  g_free(arguments->import);
  g_free(arguments->format);
  g_free(arguments->answers);
  g_free(arguments->export);
  g_free(arguments->save);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Arguments, clear_arguments)

/* `where`: file or course. */
static void tell_notes(const char *where, GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const OlQuizNote *note = notes->pdata[i];
    if (note->line)
      ol_cli_complain(_("%s: line %u: %s"), where, note->line, note->text);
    else
      ol_cli_complain("%s: %s", where, note->text);
  }
  g_ptr_array_set_size(notes, 0);
}

static gboolean refuse(const char *why)
{
  ol_cli_complain(_("%s; see offload-lab-cli quiz --help"), why);
  return FALSE;
}

/* NULL in *format when the option is not given. FALSE, and it is told, when there is no such one.
 */
static gboolean find_format(const char *option, const char *nick, const OlQuizFormat **format)
{
  g_autofree char *nicks = ol_quiz_format_dup_nicks();

  *format = nick ? ol_quiz_format_find(nick) : NULL;
  if (nick && !*format)
    ol_cli_complain(_("%s %s: there is no such format; there are %s"), option, nick, nicks);
  return !nick || *format;
}

static gboolean check_arguments(const Arguments *arguments, const char *course_id)
{
  if (!arguments->import == !course_id)
    return refuse(course_id ? _("a course or --import FILE, not both")
                            : _("say which course (offload-lab-cli lesson --list names them), or "
                                "which file with --import FILE"));
  if (!arguments->import && (arguments->format || arguments->answers))
    return refuse(_("--format and --answers go with --import FILE"));
  if (arguments->list && (arguments->export || arguments->save))
    return refuse(_("--list prints the questions; --export and --save write them: one of the two"));
  return TRUE;
}

static const OlCourse *find_course(GPtrArray *courses, const char *id)
{
  g_autoptr(GString) ids = g_string_new(NULL);

  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = courses->pdata[i];
    if (g_str_equal(course->id, id))
      return course;
    g_string_append_printf(ids, "%s%s", i ? ", " : "", course->id);
  }
  ol_cli_complain(
      _("there is no course \"%s\"; there are %s, and files are opened with --import FILE"), id,
      ids->str);
  return NULL;
}

/* Writes it on standard output, or to a file. */
static OlExit write_quiz(const OlQuiz *quiz, const char *where, const char *path,
                         const OlQuizFormat *format)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(GError) error = NULL;
  gboolean written;

  if (path) {
    written =
        ol_quiz_save(quiz, path, format ? format : ol_quiz_format_of_name(path), notes, &error);
  } else {
    g_autofree char *text = ol_quiz_dup_text(quiz, format, notes, &error);
    written = text && ol_cli_print(text, &error);
  }
  tell_notes(where, notes);
  return written ? OL_EXIT_DONE : ol_cli_fail(error);
}

static OlExit use_course(const char *id, const Arguments *arguments, const OlQuizFormat *export)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) courses = ol_cli_load_courses(&error);
  const OlCourse *course = courses ? find_course(courses, id) : NULL;
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();

  if (!course)
    return courses ? OL_EXIT_BAD_INPUT : ol_cli_fail(error);
  g_autoptr(OlQuiz) quiz = ol_quiz_new_from_course(course, notes);
  if (export || arguments->save) {
    tell_notes(id, notes);
    return write_quiz(quiz, id, arguments->save, export);
  }
  if (arguments->list)
    return ol_quiz_list(quiz, NULL);
  ol_quiz_shuffle(quiz, courses, g_get_user_name());
  return ol_quiz_in_terminal(quiz, TRUE);
}

static OlExit run_import(OlQuiz *quiz, const char *path)
{
  if (ol_quiz_count_unmarked(quiz) < quiz->questions->len)
    return ol_quiz_in_terminal(quiz, FALSE);
  ol_cli_complain(_("%s: no answer is marked, so there is nothing to ask; mark them here, or give "
                    "--answers with a letter a question"),
                  path);
  return OL_EXIT_BAD_INPUT;
}

static OlExit use_file(const Arguments *arguments, const OlQuizFormat *format,
                       const OlQuizFormat *export)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(GError) error = NULL;
  const OlQuizFormat *found = NULL;
  g_autoptr(OlQuiz) quiz = ol_quiz_load(arguments->import, format, &found, notes, &error);

  tell_notes(arguments->import, notes);
  if (!quiz || (arguments->answers && !ol_quiz_mark_all(quiz, arguments->answers, &error)))
    return ol_cli_fail(error);
  if (arguments->list)
    return ol_quiz_list(quiz, found);
  /* A quiz printed on standard output cannot ask there too. */
  if (!arguments->answers && ol_quiz_count_unmarked(quiz) > 0 && (arguments->save || !export))
    ol_quiz_mark_in_terminal(quiz);
  if (export || arguments->save)
    return write_quiz(quiz, arguments->import, arguments->save, export);
  return run_import(quiz, arguments->import);
}

OlExit ol_command_quiz(int argc, char **argv)
{
  g_auto(Arguments) arguments = {NULL};
  const GOptionEntry entries[] = {
      {"import", 'i', 0, G_OPTION_ARG_FILENAME, &arguments.import,
       _("Take the questions of a file: GIFT, Aiken, or a title and numbered questions with "
         "bullets"),
       "FILE"},
      {"format", 'f', 0, G_OPTION_ARG_STRING, &arguments.format,
       _("What FILE is written in, where it is not found out: gift, aiken or text"), "FORMAT"},
      {"answers", 'a', 0, G_OPTION_ARG_STRING, &arguments.answers,
       _("Mark the right options: a letter a question, in order, or - for none (DBCA-)"),
       _("LETTERS")},
      {"list", 'l', 0, G_OPTION_ARG_NONE, &arguments.list,
       _("Print the questions with their options, and how many there are"), NULL},
      {"export", 'e', 0, G_OPTION_ARG_STRING, &arguments.export,
       _("Write the questions as gift, aiken or text, on standard output unless --save is given"),
       "FORMAT"},
      {"save", 's', 0, G_OPTION_ARG_FILENAME, &arguments.save,
       _("Write them to this file, as the end of its name says: .gift, .aiken, else text"), "FILE"},
      {NULL}};
  const OlQuizFormat *format, *export;
  OlExit status;

  if (!ol_cli_parse(
          "[COURSE]",
          _("Asks all questions of a course or a file in a row, with the right answer and "
            "the reasons after each.\nA file whose answers are not marked is marked first. "
            "What a file loses on its way in or out is\nlisted on standard error. Your "
            "progress is neither shown nor changed."),
          entries, &argc, &argv, 1, &status))
    return status;
  const char *course_id = argc > 1 ? argv[1] : NULL;
  if (!check_arguments(&arguments, course_id) ||
      !find_format("--format", arguments.format, &format) ||
      !find_format("--export", arguments.export, &export))
    return OL_EXIT_BAD_INPUT;
  return arguments.import ? use_file(&arguments, format, export)
                          : use_course(course_id, &arguments, export);
}
