/* Reads the plain-text format: a title, numbered questions, bulleted options (quiz.h). */
#include "lessons/quiz-text.h"

#include "engine/base/intl.h"

static const struct {
  const char *sign;
  OlQuizLineKind kind;
} signs[] = {
    {OL_QUIZ_BULLET, OL_QUIZ_LINE_OPTION},
    {"◦", OL_QUIZ_LINE_OPTION},
    {"‣", OL_QUIZ_LINE_OPTION},
    {"▪", OL_QUIZ_LINE_OPTION},
    {"●", OL_QUIZ_LINE_OPTION},
    {"○", OL_QUIZ_LINE_OPTION},
    {"·", OL_QUIZ_LINE_OPTION},
    {"–", OL_QUIZ_LINE_OPTION},
    {"-", OL_QUIZ_LINE_OPTION},
    {"*", OL_QUIZ_LINE_OPTION},
    {OL_QUIZ_RIGHT, OL_QUIZ_LINE_RIGHT},
    {"✔", OL_QUIZ_LINE_RIGHT},
    {OL_QUIZ_EXPLAIN, OL_QUIZ_LINE_EXPLAIN},
};

/* How long a sign before a text is, with the space that must follow; 0: none is there. */
static gsize marked_by(const char *line, const char *sign)
{
  gsize length = strlen(sign);
  if (strncmp(line, sign, length) != 0)
    return 0;
  gsize gap = ol_quiz_span(line + length, " \t");
  return gap > 0 || line[length] == '\0' ? length + gap : 0;
}

/* "12. " or "12) " */
static gsize numbered(const char *line)
{
  gsize digits = ol_quiz_span(line, "0123456789");
  if (digits == 0 || digits > 5 || (line[digits] != '.' && line[digits] != ')'))
    return 0;
  gsize gap = ol_quiz_span(line + digits + 1, " \t");
  return gap > 0 ? digits + 1 + gap : 0;
}

OlQuizLineKind ol_quiz_text_line_kind(const char *line, const char **text)
{
  line += ol_quiz_span(line, " \t");
  *text = line;
  if (*line == '\0')
    return OL_QUIZ_LINE_BLANK;
  gsize length = numbered(line);
  if (length > 0) {
    *text = line + length;
    return OL_QUIZ_LINE_NUMBERED;
  }
  for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
    if ((length = marked_by(line, signs[i].sign)) == 0)
      continue;
    *text = line + length;
    return signs[i].kind;
  }
  return OL_QUIZ_LINE_OTHER;
}

typedef struct {
  OlQuiz *quiz;
  GPtrArray *notes;
  OlQuizDraft draft; /* question NULL: none yet */
  gboolean titled;
  /* What a line without number or bullet goes on with: nothing after a blank line. */
  enum { NOTHING, QUESTION, OPTION, EXPLANATION } last;
  guint joined; /* lines to that text */
  guint line;
} Reader;

static OlOption *last_option(Reader *reader)
{
  GArray *options = reader->draft.options;
  return options->len > 0 ? &g_array_index(options, OlOption, options->len - 1) : NULL;
}

/* The text that the last line ended. */
static char **find_last(Reader *reader)
{
  OlOption *option = reader->draft.question != NULL ? last_option(reader) : NULL;
  switch (reader->last) {
  case QUESTION:
    return &reader->draft.question->text;
  case OPTION:
    return &option->text;
  case EXPLANATION:
    return option != NULL ? &option->why : &reader->draft.question->feedback;
  case NOTHING:
    break;
  }
  return NULL;
}

static void end_question(Reader *reader)
{
  if (reader->draft.question != NULL)
    ol_quiz_draft_end(&reader->draft, reader->quiz, reader->notes);
}

static void leave_out(Reader *reader, const char *why)
{
  ol_quiz_note(reader->notes, reader->line, _("this line is left out: %s"), why);
}

