/* Our courses written in each format and read again: equal where the format can carry it, and every
 * loss told. */
#include "tests/lessons/quiz-fixture.h"

#include <unistd.h>

static OlQuiz *there_and_back(const OlQuiz *quiz, const char *nick, GPtrArray *notes)
{
  g_autofree char *text = ol_quiz_dup_text(quiz, ol_quiz_format_find(nick), notes, NULL);
  g_autoptr(GPtrArray) fresh = ol_quiz_notes_new();
  const OlQuizFormat *found = NULL;
  GError *error = NULL;
  OlQuiz *back = ol_quiz_parse(text, strlen(text), "back.txt", NULL, &found, fresh, &error);
  ck_assert_msg(back != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_str_eq(found->nick, nick); /* without being told */
  quiz_assert_no_notes(fresh);         /* what is written strictly is read without a remark */
  return back;
}

static GPtrArray *load_courses(void)
{
  GError *error = NULL;
  GPtrArray *courses = ol_courses_load(NULL, &error);
  ck_assert_msg(courses != NULL, "%s", error != NULL ? error->message : "");
  ck_assert_uint_eq(courses->len, 2);
  return courses;
}

static OlQuiz *quiz_of(GPtrArray *courses, guint index, GPtrArray *notes)
{
  const OlCourse *course = courses->pdata[index];
  OlQuiz *quiz = ol_quiz_new_from_course(course, notes);
  ck_assert_uint_eq(quiz->questions->len, course->n_lessons);
  return quiz;
}

START_TEST(a_course_is_a_quiz)
{
  g_autoptr(GPtrArray) courses = load_courses();
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_of(courses, 0, notes);
  const OlQuizQuestion *question = quiz_question(quiz, 0);
  ck_assert_str_eq(quiz->title, "Offloading");
  ck_assert_str_eq(question->name, "Why offload at all");
  ck_assert_uint_eq(question->n_options, 4);
  ck_assert(question->options[3].right);
  /* A setting is known, a measured figure is not; none is left as the course file has it. */
  ck_assert_ptr_nonnull(strstr(question->options[3].why, "9 layers trained on the same card"));
  ck_assert_ptr_nonnull(strstr(question->options[0].why, "(… and …)"));
  for (guint i = 0; i < quiz->questions->len; i++)
    for (guint j = 0; j < 4; j++)
      ck_assert_ptr_null(strchr(quiz_question(quiz, i)->options[j].why, '{'));
  quiz_assert_note(notes, 0, "explanations of 8 questions");
}
END_TEST

START_TEST(gift_carries_all)
{
  g_autoptr(GPtrArray) courses = load_courses();
  for (guint i = 0; i < courses->len; i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autoptr(OlQuiz) quiz = quiz_of(courses, i, notes);
    g_ptr_array_set_size(notes, 0);
    g_autoptr(OlQuiz) back = there_and_back(quiz, "gift", notes);
    quiz_assert_no_notes(notes);
    quiz_assert_same(quiz, back, TRUE);
    ck_assert_str_eq(back->title, quiz->title);
    for (guint j = 0; j < quiz->questions->len; j++)
      ck_assert_str_eq(quiz_question(back, j)->name, quiz_question(quiz, j)->name);
  }
}
END_TEST

START_TEST(aiken_carries_questions_options_and_answers)
{
  g_autoptr(GPtrArray) courses = load_courses();
  for (guint i = 0; i < courses->len; i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autoptr(OlQuiz) quiz = quiz_of(courses, i, notes);
    g_ptr_array_set_size(notes, 0);
    g_autoptr(OlQuiz) back = there_and_back(quiz, "aiken", notes);
    quiz_assert_same(quiz, back, FALSE);
    quiz_assert_note(notes, 0, "the title");
    quiz_assert_note(notes, 0, "explanations of 8 questions");
    quiz_assert_note(notes, 0, "names of 8 questions");
    ck_assert_uint_eq(notes->len, 3);
  }
}
END_TEST

START_TEST(text_carries_all_but_names)
{
  g_autoptr(GPtrArray) courses = load_courses();
  for (guint i = 0; i < courses->len; i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autoptr(OlQuiz) quiz = quiz_of(courses, i, notes);
    g_ptr_array_set_size(notes, 0);
    g_autoptr(OlQuiz) back = there_and_back(quiz, "text", notes);
    quiz_assert_same(quiz, back, TRUE);
    ck_assert_str_eq(back->title, quiz->title);
    quiz_assert_note(notes, 0, "names of 8 questions");
    ck_assert_uint_eq(notes->len, 1);
  }
}
END_TEST

/* What a format cannot say is left out of the file, and told with the question's number. */
/* Titles that look like something else in the file. */
START_TEST(titles)
{
  static const char *const titles[] = {"1. One",  "- a",      "→ b",       "# c",
                                       "#d",      "a // b/c", "Answer: B", "$CATEGORY: x",
                                       "{=a ~b}", "::x::",    "// y"};
  for (guint i = 0; i < G_N_ELEMENTS(titles); i++) {
    g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
    g_autoptr(OlQuiz) quiz = quiz_read("Q?{=a ~b}", "gift", notes);
    g_free(quiz->title);
    quiz->title = g_strdup(titles[i]);
    g_autoptr(OlQuiz) gift = there_and_back(quiz, "gift", notes);
    ck_assert_str_eq(gift->title, titles[i]);
    g_autoptr(OlQuiz) text = there_and_back(quiz, "text", notes);
    ck_assert_str_eq(text->title, titles[i]);
    quiz_assert_no_notes(notes);
  }
}
END_TEST

START_TEST(losses_are_told)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Title\n1. Open\n• a\n• b\n2. All\n✓ a\n✓ b\n"
                                     "3. Both\n✓ a\n✓ b\n• c\n4. A. Nderson\n✓ a\n• b\n5. Good\n"
                                     "→ Said to all.\n✓ a\n• b\n",
                                     "text", notes);
  quiz_assert_no_notes(notes);
  g_autofree char *gift = ol_quiz_dup_text(quiz, ol_quiz_format_find("gift"), notes, NULL);
  ck_assert_ptr_nonnull(strstr(gift, "[plain]Both {\n\t=a\n\t=b\n\t~c\n}"));
  ck_assert_uint_eq(notes->len, 2);
  quiz_assert_note(notes, 0, "question 1 is left out: its answer is not marked");
  quiz_assert_note(notes, 0, "question 2 is left out: all of its options");
  g_ptr_array_set_size(notes, 0);
  g_autofree char *aiken = ol_quiz_dup_text(quiz, ol_quiz_format_find("aiken"), notes, NULL);
  ck_assert_str_eq(aiken, "Good\nA) a\nB) b\nANSWER: A\n\n");
  quiz_assert_note(notes, 0, "question 1 is left out");
  quiz_assert_note(notes, 0, "question 3 is left out: several");
  quiz_assert_note(notes, 0, "question 4 is left out: its text begins like");
  quiz_assert_note(notes, 0, "explanations of 1 question:");
  g_ptr_array_set_size(notes, 0);
  g_autoptr(OlQuiz) text = there_and_back(quiz, "text", notes);
  quiz_assert_no_notes(notes);
  quiz_assert_same(quiz, text, TRUE); /* open questions stay open */
}
END_TEST

