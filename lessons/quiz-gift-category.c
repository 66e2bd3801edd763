/* GIFT's categories and the quiz's title: Moodle keeps questions in a tree of the former, and knows
 * no latter. */
#include "lessons/quiz-gift.h"

char *ol_gift_dup_category_title(const char *category)
{
  static const char *const prefixes[] = {"$course$/", "$cat1$/", "$module$/", "$system$/", "top/"};
  for (guint i = 0; i < G_N_ELEMENTS(prefixes); i++) {
    gsize length = strlen(prefixes[i]);
    if (g_str_has_prefix(category, prefixes[i]) && category[length] != '/')
      category += length;
  }
  GString *title = g_string_new(category);
  g_string_replace(title, "//", "/", 0);
  return g_strstrip(g_string_free(title, FALSE));
}

char *ol_gift_dup_title_category(const char *title)
{
  GString *category = g_string_new(title);
  g_string_replace(category, "\n", " ", 0);
  g_string_replace(category, "/", "//", 0);
  return g_string_free(category, FALSE);
}

const char *ol_gift_find_category(const OlQuiz *quiz)
{
  const char *category = NULL;
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = quiz->questions->pdata[i];
    if (i > 0 && g_strcmp0(category, question->category) != 0)
      return NULL;
    category = question->category;
  }
  return category;
}
