/* Quizzes written in the test, read and compared. */
#pragma once

#include "lessons/quiz.h"
#include "tests/lessons/suite.h"

/* Reads text as this format (NULL: found out); it must hold a question that can be used. */
static inline OlQuiz *quiz_read(const char *text, const char *nick, GPtrArray *notes)
{
  GError *error = NULL;
  const OlQuizFormat *format = nick != NULL ? ol_quiz_format_find(nick) : NULL;
  OlQuiz *quiz = ol_quiz_parse(text, strlen(text), "quiz.txt", format, NULL, notes, &error);
  ck_assert_msg(quiz != NULL, "%s", error != NULL ? error->message : "");
  return quiz;
}

static inline const OlQuizQuestion *quiz_question(const OlQuiz *quiz, guint index)
{
  ck_assert_uint_lt(index, quiz->questions->len);
  return quiz->questions->pdata[index];
}

/* There is a note for this line that says these words. */
static inline void quiz_assert_note(GPtrArray *notes, guint line, const char *words)
{
  g_autoptr(GString) all = g_string_new(NULL);
  for (guint i = 0; i < notes->len; i++) {
    const OlQuizNote *note = notes->pdata[i];
    if (note->line == line && strstr(note->text, words) != NULL)
      return;
    g_string_append_printf(all, "\n%u: %s", note->line, note->text);
  }
  ck_abort_msg("line %u does not say “%s”; there is:%s", line, words, all->str);
}

static inline void quiz_assert_no_notes(GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    ck_abort_msg("line %u: %s", ((OlQuizNote *)notes->pdata[i])->line,
                 ((OlQuizNote *)notes->pdata[i])->text);
}

/* Options as "right|~wrong|~wrong" in order, explanations behind a #. Caller frees. */
static inline char *quiz_options(const OlQuizQuestion *question)
{
  GString *words = g_string_new(NULL);
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[i];
    g_string_append_printf(words, "%s%s%s", i > 0 ? "|" : "", option->right ? "" : "~",
                           option->text);
    if (option->why != NULL)
      g_string_append_printf(words, "#%s", option->why);
  }
  return g_string_free(words, FALSE);
}

static inline void quiz_assert_options(const OlQuizQuestion *question, const char *expected)
{
  g_autofree char *words = quiz_options(question);
  ck_assert_str_eq(words, expected);
}

/* Everything a question says, for comparing; `why`: explanations too. Caller frees. */
static inline char *quiz_question_words(const OlQuizQuestion *question, gboolean why)
{
  GString *words = g_string_new(question->text);
  for (guint i = 0; i < question->n_options; i++) {
    const OlOption *option = &question->options[i];
    g_string_append_printf(words, "\n%c %s", option->right ? '=' : '~', option->text);
    if (why)
      g_string_append_printf(words, "\n# %s", option->why != NULL ? option->why : "(none)");
  }
  if (why)
    g_string_append_printf(words, "\n#### %s",
                           question->feedback != NULL ? question->feedback : "(none)");
  return g_string_free(words, FALSE);
}

static inline void quiz_assert_same(const OlQuiz *a, const OlQuiz *b, gboolean why)
{
  ck_assert_uint_eq(a->questions->len, b->questions->len);
  for (guint i = 0; i < a->questions->len; i++) {
    g_autofree char *in_a = quiz_question_words(quiz_question(a, i), why);
    g_autofree char *in_b = quiz_question_words(quiz_question(b, i), why);
    ck_assert_str_eq(in_a, in_b);
  }
}