/* A file that is there already is not replaced by one without a question. */
START_TEST(nothing_to_write_is_an_error)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Open ones\n1. Q\n• a\n• b\n", "text", notes);
  GError *error = NULL;
  ck_assert_ptr_null(ol_quiz_dup_text(quiz, ol_quiz_format_find("gift"), notes, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "Open ones: none of its questions");
  ck_assert(!ol_quiz_save(quiz, "/proc/no", ol_quiz_format_find("aiken"), notes, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "as Aiken");
}
END_TEST

START_TEST(categories_and_line_breaks)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read(
      "$CATEGORY: a/b\n\nQ\\nR?{=a ~b#c\\n  d}\n\n$CATEGORY: c\n\nS?{=a ~b}\n", "gift", notes);
  g_autoptr(OlQuiz) gift = there_and_back(quiz, "gift", notes);
  quiz_assert_same(quiz, gift, TRUE);
  ck_assert_str_eq(quiz_question(gift, 0)->category, "a/b");
  ck_assert_str_eq(quiz_question(gift, 1)->category, "c");
  quiz_assert_note(notes, 0, "questions have categories");
  g_autoptr(OlQuiz) text = there_and_back(quiz, "text", notes);
  ck_assert_str_eq(quiz_question(text, 0)->text, "Q R?");
  quiz_assert_note(notes, 0, "line breaks of 1 question:");
  quiz_assert_note(notes, 0, "categories of 2 questions:");
}
END_TEST

START_TEST(a_saved_quiz_is_read_again)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz = quiz_read("Which?{=this ~that}", "gift", notes);
  g_autofree char *folder = g_dir_make_tmp("quiz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, "mine.aiken", NULL);
  GError *error = NULL;
  ck_assert_str_eq(ol_quiz_format_of_name(path)->nick, "aiken");
  ck_assert_str_eq(ol_quiz_format_of_name("a.txt")->nick, "text");
  ck_assert(ol_quiz_save(quiz, path, ol_quiz_format_of_name(path), notes, &error));
  g_autoptr(OlQuiz) back = ol_quiz_load(path, NULL, NULL, notes, &error);
  quiz_assert_same(quiz, back, TRUE);
  ck_assert_str_eq(back->title, "mine");
  ck_assert(!ol_quiz_save(quiz, "/proc/no/such/quiz", ol_quiz_format_find("text"), notes, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, "/proc/no/such");
  ck_assert_ptr_null(ol_quiz_load(folder, NULL, NULL, notes, &error));
  suite_assert_error(&error, OL_ERROR_BAD_INPUT, "cannot be read");
  unlink(path);
  rmdir(folder);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {a_course_is_a_quiz,
                                gift_carries_all,
                                aiken_carries_questions_options_and_answers,
                                text_carries_all_but_names,
                                titles,
                                losses_are_told,
                                nothing_to_write_is_an_error,
                                categories_and_line_breaks,
                                a_saved_quiz_is_read_again,
                                NULL};
  return suite_run("quiz-round-trip", tests, 60);
}
