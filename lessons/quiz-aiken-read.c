/* Reads Aiken: a question on a line, options "A) …" or "A. …" on a line each, then "ANSWER: B"
 * (docs.moodle.org, "Aiken format"). */
#include "lessons/quiz-private.h"

#include "engine/base/intl.h"

typedef struct {
  OlQuiz *quiz;
  GPtrArray *notes;
  OlQuizDraft draft; /* question NULL: none under way */
  GString *text;     /* of the question */
  guint text_lines;
  char letters[OL_QUIZ_MOST_OPTIONS + 2]; /* of the options, in order */
  gboolean repeated;                      /* a letter */
  guint joined;                           /* lines to the last option */
  gboolean after_blank;
  guint line;
} Aiken;

/* The letter of "A) text" or "A. text", also "(a)text"; A as 0, -1: none. "e.g." is none. */
static int option_of_line(const char *line, const char **text)
{
  line += ol_quiz_span(line, " \t(");
  if (!g_ascii_isalpha(line[0]) || (line[1] != ')' && line[1] != '.'))
    return -1;
  gsize gap = ol_quiz_span(line + 2, " \t");
  if (line[1] == '.' && gap == 0 && line[2] != '\0')
    return -1;
  *text = line + 2 + gap;
  return g_ascii_toupper(line[0]) - 'A';
}

static void begin(Aiken *aiken)
{
  ol_quiz_draft_begin(&aiken->draft, aiken->line);
  g_string_truncate(aiken->text, 0);
  aiken->text_lines = 0;
  aiken->letters[0] = '\0';
  aiken->repeated = FALSE;
}

static void leave_out(Aiken *aiken, const char *why)
{
  ol_quiz_note(aiken->notes, aiken->draft.question->line, _("the question is left out: %s"), why);
  ol_quiz_draft_drop(&aiken->draft);
}

static void end_without_answer(Aiken *aiken)
{
  leave_out(aiken, aiken->draft.options->len > 0
                       ? _("no line such as ANSWER: B follows its options")
                       : _("no options such as A) … follow it"));
}

static void read_option(Aiken *aiken, int letter, const char *text)
{
  gsize n = strlen(aiken->letters);
  aiken->repeated |= strchr(aiken->letters, 'A' + letter) != NULL;
  aiken->joined = 0;
  if (n + 1 < sizeof aiken->letters) {
    aiken->letters[n] = (char)('A' + letter);
    aiken->letters[n + 1] = '\0';
    ol_quiz_draft_option(&aiken->draft, g_strstrip(g_strdup(text)), NULL, FALSE);
  }
}

static void read_answer(Aiken *aiken, int letter)
{
  if (aiken->draft.question == NULL) {
    ol_quiz_note(aiken->notes, aiken->line, _("an answer without a question is left out"));
    return;
  }
  const char *place = strchr(aiken->letters, 'A' + letter);
  if (aiken->repeated || place == NULL || *place == '\0') {
    leave_out(aiken, aiken->repeated ? _("two of its options have the same letter")
                                     : _("its ANSWER names none of its options"));
    return;
  }
  if (aiken->text_lines > 1)
    ol_quiz_note(aiken->notes, aiken->draft.question->line,
                 _("the %u lines of the question became one"), aiken->text_lines);
  g_array_index(aiken->draft.options, OlOption, place - aiken->letters).right = TRUE;
  aiken->draft.question->text = g_strstrip(g_strdup(aiken->text->str));
  ol_quiz_draft_end(&aiken->draft, aiken->quiz, aiken->notes);
}

static void read_words(Aiken *aiken, const char *line)
{
  gboolean in_options = aiken->draft.question != NULL && aiken->draft.options->len > 0;
  if (in_options && !aiken->after_blank && aiken->joined++ < OL_QUIZ_MOST_JOINED) {
    guint last = aiken->draft.options->len - 1;
    ol_quiz_join(&g_array_index(aiken->draft.options, OlOption, last).text, line);
    ol_quiz_note(aiken->notes, aiken->line, _("this line was joined to the option before it"));
    return;
  }
  if (in_options)
    end_without_answer(aiken);
  if (aiken->draft.question == NULL)
    begin(aiken);
  if (aiken->text->len > 0)
    g_string_append_c(aiken->text, ' ');
  g_string_append(aiken->text, line);
  aiken->text_lines++;
}

static void read_line(Aiken *aiken, const char *line)
{
  const char *text;
  int answer = ol_quiz_answer_of_line(line), letter = option_of_line(line, &text);
  gboolean open = aiken->draft.question != NULL;
  if (*line != '\0' && answer >= 0)
    read_answer(aiken, answer);
  else if (*line != '\0' && letter >= 0 && open)
    read_option(aiken, letter, text);
  else if (*line != '\0')
    read_words(aiken, line);
  aiken->after_blank = *line == '\0';
}

void ol_quiz_read_aiken(const char *text, OlQuiz *quiz, GPtrArray *notes)
{
  Aiken aiken = {.quiz = quiz, .notes = notes, .text = g_string_new(NULL)};
  OlQuizLines lines = {text, 0};
  for (char *line; (line = ol_quiz_lines_dup_next(&lines)) != NULL; g_free(line)) {
    aiken.line = lines.line;
    read_line(&aiken, g_strstrip(line));
  }
  if (aiken.draft.question != NULL)
    end_without_answer(&aiken);
  g_string_free(aiken.text, TRUE);
}

gboolean ol_quiz_is_aiken_line(const char *line)
{
  const char *text;
  return ol_quiz_answer_of_line(line) >= 0 || option_of_line(line, &text) >= 0;
}
