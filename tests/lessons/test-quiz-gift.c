/* GIFT as Moodle's documentation describes it, type by type, and what people make of it. */
#include "tests/lessons/quiz-fixture.h"

START_TEST(multiple_choice_with_title_feedback_and_general_feedback)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("// about colours\n"
                                     "::Sky:: Which colour has a clear sky? {\n"
                                     "  = blue # By scattering.\n"
                                     "  // nobody says this\n"
                                     "  ~ green # Grass is.\n"
                                     "  ~ red\n"
                                     "  #### Look up.\n"
                                     "}\n",
                                     NULL, notes);
  const OlQuizQuestion *question = quiz_question(quiz, 0);
  ck_assert_str_eq(question->name, "Sky");
  ck_assert_str_eq(question->text, "Which colour has a clear sky?");
  ck_assert_str_eq(question->feedback, "Look up.");
  ck_assert_uint_eq(question->line, 2);
  quiz_assert_options(question, "blue#By scattering.|~green#Grass is.|~red");
  ck_assert_str_eq(quiz->title, "quiz"); /* the file's name */
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(options_in_one_line)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Two and two?{~three =four ~five}", "gift", notes);
  quiz_assert_options(quiz_question(quiz, 0), "~three|four|~five");
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(missing_word)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Water boils at {=100 ~90} degrees.\n\n"
                                     "The tallest is {~Ann =Bob}.\n\n"
                                     "{=Asia ~Europe} is larger.\n",
                                     "gift", notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Water boils at _____ degrees.");
  ck_assert_str_eq(quiz_question(quiz, 1)->text, "The tallest is _____.");
  ck_assert_str_eq(quiz_question(quiz, 2)->text, "_____ is larger.");
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(true_and_false)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Ice floats.{T}\n\nIron floats. {FALSE}\n\n"
                                     "Wood floats.{ true #It does. #Indeed. ####Try it.}\n",
                                     "gift", notes);
  quiz_assert_options(quiz_question(quiz, 0), "True|~False");
  quiz_assert_options(quiz_question(quiz, 1), "~True|False");
  /* The first feedback is for the wrong answer, the second for the right one. */
  quiz_assert_options(quiz_question(quiz, 2), "True#Indeed.|~False#It does.");
  ck_assert_str_eq(quiz_question(quiz, 2)->feedback, "Try it.");
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(other_types_are_listed_and_left_out)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("A short one{=yes =no}\n\n"             /* 1 */
                                     "A number{#42:2}\n\n"                   /* 3 */
                                     "A range{#1..5}\n\n"                    /* 5 */
                                     "Several{#=%50%1:0 =%100%2:1}\n\n"      /* 7 */
                                     "Pairs{=a -> b =c -> d =e -> f}\n\n"    /* 9 */
                                     "An essay{}\n\n"                        /* 11 */
                                     "An essay with words{####Well.}\n\n"    /* 13 */
                                     "Only words, to be read.\n\n"           /* 15 */
                                     "Choose two{~%50%a ~%50%b ~%-50%c}\n\n" /* 17 */
                                     "What is left?{=This ~That}\n",         /* 19 */
                                     "gift", notes);
  ck_assert_uint_eq(quiz->questions->len, 1);
  ck_assert_uint_eq(quiz_question(quiz, 0)->line, 19);
  static const char *const says[] = {"short answer", "numerical",   "numerical",
                                     "numerical",    "matching",    "essay",
                                     "essay",        "description", "together"};
  ck_assert_uint_eq(notes->len, G_N_ELEMENTS(says));
  for (guint i = 0; i < G_N_ELEMENTS(says); i++)
    quiz_assert_note(notes, 1 + 2 * i, says[i]);
}
END_TEST

START_TEST(escapes)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("::a\\:\\:b::\\{x \\= 1\\}\\: is\\n{\n"
                                     "=a \\~ b \\# c#d \\= e\n"
                                     "~C:\\\\dir\\\\new\\file\n"
                                     "~two\\nlines}\n",
                                     "gift", notes);
  const OlQuizQuestion *question = quiz_question(quiz, 0);
  ck_assert_str_eq(question->name, "a::b");
  ck_assert_str_eq(question->text, "{x = 1}: is");
  quiz_assert_options(question, "a ~ b # c#d = e|~C:\\dir\\new\\file|~two\nlines");
}
END_TEST

