#include "tests/lessons/mini-course.h"

char *mini_course_read(void)
{
  g_autofree char *path = suite_path("mini-course.json");
  char *text = NULL;
  ck_assert(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

char *mini_course_edit(const char *find, const char *by)
{
  g_autofree char *text = mini_course_read();
  char *at = strstr(text, find);
  ck_assert_msg(at != NULL, "the mini course has no %s", find);
  g_autofree char *head = g_strndup(text, (gsize)(at - text));
  return g_strconcat(head, by, at + strlen(find), NULL);
}

guint mini_course_line_of(const char *text, const char *words)
{
  const char *at = strstr(text, words);
  ck_assert_msg(at != NULL, "no %s in the text", words);
  guint line = 1;
  for (const char *p = text; p < at; p++)
    line += *p == '\n';
  return line;
}
