/* Writes Aiken, which has one right option a question and no place for anything else. */
#include "lessons/quiz-private.h"

#include "engine/base/intl.h"

/* Why Aiken cannot say this question, or NULL. */
static const char *find_fault(const OlQuizQuestion *question)
{
  guint right = ol_quiz_question_count_right(question);
  g_autoptr(GString) text = g_string_new(NULL);
  ol_quiz_append_line(text, question->text);
  if (right == 0)
    return _("its answer is not marked yet, and Aiken wants one");
  if (right > 1)
    return _("several of its options are right, and Aiken has one ANSWER");
  if (ol_quiz_is_aiken_line(text->str))
    return _("its text begins like an option or an ANSWER: word it in another way");
  return NULL;
}

static void append_question(GString *out, const OlQuizQuestion *question)
{
  char answer = 'A';
  ol_quiz_append_line(out, question->text);
  g_string_append_c(out, '\n');
  for (guint i = 0; i < question->n_options; i++) {
    g_string_append_printf(out, "%c) ", 'A' + i);
    ol_quiz_append_line(out, question->options[i].text);
    g_string_append_c(out, '\n');
    if (question->options[i].right)
      answer = (char)('A' + i);
  }
  g_string_append_printf(out, "ANSWER: %c\n\n", answer);
}

static gboolean has_explanation(const OlQuizQuestion *question)
{
  gboolean any = question->feedback != NULL;
  for (guint i = 0; i < question->n_options; i++)
    any |= question->options[i].why != NULL;
  return any;
}

guint ol_quiz_write_aiken(const OlQuiz *quiz, GString *text, GPtrArray *notes)
{
  guint explained = 0, written = 0;
  ol_quiz_note(notes, 0, _("the title “%s” is not kept: Aiken has no place for it"), quiz->title);
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    const char *fault = find_fault(question);
    explained += has_explanation(question);
    if (fault != NULL) {
      ol_quiz_note_left_out(notes, i + 1, fault);
      continue;
    }
    append_question(text, question);
    written++;
  }
  ol_quiz_note_loss(notes, "explanations", explained, "Aiken");
  ol_quiz_note_flat_losses(quiz, "Aiken", notes);
  return written;
}