/* Goes on with a text. */
static void add_to(Reader *reader, char **text, const char *more)
{
  if (*text != NULL && ++reader->joined > OL_QUIZ_MOST_JOINED) {
    leave_out(reader, _("the text before it has too many lines already"));
    return;
  }
  ol_quiz_join(text, more);
}

static void read_answer(Reader *reader, int letter)
{
  GArray *options = reader->draft.options;
  if ((guint)letter >= options->len) {
    leave_out(reader, _("it names none of the options above it"));
    return;
  }
  for (guint i = 0; i < options->len; i++)
    g_array_index(options, OlOption, i).right = (int)i == letter;
}

static void read_title(Reader *reader, const char *text)
{
  if (g_str_has_prefix(text, OL_QUIZ_HEADING))
    text += strlen(OL_QUIZ_HEADING);
  g_free(reader->quiz->title);
  reader->quiz->title = g_strstrip(g_strdup(text));
  reader->titled = TRUE;
}

/* A line without number or bullet. */
static void read_other(Reader *reader, const char *text)
{
  char **last = find_last(reader);
  int answer = reader->draft.question != NULL ? ol_quiz_answer_of_line(text) : -1;
  if (answer >= 0) {
    read_answer(reader, answer);
  } else if (last != NULL) {
    add_to(reader, last, text);
  } else if (!reader->titled && reader->draft.question == NULL) {
    read_title(reader, text);
  } else {
    leave_out(reader, _("it belongs to no question and no option"));
  }
}

static void read_numbered(Reader *reader, const char *text)
{
  end_question(reader);
  ol_quiz_draft_begin(&reader->draft, reader->line);
  reader->draft.question->text = g_strdup(text);
  reader->last = QUESTION;
  reader->titled = TRUE; /* what comes now is none */
}

static void read_option(Reader *reader, const char *text, gboolean right)
{
  if (reader->draft.question == NULL) {
    leave_out(reader, _("it is an option without a question: number the question"));
    return;
  }
  if (reader->draft.options->len <= OL_QUIZ_MOST_OPTIONS)
    ol_quiz_draft_option(&reader->draft, g_strdup(text), NULL, right);
  reader->last = OPTION;
}

static void read_explanation(Reader *reader, const char *text)
{
  if (reader->draft.question == NULL) {
    leave_out(reader, _("it explains no option and no question"));
    return;
  }
  reader->last = EXPLANATION;
  add_to(reader, find_last(reader), text);
}

static void read_line(Reader *reader, char *line)
{
  const char *text;
  OlQuizLineKind kind = ol_quiz_text_line_kind(g_strchomp(line), &text);
  if (kind == OL_QUIZ_LINE_NUMBERED || kind == OL_QUIZ_LINE_OPTION || kind == OL_QUIZ_LINE_RIGHT)
    reader->joined = 0;
  switch (kind) {
  case OL_QUIZ_LINE_BLANK:
    reader->last = NOTHING;
    break;
  case OL_QUIZ_LINE_NUMBERED:
    read_numbered(reader, text);
    break;
  case OL_QUIZ_LINE_OPTION:
    read_option(reader, text, FALSE);
    break;
  case OL_QUIZ_LINE_RIGHT:
    read_option(reader, text, TRUE);
    break;
  case OL_QUIZ_LINE_EXPLAIN:
    read_explanation(reader, text);
    break;
  case OL_QUIZ_LINE_OTHER:
    read_other(reader, text);
    break;
  }
}

void ol_quiz_read_text(const char *text, OlQuiz *quiz, GPtrArray *notes)
{
  Reader reader = {.quiz = quiz, .notes = notes};
  OlQuizLines lines = {text, 0};
  for (char *line; (line = ol_quiz_lines_dup_next(&lines)) != NULL; g_free(line)) {
    reader.line = lines.line;
    read_line(&reader, line);
  }
  end_question(&reader);
}

gboolean ol_quiz_is_text_line(const char *line)
{
  const char *text;
  OlQuizLineKind kind = ol_quiz_text_line_kind(line, &text);
  return kind != OL_QUIZ_LINE_BLANK && kind != OL_QUIZ_LINE_OTHER;
}
