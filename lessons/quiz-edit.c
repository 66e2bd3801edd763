/* A quiz that is edited: what may be written into it is what a reader would take. */
#include "lessons/quiz-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

/* NULL when nothing but space is left. */
static char *dup_trimmed(const char *text)
{
  g_autofree char *valid = g_utf8_make_valid(text != NULL ? text : "", -1);
  GString *clean = g_string_new(NULL);
  for (const char *at = valid; *at != '\0'; at = g_utf8_next_char(at)) {
    gunichar letter = g_utf8_get_char(at);
    g_string_append_unichar(clean, letter == '\n' || !g_unichar_iscntrl(letter) ? letter : ' ');
  }
  g_strstrip(clean->str);
  return g_string_free(clean, *clean->str == '\0');
}

/* A copy of the options, or NULL with what is wrong. */
static OlOption *dup_options(const OlOption *options, guint n, GError **error)
{
  g_autofree OlOption *copies = g_new0(OlOption, n);
  gboolean fine = n >= 2 && n <= OL_QUIZ_MOST_OPTIONS;
  if (!fine)
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("a question has 2 to %d options"),
                OL_QUIZ_MOST_OPTIONS);
  for (guint i = 0; fine && i < n; i++) {
    copies[i] = (OlOption){.text = dup_trimmed(options[i].text),
                           .why = dup_trimmed(options[i].why),
                           .right = options[i].right};
    fine = copies[i].text != NULL;
    if (!fine)
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("option %c has no text"), 'A' + (char)i);
  }
  if (fine)
    return g_steal_pointer(&copies);
  for (guint i = 0; i < n; i++)
    ol_quiz_option_clear(&copies[i]);
  return NULL;
}

gboolean ol_quiz_question_set(OlQuizQuestion *question, const char *text, const OlOption *options,
                              guint n_options, GError **error)
{
  g_autofree char *words = dup_trimmed(text);
  if (words == NULL) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("the question has no text"));
    return FALSE;
  }
  OlOption *copies = dup_options(options, n_options, error);
  if (copies == NULL)
    return FALSE;
  for (guint i = 0; i < question->n_options; i++)
    ol_quiz_option_clear(&question->options[i]);
  g_free(question->options);
  g_free(question->text);
  question->text = g_steal_pointer(&words);
  question->options = copies;
  question->n_options = n_options;
  return TRUE;
}

OlQuizQuestion *ol_quiz_add(OlQuiz *quiz, const char *text, const OlOption *options,
                            guint n_options, GError **error)
{
  OlQuizQuestion *question = g_new0(OlQuizQuestion, 1);
  if (quiz->questions->len >= OL_QUIZ_MOST_QUESTIONS) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("a quiz has %d questions at most"),
                OL_QUIZ_MOST_QUESTIONS);
    g_free(question);
    return NULL;
  }
  if (!ol_quiz_question_set(question, text, options, n_options, error)) {
    g_free(question);
    return NULL;
  }
  g_ptr_array_add(quiz->questions, question);
  return question;
}
