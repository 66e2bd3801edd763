/* Writes the plain-text format: all but names, categories and line breaks is kept. */
#include "lessons/quiz-text.h"

#include "engine/base/intl.h"

static void append_marked(GString *out, const char *indent, const char *sign, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf(out, "%s%s ", indent, sign);
  ol_quiz_append_line(out, text);
  g_string_append_c(out, '\n');
}

static void append_question(GString *out, guint number, const OlQuizQuestion *question)
{
  g_autofree char *sign = g_strdup_printf("%u.", number);
  append_marked(out, "", sign, question->text);
  append_marked(out, "   ", OL_QUIZ_EXPLAIN, question->feedback);
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[i];
    append_marked(out, "   ", option->right ? OL_QUIZ_RIGHT : OL_QUIZ_BULLET, option->text);
    append_marked(out, "     ", OL_QUIZ_EXPLAIN, option->why);
  }
}

guint ol_quiz_write_text(const OlQuiz *quiz, GString *text, GPtrArray *notes)
{
  if (ol_quiz_is_text_line(quiz->title) || g_str_has_prefix(quiz->title, OL_QUIZ_HEADING))
    g_string_append(text, OL_QUIZ_HEADING);
  ol_quiz_append_line(text, quiz->title);
  g_string_append(text, "\n\n");
  for (guint i = 0; i < quiz->questions->len; i++)
    append_question(text, i + 1, quiz->questions->pdata[i]);
  ol_quiz_note_flat_losses(quiz, _("plain text"), notes);
  return quiz->questions->len;
}
