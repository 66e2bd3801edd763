/* The two formats made of lines: Aiken, and a title with numbered questions and bullets. */
#include "tests/lessons/quiz-fixture.h"

START_TEST(aiken_as_documented)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Which is a fruit?\nA. Stone\nB. Pear\nANSWER: B\n\n"
                                     "Which is not?\nA) Apple\nB) Plum\nC) Brick\nANSWER: C\n",
                                     NULL, notes);
  ck_assert_uint_eq(quiz->questions->len, 2);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Which is a fruit?");
  quiz_assert_options(quiz_question(quiz, 0), "~Stone|Pear");
  quiz_assert_options(quiz_question(quiz, 1), "~Apple|~Plum|Brick");
  ck_assert_uint_eq(quiz_question(quiz, 1)->line, 6);
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(aiken_with_liberties)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("A question\nof two lines?\n\n(a) one\n b)two\nand a half\n"
                "answer : b.\n"
                "I. Newton saw what,\ne.g. in May?\nB) Pear\nA) Apple\nANSWER: A\n",
                "aiken", notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "A question of two lines?");
  quiz_assert_options(quiz_question(quiz, 0), "~one|two and a half");
  quiz_assert_note(notes, 1, "2 lines");
  quiz_assert_note(notes, 6, "joined");
  ck_assert_str_eq(quiz_question(quiz, 1)->text, "I. Newton saw what, e.g. in May?");
  quiz_assert_options(quiz_question(quiz, 1), "~Pear|Apple");
}
END_TEST

START_TEST(aiken_with_one_broken_question)
{
  static const struct {
    const char *broken, *says;
  } cases[] = {
      {"Q?\nA) a\nB) b", "ANSWER"},
      {"Q?\nA) a\nB) b\nANSWER: C", "none of its options"},
      {"Q?\nA) a\nA) b\nANSWER: A", "same letter"},
      {"Q?\nA) a\nANSWER: A", "one option only"},
      {"Q?\nANSWER: A", "none of its options"},
      {"Q?\nA) a\nB) a\nANSWER: A", "repeats"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autofree char *text = g_strdup_printf(
        "First?\nA) a\nB) b\nANSWER: A\n\n%s\n\nLast?\nA) a\nB) b\nANSWER: B\n", cases[i].broken);
    g_autoptr(OlQuiz) quiz = quiz_read(text, "aiken", notes);
    quiz_assert_note(notes, 6, cases[i].says);
    ck_assert_uint_eq(quiz->questions->len, 2);
    ck_assert_str_eq(quiz_question(quiz, 1)->text, "Last?");
  }
}
END_TEST

START_TEST(text_without_answers)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("Fruit and stones\n\nAnswers come later.\n\n"
                "1. Which is\n   a fruit?\n   • A pear\n   • A stone\n"
                "2. Which is a stone?\n   • A plum\n   • A pebble,\n     round\n",
                NULL, notes);
  ck_assert_str_eq(quiz->title, "Fruit and stones");
  ck_assert_uint_eq(quiz->questions->len, 2);
  ck_assert_uint_eq(ol_quiz_count_unmarked(quiz), 2);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Which is a fruit?");
  quiz_assert_options(quiz_question(quiz, 1), "~A plum|~A pebble, round");
  ck_assert_uint_eq(notes->len, 1);
  quiz_assert_note(notes, 3, "left out");
}
END_TEST

START_TEST(text_with_answers_and_explanations)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("1) Which?\n→ Both grow.\n- This\n→ No: it does\nnot.\n✓ That\n"
                "2) Who?\n* He\n* She\nAnswer: B\n"
                "3) When?\n• Now\n\nLater, perhaps.\n• Then\nAnswer: D\n"
                "4) Where?\n• Here\n5) Lonely\n",
                "text", notes);
  ck_assert_str_eq(quiz->title, "quiz");
  ck_assert_str_eq(quiz_question(quiz, 0)->feedback, "Both grow.");
  quiz_assert_options(quiz_question(quiz, 0), "~This#No: it does not.|That");
  quiz_assert_options(quiz_question(quiz, 1), "~He|She");
  quiz_assert_options(quiz_question(quiz, 2), "~Now|~Then");
  quiz_assert_note(notes, 14, "left out");
  quiz_assert_note(notes, 16, "none of the options");
  quiz_assert_note(notes, 17, "one option only");
  quiz_assert_note(notes, 19, "no options");
}
END_TEST

START_TEST(marks)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("1. Q\n• a\n• b\n2. R\n• c\n• d\n• e\n", "text", notes);
  GError *error = NULL;
  ck_assert(!ol_quiz_mark_all(quiz, "A", &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "answers are 1, the questions 2");
  ck_assert(!ol_quiz_mark_all(quiz, "CA", &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "question 1 has A to B");
  ck_assert_uint_eq(ol_quiz_count_unmarked(quiz), 2);
  ck_assert(ol_quiz_mark_all(quiz, "-, c\n", &error));
  quiz_assert_options(quiz_question(quiz, 0), "~a|~b");
  quiz_assert_options(quiz_question(quiz, 1), "~c|~d|e");
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {aiken_as_documented,
                                aiken_with_liberties,
                                aiken_with_one_broken_question,
                                text_without_answers,
                                text_with_answers_and_explanations,
                                marks,
                                NULL};
  return suite_run("quiz-lines", tests, 30);
}
