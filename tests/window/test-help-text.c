/* Help pages: what they are made of, what is wrong with one that cannot be read, and those of the
 * lab, every one of them. */
#include "app/window/help-text.h"
#include "engine/base/error.h"
#include "tests/suite.h"

#include <string.h>

static const OlHelpPart *part_of(const OlHelpPage *page, guint i)
{
  return g_ptr_array_index(page->parts, i);
}

START_TEST(parts_are_told_apart)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlHelpPage) page = ol_help_page_parse("# A title\n"
                                                  "One paragraph\n"
                                                  "on two lines.\n"
                                                  "\n"
                                                  "Another.\n"
                                                  "* A point\n"
                                                  "= <Control>p F5 | Does it\n",
                                                  "40-memory.txt", &error);
  ck_assert_msg(page != NULL, "%s", error ? error->message : "");
  ck_assert_str_eq(page->id, "memory");
  ck_assert_str_eq(page->title, "A title");
  ck_assert_uint_eq(page->parts->len, 4);
  ck_assert_str_eq(part_of(page, 0)->text, "One paragraph on two lines.");
  ck_assert_str_eq(part_of(page, 1)->text, "Another.");
  ck_assert_int_eq(part_of(page, 2)->kind, OL_HELP_POINT);
  ck_assert_str_eq(part_of(page, 2)->text, "A point");
  ck_assert_int_eq(part_of(page, 3)->kind, OL_HELP_KEYS);
  ck_assert_str_eq(part_of(page, 3)->keys, "<Control>p F5");
  ck_assert_str_eq(part_of(page, 3)->text, "Does it");
}
END_TEST

START_TEST(faults_are_named)
{
  static const struct {
    const char *text, *words;
  } faults[] = {{"", "line 1"},
                {"No title", "# Title"},
                {"# T\n\n= no words\n", "line 3"},
                {"# T\n=| no keys\n", "line 2"}};
  for (guint i = 0; i < G_N_ELEMENTS(faults); i++) {
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(ol_help_page_parse(faults[i].text, "x.txt", &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
    ck_assert_msg(strstr(error->message, faults[i].words) && strstr(error->message, "x.txt"), "%s",
                  error->message);
  }
}
END_TEST

START_TEST(the_labs_pages_are_read)
{
  static const char *const views[] = {
      "lab",     "lesson",  "tiers",  "memory",  "lanes",    "loss",      "ranks",       "figures",
      "sandbox", "planner", "review", "quizzes", "progress", "classroom", "own-lessons", "files"};
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) pages = ol_help_pages_load(g_getenv("OFFLOAD_LAB_DATA"), &error);

  ck_assert_msg(pages != NULL, "%s", error ? error->message : "");
  for (guint i = 0; i < G_N_ELEMENTS(views); i++) {
    const OlHelpPage *page = g_ptr_array_index(pages, ol_help_pages_find(pages, views[i]));
    ck_assert_str_eq(page->id, views[i]);
    ck_assert_uint_gt(page->parts->len, 0);
  }
  ck_assert_uint_eq(ol_help_pages_find(pages, "nothing-like-it"), 0);
  ck_assert_uint_eq(ol_help_pages_find(pages, NULL), 0);
}
END_TEST

START_TEST(no_pages_are_told)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_help_pages_load("/nowhere", &error));
  ck_assert_ptr_nonnull(strstr(error->message, "/nowhere/help"));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("help-text");
  tcase_add_test(tcase, parts_are_told_apart);
  tcase_add_test(tcase, faults_are_named);
  tcase_add_test(tcase, the_labs_pages_are_read);
  tcase_add_test(tcase, no_pages_are_told);
  return run_suite("help-text", tcase);
}
