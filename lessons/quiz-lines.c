/* Lines in and out, for the formats that are made of lines. */
#include "lessons/quiz-private.h"

#include "engine/base/intl.h"

#include <string.h>

gsize ol_quiz_span(const char *text, const char *set)
{
  gsize n = 0;
  while (text[n] != '\0' && strchr(set, text[n]) != NULL)
    n++;
  return n;
}

gsize ol_quiz_span_until(const char *text, const char *set)
{
  gsize n = 0;
  while (text[n] != '\0' && strchr(set, text[n]) == NULL)
    n++;
  return n;
}

char *ol_quiz_lines_dup_next(OlQuizLines *lines)
{
  if (*lines->next == '\0')
    return NULL;
  gsize length = ol_quiz_span_until(lines->next, "\n");
  char *line = g_strndup(lines->next, length);
  lines->next += length + (lines->next[length] == '\n');
  lines->line++;
  return line;
}

void ol_quiz_append_line(GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c(out, *text == '\n' ? ' ' : *text);
}

void ol_quiz_join(char **text, const char *more)
{
  if (*more == '\0')
    return;
  g_autofree char *before = *text;
  gboolean any = before != NULL && *before != '\0';
  *text = any ? g_strconcat(before, " ", more, NULL) : g_strdup(more);
}

int ol_quiz_answer_of_line(const char *line)
{
  static const char word[] = "answer";
  line += ol_quiz_span(line, " \t");
  if (g_ascii_strncasecmp(line, word, strlen(word)) != 0)
    return -1;
  line += strlen(word);
  gsize gap = ol_quiz_span(line, " \t:");
  if (gap == 0 || !g_ascii_isalpha(line[gap]))
    return -1;
  int letter = g_ascii_toupper(line[gap]) - 'A';
  line += gap + 1;
  line += ol_quiz_span(line, " \t.)");
  return *line == '\0' ? letter : -1;
}

void ol_quiz_note_loss(GPtrArray *notes, const char *what, guint n_questions, const char *format)
{
  if (n_questions > 0)
    ol_quiz_note(notes, 0,
                 ol_ngettext("%s of %u question: not kept, %s has no place for them",
                             "%s of %u questions: not kept, %s has no place for them", n_questions),
                 what, n_questions, format);
}

void ol_quiz_note_left_out(GPtrArray *notes, guint question, const char *why)
{
  ol_quiz_note(notes, 0, _("question %u is left out: %s"), question, why);
}

static gboolean has_newline(const OlQuizQuestion *question)
{
  gboolean any = strchr(question->text, '\n') != NULL ||
                 (question->feedback != NULL && strchr(question->feedback, '\n') != NULL);
  for (guint i = 0; i < question->n_options && !any; i++) {
    const OlOption *option = &question->options[i];
    any = strchr(option->text, '\n') != NULL ||
          (option->why != NULL && strchr(option->why, '\n') != NULL);
  }
  return any;
}

void ol_quiz_note_flat_losses(const OlQuiz *quiz, const char *format, GPtrArray *notes)
{
  guint names = 0, categories = 0, newlines = 0;
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    names += question->name != NULL;
    categories += question->category != NULL;
    newlines += has_newline(question);
  }
  ol_quiz_note_loss(notes, "names", names, format);
  ol_quiz_note_loss(notes, "categories", categories, format);
  ol_quiz_note_loss(notes, _("line breaks"), newlines, format);
}