START_TEST(weights)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("One?{\n~%100%all\n~%0%none\n~%33.3%some\n~%-5%less\n}\n\n"
                                     "Two?{=%100%all =50% of it ~%50 of it}\n\n"
                                     "Three?{=this =that ~neither}\n",
                                     "gift", notes);
  quiz_assert_options(quiz_question(quiz, 0), "all|~none|~some|~less");
  quiz_assert_note(notes, 4, "2 options are worth neither");
  quiz_assert_options(quiz_question(quiz, 1), "all|50% of it|~%50 of it");
  quiz_assert_options(quiz_question(quiz, 2), "this|that|~neither");
  quiz_assert_note(notes, 10, "any one of them");
}
END_TEST

START_TEST(categories)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) one =
      quiz_read("$CATEGORY: On // off\nQ?{=a ~b}\n\nR?{=a ~b}\n", "gift", notes);
  ck_assert_str_eq(one->title, "On / off");
  ck_assert_ptr_null(quiz_question(one, 0)->category);
  /* A place in Moodle's tree is kept beside the title. */
  g_autoptr(OlQuiz) deep = quiz_read("$CATEGORY: $course$/top/a/b\n\nQ?{=a ~b}\n", "gift", notes);
  ck_assert_str_eq(deep->title, "a/b");
  ck_assert_str_eq(quiz_question(deep, 0)->category, "$course$/top/a/b");
  g_autofree char *written = ol_quiz_dup_text(deep, ol_quiz_format_find("gift"), notes, NULL);
  ck_assert(g_str_has_prefix(written, "$CATEGORY: $course$/top/a/b\n\n"));
  /* No blank line after the category, nor before the next question's title. */
  g_autoptr(OlQuiz) two = quiz_read(
      "$CATEGORY: a/b\n::Q::Q?{=a ~b}\n::R::R?{=a ~b}\n$CATEGORY: c\nS?{=a ~b}", "gift", notes);
  ck_assert_str_eq(two->title, "quiz");
  ck_assert_str_eq(quiz_question(two, 0)->category, "a/b");
  ck_assert_str_eq(quiz_question(two, 1)->name, "R");
  ck_assert_str_eq(quiz_question(two, 2)->category, "c");
  quiz_assert_no_notes(notes);
}
END_TEST

START_TEST(formats_within_texts)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("[html]<p>Is <b>a</b> &lt; b<br/>or &#8805; b?</p>{\n=[plain]<b>\n~&amp;}\n\n"
                "[markdown]Is *a* b?\nOr not?{=[html]<i>yes</i> ~no}\n\n"
                "[html]See <img src\\=\"x.png\">{=a ~b}\n\n"
                "[moodle]a < b & c{=a ~b#[html]<em>no</em>}\n",
                "gift", notes);
  ck_assert_str_eq(quiz_question(quiz, 0)->text, "Is a < b\nor ≥ b?");
  quiz_assert_options(quiz_question(quiz, 0), "<b>|~&");
  quiz_assert_note(notes, 1, "HTML became plain");
  ck_assert_str_eq(quiz_question(quiz, 1)->text, "Is *a* b?\nOr not?");
  quiz_assert_options(quiz_question(quiz, 1), "yes|~no");
  quiz_assert_note(notes, 5, "Markdown");
  ck_assert_str_eq(quiz_question(quiz, 2)->text, "See");
  quiz_assert_note(notes, 8, "picture");
  ck_assert_str_eq(quiz_question(quiz, 3)->text, "a < b & c");
  quiz_assert_options(quiz_question(quiz, 3), "a|~b#no");
}
END_TEST

