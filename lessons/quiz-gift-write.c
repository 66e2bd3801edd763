/* Writes GIFT: every text is [plain], with every sign escaped that GIFT gives a meaning. */
#include "lessons/quiz-gift.h"

#include "engine/base/intl.h"

static void append_escaped(GString *out, const char *text)
{
  for (; *text != '\0'; text++) {
    if (*text == '\n') {
      g_string_append(out, "\\n");
      continue;
    }
    if (strchr("~=#{}:\\", *text) != NULL)
      g_string_append_c(out, '\\');
    g_string_append_c(out, *text);
  }
}

/* A text after the question's own, whose [plain] goes for it too, unless it looks like a markup. */
static void append_part(GString *out, const char *text)
{
  if (*text == '[')
    g_string_append(out, "[plain]");
  append_escaped(out, text);
}

static void append_option(GString *out, const OlOption *option)
{
  g_string_append(out, option->right ? "\t=" : "\t~");
  if (*option->text == '%') /* else it might be read as a weight */
    g_string_append(out, option->right ? "%100%" : "%0%");
  append_part(out, option->text);
  if (option->why != NULL) {
    g_string_append_c(out, '#');
    append_part(out, option->why);
  }
  g_string_append_c(out, '\n');
}

static void append_question(GString *out, const OlQuizQuestion *question)
{
  if (question->name != NULL) {
    g_string_append(out, "::");
    append_escaped(out, question->name);
    g_string_append(out, "::");
  }
  g_string_append(out, "[plain]");
  append_escaped(out, question->text);
  g_string_append(out, " {\n");
  for (guint i = 0; i < question->n_options; i++)
    append_option(out, &question->options[i]);
  if (question->feedback != NULL) {
    g_string_append(out, "\t####");
    append_part(out, question->feedback);
    g_string_append_c(out, '\n');
  }
  g_string_append(out, "}\n\n");
}

static gboolean has_categories(const OlQuiz *quiz)
{
  for (guint i = 0; i < quiz->questions->len; i++)
    if (((OlQuizQuestion *)quiz->questions->pdata[i])->category != NULL)
      return TRUE;
  return FALSE;
}

/* Whether the questions' own category gives the title back to who reads it. */
static gboolean is_title_in_category(const OlQuiz *quiz)
{
  const char *category = ol_gift_find_category(quiz);
  g_autofree char *title = category != NULL ? ol_gift_dup_category_title(category) : NULL;
  return g_strcmp0(title, quiz->title) == 0;
}

/* The title as a category, unless the questions have their own. */
static void append_title(GString *out, const OlQuiz *quiz, GPtrArray *notes)
{
  if (!has_categories(quiz)) {
    g_autofree char *category = ol_gift_dup_title_category(quiz->title);
    g_string_append_printf(out, "$CATEGORY: %s\n\n", category);
  } else if (!is_title_in_category(quiz)) {
    ol_quiz_note(notes, 0, _("the title “%s” is not kept: the questions have categories"),
                 quiz->title);
  }
}

guint ol_quiz_write_gift(const OlQuiz *quiz, GString *text, GPtrArray *notes)
{
  const char *category = NULL;
  guint written = 0;
  append_title(text, quiz, notes);
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    guint right = ol_quiz_question_count_right(question);
    if (right == 0 || right == question->n_options) {
      ol_quiz_note_left_out(notes, i + 1,
                            right == 0 ? _("its answer is not marked yet, and GIFT wants one")
                                       : _("all of its options are right, which GIFT cannot say"));
      continue;
    }
    if (question->category != NULL && g_strcmp0(category, question->category) != 0)
      g_string_append_printf(text, "$CATEGORY: %s\n\n", category = question->category);
    append_question(text, question);
    written++;
  }
  return written;
}
