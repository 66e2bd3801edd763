/* The quiz itself: its questions, their marks, and how a reader adds to it. */
#include "lessons/quiz-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

#define MOST_NOTES 1000 /* nobody reads more; a hostile file would make millions */

void ol_quiz_option_clear(OlOption *option)
{
  g_free(option->text);
  g_free(option->why);
}

static void free_question(gpointer data)
{
  OlQuizQuestion *question = data;
  for (guint i = 0; i < question->n_options; i++)
    ol_quiz_option_clear(&question->options[i]);
  g_free(question->options);
  g_free(question->name);
  g_free(question->category);
  g_free(question->lesson);
  g_free(question->text);
  g_free(question->feedback);
  g_free(question);
}

OlQuiz *ol_quiz_new(const char *title)
{
  OlQuiz *quiz = g_new0(OlQuiz, 1);
  quiz->title = g_strdup(title);
  quiz->questions = g_ptr_array_new_with_free_func(free_question);
  return quiz;
}

void ol_quiz_free(OlQuiz *quiz)
{
  if (quiz == NULL)
    return;
  g_ptr_array_unref(quiz->questions);
  g_free(quiz->title);
  g_free(quiz);
}

guint ol_quiz_question_count_right(const OlQuizQuestion *question)
{
  guint right = 0;
  for (guint i = 0; i < question->n_options; i++)
    right += question->options[i].right;
  return right;
}

void ol_quiz_question_mark(OlQuizQuestion *question, int right)
{
  for (guint i = 0; i < question->n_options; i++)
    question->options[i].right = (int)i == right;
}

guint ol_quiz_count_unmarked(const OlQuiz *quiz)
{
  guint unmarked = 0;
  for (guint i = 0; i < quiz->questions->len; i++)
    unmarked += ol_quiz_question_count_right(quiz->questions->pdata[i]) == 0;
  return unmarked;
}

/* The marks of a key without what separates them. */
static char *dup_marks(const char *key)
{
  GString *marks = g_string_new(NULL);
  for (; *key != '\0'; key++)
    if (strchr(" ,;\t\r\n", *key) == NULL)
      g_string_append_c(marks, g_ascii_toupper(*key));
  return g_string_free(marks, FALSE);
}

static gboolean check_marks(const OlQuiz *quiz, const char *marks, GError **error)
{
  gsize n = strlen(marks);
  if (n != quiz->questions->len) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("the answers are %zu, the questions %u: give one letter each, or - for none"), n,
                quiz->questions->len);
    return FALSE;
  }
  for (guint i = 0; i < n; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    if (marks[i] == '-' || (marks[i] >= 'A' && marks[i] < 'A' + (int)question->n_options))
      continue;
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("answer %u is no option: question %u has A to %c, and - is for none"), i + 1,
                i + 1, 'A' + (int)question->n_options - 1);
    return FALSE;
  }
  return TRUE;
}

gboolean ol_quiz_mark_all(OlQuiz *quiz, const char *key, GError **error)
{
  g_autofree char *marks = dup_marks(key);
  if (!check_marks(quiz, marks, error))
    return FALSE;
  for (guint i = 0; i < quiz->questions->len; i++)
    if (marks[i] != '-')
      ol_quiz_question_mark(quiz->questions->pdata[i], marks[i] - 'A');
  return TRUE;
}

static void free_note(gpointer data)
{
  OlQuizNote *note = data;
  g_free(note->text);
  g_free(note);
}

GPtrArray *ol_quiz_notes_new(void)
{
  return g_ptr_array_new_with_free_func(free_note);
}

void ol_quiz_note(GPtrArray *notes, guint line, const char *format, ...)
{
  if (notes->len > MOST_NOTES)
    return;
  OlQuizNote *note = g_new0(OlQuizNote, 1);
  va_list arguments;
  va_start(arguments, format);
  note->line = line;
  note->text = notes->len < MOST_NOTES
                   ? g_strdup_vprintf(format, arguments)
                   : g_strdup(_("from here on there is more, which is not listed"));
  va_end(arguments);
  g_ptr_array_add(notes, note);
}

void ol_quiz_draft_begin(OlQuizDraft *draft, guint line)
{
  draft->question = g_new0(OlQuizQuestion, 1);
  draft->question->line = line;
  draft->options = g_array_new(FALSE, TRUE, sizeof(OlOption));
  g_array_set_clear_func(draft->options, (GDestroyNotify)ol_quiz_option_clear);
}

void ol_quiz_draft_drop(OlQuizDraft *draft)
{
  g_clear_pointer(&draft->options, g_array_unref);
  g_clear_pointer(&draft->question, free_question);
}

void ol_quiz_draft_option(OlQuizDraft *draft, char *text, char *why, gboolean right)
{
  if (why != NULL && *why == '\0')
    g_clear_pointer(&why, g_free);
  OlOption option = {.text = text, .why = why, .right = right};
  g_array_append_val(draft->options, option);
}

/* Two options with one text cannot be told apart. -1: there are none. */
static int find_repeated(const GArray *options)
{
  for (guint i = 0; i < options->len; i++)
    for (guint j = 0; j < i; j++)
      if (g_str_equal(g_array_index(options, OlOption, i).text,
                      g_array_index(options, OlOption, j).text))
        return (int)i;
  return -1;
}

static int find_empty(const GArray *options)
{
  for (guint i = 0; i < options->len; i++)
    if (*g_array_index(options, OlOption, i).text == '\0')
      return (int)i;
  return -1;
}

/* Why the draft is no question that can be asked, or NULL. Caller frees. */
static char *dup_fault(const OlQuizDraft *draft)
{
  const GArray *options = draft->options;
  const char *text = draft->question->text;
  int bad;
  if (text == NULL || *text == '\0')
    return g_strdup(_("it has no text: write the question before its options"));
  if (options->len < 2)
    return g_strdup(options->len == 0 ? _("it has no options: give two or more")
                                      : _("it has one option only: give two or more"));
  if (options->len > OL_QUIZ_MOST_OPTIONS)
    return g_strdup_printf(_("it has %u options: %d at most can be asked"), options->len,
                           OL_QUIZ_MOST_OPTIONS);
  if ((bad = find_empty(options)) >= 0)
    return g_strdup_printf(_("option %c has no text"), 'A' + bad);
  if ((bad = find_repeated(options)) >= 0)
    return g_strdup_printf(_("option %c repeats an earlier one: change one of them"), 'A' + bad);
  return NULL;
}

void ol_quiz_draft_end(OlQuizDraft *draft, OlQuiz *quiz, GPtrArray *notes)
{
  OlQuizQuestion *question = draft->question;
  g_autofree char *fault = dup_fault(draft);
  if (fault == NULL && quiz->questions->len >= OL_QUIZ_MOST_QUESTIONS)
    fault = g_strdup_printf(_("only %d questions of a file are read: divide it"),
                            OL_QUIZ_MOST_QUESTIONS);
  if (fault != NULL) {
    ol_quiz_note(notes, question->line, _("the question is left out: %s"), fault);
    ol_quiz_draft_drop(draft);
    return;
  }
  question->n_options = draft->options->len;
  question->options = (OlOption *)g_array_free(draft->options, FALSE);
  draft->options = NULL;
  g_ptr_array_add(quiz->questions, g_steal_pointer(&draft->question));
}
