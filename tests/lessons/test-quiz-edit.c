/* What an editor may write into a quiz, and a quick quiz under way. */
#include "lessons/quiz-round.h"
#include "tests/lessons/quiz-fixture.h"

static OlQuiz *read_two(void)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  return quiz_read("One?\nA. a\nB. b\nANSWER: B\n\nTwo?\nA. c\nB. d\nANSWER: A\n", NULL, notes);
}

START_TEST(what_is_written_is_what_a_reader_takes)
{
  g_autoptr(OlQuiz) quiz = read_two();
  OlQuizQuestion *first = quiz->questions->pdata[0];
  const OlOption options[] = {
      {"  x \n", " why\tso ", FALSE}, {"y", "  ", TRUE}, {"z\x01", NULL, FALSE}};
  ck_assert(ol_quiz_question_set(first, " New?\n", options, 3, NULL));
  ck_assert_str_eq(first->text, "New?");
  quiz_assert_options(first, "~x#why so|y|~z");
  ck_assert_str_eq(first->options[0].why, "why so");
  ck_assert_ptr_null(first->options[1].why);

  /* Written and read again it is the same. */
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autofree char *gift = ol_quiz_dup_text(quiz, ol_quiz_format_find("gift"), notes, NULL);
  g_autoptr(OlQuiz) again = quiz_read(gift, "gift", notes);
  quiz_assert_options(quiz_question(again, 0), "~x#why so|y|~z");
}
END_TEST

START_TEST(what_cannot_be_leaves_it_as_it_was)
{
  g_autoptr(OlQuiz) quiz = read_two();
  OlQuizQuestion *first = quiz->questions->pdata[0];
  const OlOption empty[] = {{"x", NULL, TRUE}, {" \n", NULL, FALSE}};
  const OlOption two[] = {{"x", NULL, TRUE}, {"y", NULL, FALSE}};
  g_autofree OlOption *many = g_new0(OlOption, OL_QUIZ_MOST_OPTIONS + 1);
  const struct {
    const char *text, *says;
    const OlOption *options;
    guint n;
  } cases[] = {{" ", "no text", two, 2},
               {"Q?", "option B has no text", empty, 2},
               {"Q?", "2 to 26 options", two, 1},
               {"Q?", "2 to 26 options", many, OL_QUIZ_MOST_OPTIONS + 1}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    GError *error = NULL;
    ck_assert(!ol_quiz_question_set(first, cases[i].text, cases[i].options, cases[i].n, &error));
    suite_assert_error(&error, OL_ERROR_BAD_INPUT, cases[i].says);
    ck_assert_ptr_null(ol_quiz_add(quiz, cases[i].text, cases[i].options, cases[i].n, NULL));
  }
  ck_assert_str_eq(first->text, "One?");
  quiz_assert_options(first, "~a|b");
  ck_assert_uint_eq(quiz->questions->len, 2);
  ck_assert_ptr_nonnull(ol_quiz_add(quiz, "Three?", two, 2, NULL));
  ck_assert_uint_eq(quiz->questions->len, 3);
}
END_TEST

START_TEST(a_round)
{
  g_autoptr(OlQuiz) quiz = read_two();
  const OlOption unmarked[] = {{"x", NULL, FALSE}, {"y", NULL, FALSE}};
  const OlOption marked[] = {{"x", NULL, FALSE}, {"y", NULL, TRUE}};
  ol_quiz_add(quiz, "Nobody knows", unmarked, 2, NULL);
  ol_quiz_add(quiz, "Last?", marked, 2, NULL);
  g_autoptr(OlQuizRound) round = ol_quiz_round_new(quiz);
  ck_assert_uint_eq(round->asked->len, 3);
  ck_assert_str_eq(ol_quiz_round_get_question(round)->text, "One?");
  ck_assert(ol_quiz_round_answer(round, 1));
  ol_quiz_round_go_on(round);
  ck_assert(!ol_quiz_round_is_last(round));
  ck_assert(!ol_quiz_round_answer(round, 1));
  ol_quiz_round_go_on(round);
  ck_assert_str_eq(ol_quiz_round_get_question(round)->text, "Last?");
  ck_assert(ol_quiz_round_is_last(round));
  ck_assert(ol_quiz_round_answer(round, 1));
  ol_quiz_round_go_on(round);
  ck_assert_ptr_null(ol_quiz_round_get_question(round));
  ck_assert_uint_eq(round->answered, 3);
  ck_assert_uint_eq(round->right, 2);
  ck_assert_str_eq(ol_quiz_round_get_missed(round, 0)->text, "Two?");
  ck_assert_ptr_null(ol_quiz_round_get_missed(round, 1));
}
END_TEST

START_TEST(names_that_say_quiz)
{
  ck_assert(ol_quiz_is_likely("a.gift") && ol_quiz_is_likely("b.aiken") &&
            ol_quiz_is_likely("/c/d.txt"));
  ck_assert(!ol_quiz_is_likely("run.jsonl") && !ol_quiz_is_likely("config.json"));
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {what_is_written_is_what_a_reader_takes,
                                what_cannot_be_leaves_it_as_it_was, a_round, names_that_say_quiz,
                                NULL};
  return suite_run("quiz-edit", tests, 30);
}