START_TEST(blank_lines_inside_braces)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("Q?{\n\n=a\n\n~b\n   \n#### done\n\n}\n\nR?{=c ~d}", "gift", notes);
  quiz_assert_options(quiz_question(quiz, 0), "a|~b");
  ck_assert_str_eq(quiz_question(quiz, 0)->feedback, "done");
  quiz_assert_options(quiz_question(quiz, 1), "c|~d");
  ck_assert_uint_eq(quiz_question(quiz, 1)->line, 11);
  quiz_assert_no_notes(notes);
}
END_TEST

/* Each broken question is told at its line, and the one behind it is there. */
START_TEST(one_broken_question_leaves_the_others)
{
  static const struct {
    const char *broken, *says;
  } cases[] = {
      {"Open?{=a ~b", "never closed"},
      {"Open?{=a\n\n~b\n", "never closed"},
      {"Closed?=a ~b}", "never opened"},
      {"Nested?{=a ~{b}}", "second brace"},
      {"Twice {=a ~b} and {=c ~d}", "more than one pair"},
      {"None right?{~a ~b}", "none of its options is right"},
      {"One?{=%100%a ~}", "no text"},
      {"Same?{=a ~b ~b}", "option C repeats"},
      {"{=a ~b}", "no text"},
      {"Words?{a b c}", "neither ~ nor ="},
      {"Lone?{~%100%a}", "one option only"},
      {"Many?{=0~1~2~3~4~5~6~7~8~9~a~b~c~d~e~f~g~h~i~j~k~l~m~n~o~p~q~r}", "26"},
  };
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autofree char *text =
        g_strdup_printf("First?{=a ~b}\n\n%s\n\nLast?{=c ~d}\n", cases[i].broken);
    g_autoptr(OlQuiz) quiz = quiz_read(text, "gift", notes);
    quiz_assert_note(notes, 3, cases[i].says);
    ck_assert_msg(quiz->questions->len == 2, "%s", cases[i].broken);
    ck_assert_str_eq(quiz_question(quiz, 1)->text, "Last?");
  }
}
END_TEST

START_TEST(small_liberties)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("One?{~a ~=b}\nTwo?{=a ~b}\n::never closed {=a ~b}\n\n"
                                     "Three?{words =a ~b}\n",
                                     "gift", notes);
  ck_assert_uint_eq(quiz->questions->len, 4);
  quiz_assert_options(quiz_question(quiz, 0), "~a|b"); /* the old way to say =b */
  ck_assert_str_eq(quiz_question(quiz, 1)->text, "Two?");
  ck_assert_str_eq(quiz_question(quiz, 2)->text, "::never closed");
  quiz_assert_note(notes, 3, "title");
  quiz_assert_note(notes, 5, "before the first");
}
END_TEST

/* What is written has everything escaped: the reader finds each text as it was. */
START_TEST(written_text_is_strict)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("::N::[plain]// $CATEGORY\\: [html] a\\nb{\n"
                                     "=%100%%50% \\{#[plain][html]<b>\n"
                                     "~[markdown]*a*\n"
                                     "~%0%%\n"
                                     "~//\n}\n",
                                     "gift", notes);
  g_autofree char *text = ol_quiz_dup_text(quiz, ol_quiz_format_find("gift"), notes, NULL);
  g_autoptr(OlQuiz) back = quiz_read(text, "gift", notes);
  quiz_assert_same(quiz, back, TRUE);
  ck_assert_str_eq(quiz_question(back, 0)->text, "// $CATEGORY: [html] a\nb");
  ck_assert_str_eq(back->title, "quiz");
  ck_assert_ptr_nonnull(strstr(text, "=%100%%50% \\{#[plain][html]<b>"));
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {multiple_choice_with_title_feedback_and_general_feedback,
                                options_in_one_line,
                                missing_word,
                                true_and_false,
                                other_types_are_listed_and_left_out,
                                escapes,
                                weights,
                                categories,
                                formats_within_texts,
                                blank_lines_inside_braces,
                                one_broken_question_leaves_the_others,
                                small_liberties,
                                written_text_is_strict,
                                NULL};
  return suite_run("quiz-gift", tests, 30);
}
