/* A class: what is in sight when, who may see which counts, votes and their table, and that none of
 * it is anybody's progress. */
#include "lessons/class-session.h"

#include "tests/lessons/progress-fixture.h"
#include "tests/lessons/quiz-fixture.h"

static OlOption options[] = {{"It leaves out, as \"they\" say", "No: {serial:step.seconds}", FALSE},
                             {"=It hides", "Yes", TRUE},
                             {"Neither", "No", FALSE}};
static OlLesson lessons[] = {
    {.id = "one", .title = "First", .question = {"How, then?", options, G_N_ELEMENTS(options)}},
    {.id = "two", .title = "Second", .question = {"And why?", options, G_N_ELEMENTS(options)}}};
static const OlCourse course = {"a", "Course", lessons, G_N_ELEMENTS(lessons)};

static OlClassSession *begin_lessons(void)
{
  OlClassSession *session = ol_class_session_new();
  ol_class_session_add_lesson(session, &course, 0);
  ol_class_session_add_lesson(session, &course, 1);
  return session;
}

static void assert_at(const OlClassSession *session, guint position, OlClassStage stage)
{
  ck_assert_uint_eq(ol_class_session_get_position(session), position);
  ck_assert_int_eq(ol_class_session_get_stage(session), stage);
}

/* What is peeked at is what comes. */
static void go_on_to(OlClassSession *session, guint position, OlClassStage stage)
{
  gboolean other;
  guint before = ol_class_session_get_position(session);
  OlClassStage peeked = ol_class_session_peek(session, &other);
  ck_assert(ol_class_session_go_on(session));
  assert_at(session, position, stage);
  ck_assert_int_eq(peeked, stage);
  ck_assert_int_eq(other, position != before);
}

static void vote(OlClassSession *session, const char *letters)
{
  for (; *letters != '\0'; letters++)
    ck_assert(ol_class_session_vote(session, (guint)(*letters - 'A')));
}

START_TEST(goes_through_a_lesson_and_into_the_next)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  assert_at(session, 0, OL_CLASS_QUESTION);
  ck_assert(!ol_class_session_go_back(session));
  go_on_to(session, 0, OL_CLASS_BENCH);
  go_on_to(session, 0, OL_CLASS_FIRST_VOTE);
  vote(session, "AB");
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  go_on_to(session, 0, OL_CLASS_REVEALED);
  go_on_to(session, 0, OL_CLASS_EXPLAINED);
  go_on_to(session, 1, OL_CLASS_QUESTION);
  ck_assert(ol_class_session_go_back(session)); /* the first stays where it was left */
  assert_at(session, 0, OL_CLASS_EXPLAINED);
  ck_assert(ol_class_session_go_question(session, 1));
  ck_assert(!ol_class_session_go_question(session, 1));
  go_on_to(session, 1, OL_CLASS_BENCH);
  go_on_to(session, 1, OL_CLASS_FIRST_VOTE);
  go_on_to(session, 1, OL_CLASS_REVEALED); /* nobody voted: no tally */
  go_on_to(session, 1, OL_CLASS_EXPLAINED);
  ck_assert(!ol_class_session_go_on(session));
  assert_at(session, 1, OL_CLASS_EXPLAINED);
}
END_TEST

START_TEST(counts_are_out_of_sight_while_anybody_votes)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  ck_assert(!ol_class_session_vote(session, 0)); /* nothing is open */
  ck_assert(ol_class_session_open_vote(session));
  vote(session, "AAB");
  ck_assert(!ol_class_session_vote(session, 3)); /* no such option */
  ck_assert_uint_eq(ol_class_session_get_total(session, 0), 3);
  ck_assert(!ol_class_session_shows_round(session, 0));
  ck_assert(!ol_class_session_may_vote_again(session));
  ck_assert(!ol_class_session_open_vote(session));
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  ck_assert(ol_class_session_shows_round(session, 0));
  ck_assert(!ol_class_session_vote(session, 0)); /* it is closed */
  ck_assert(ol_class_session_may_vote_again(session));
  ck_assert(ol_class_session_open_vote(session));
  assert_at(session, 0, OL_CLASS_SECOND_VOTE);
  vote(session, "BBB");
  ck_assert(!ol_class_session_shows_round(session, 0));
  ck_assert(!ol_class_session_shows_round(session, 1));
  go_on_to(session, 0, OL_CLASS_SECOND_TALLY);
  ck_assert(ol_class_session_shows_round(session, 0) && ol_class_session_shows_round(session, 1));
  ck_assert_uint_eq(ol_class_session_get_votes(session, 0, 0), 2);
  ck_assert_uint_eq(ol_class_session_get_votes(session, 1, 0), 0);
  ck_assert_uint_eq(ol_class_session_get_votes(session, 1, 1), 3);
  ck_assert(!ol_class_session_open_vote(session)); /* there is no third */
  go_on_to(session, 0, OL_CLASS_REVEALED);
  ck_assert(ol_class_session_shows_round(session, 1));
}
END_TEST

START_TEST(a_second_vote_that_nobody_gave_is_none)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  ck_assert(ol_class_session_open_vote(session));
  vote(session, "C");
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  ck_assert(ol_class_session_open_vote(session));
  ck_assert(ol_class_session_go_back(session)); /* changed their mind */
  assert_at(session, 0, OL_CLASS_FIRST_TALLY);
  go_on_to(session, 0, OL_CLASS_SECOND_VOTE);
  go_on_to(session, 0, OL_CLASS_REVEALED);
  ck_assert(ol_class_session_shows_round(session, 0));
  ck_assert(!ol_class_session_shows_round(session, 1));
}
END_TEST

START_TEST(takes_back_what_was_pressed_by_mistake)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  ck_assert(!ol_class_session_undo_vote(session));
  ck_assert(ol_class_session_open_vote(session));
  ck_assert(!ol_class_session_undo_vote(session));
  vote(session, "ABAC");
  ck_assert(ol_class_session_take_back(session, 0)); /* the latest A */
  ck_assert(ol_class_session_undo_vote(session));    /* C */
  ck_assert(ol_class_session_undo_vote(session));    /* B */
  ck_assert_uint_eq(ol_class_session_get_votes(session, 0, 0), 1);
  ck_assert_uint_eq(ol_class_session_get_total(session, 0), 1);
  ck_assert(!ol_class_session_take_back(session, 1));
  /* A vote closed too early opens again, with all that was given. */
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  ck_assert(!ol_class_session_undo_vote(session));
  ck_assert(ol_class_session_go_back(session));
  vote(session, "B");
  ck_assert_uint_eq(ol_class_session_get_total(session, 0), 2);
}
END_TEST

START_TEST(the_bench_is_a_step_aside_from_anywhere)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  ck_assert(ol_class_session_open_vote(session));
  vote(session, "A");
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  go_on_to(session, 0, OL_CLASS_REVEALED);
  ck_assert(ol_class_session_turn_to_bench(session, TRUE));
  assert_at(session, 0, OL_CLASS_BENCH);
  ck_assert(!ol_class_session_vote(session, 0));
  go_on_to(session, 0, OL_CLASS_REVEALED);
  ck_assert(ol_class_session_turn_to_bench(session, TRUE));
  ck_assert(ol_class_session_turn_to_bench(session, FALSE));
  assert_at(session, 0, OL_CLASS_REVEALED);
  ck_assert(ol_class_session_turn_to_bench(session, TRUE));
  ck_assert(ol_class_session_go_question(session, 1));
  assert_at(session, 1, OL_CLASS_QUESTION);
  go_on_to(session, 1, OL_CLASS_BENCH);
  ck_assert(ol_class_session_turn_to_bench(session, TRUE)); /* it is there already */
  go_on_to(session, 1, OL_CLASS_FIRST_VOTE);
}
END_TEST

START_TEST(a_quiz_has_no_bench_and_may_have_no_answer)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(OlQuiz) quiz =
      quiz_read("Quiz\n\n1. Open?\n\n- Yes\n- No\n\n2. Known?\n\n✓ Yes\n- No\n", "text", notes);
  g_autoptr(OlClassSession) session = ol_class_session_new();
  ol_class_session_add_question(session, quiz, 0);
  ol_class_session_add_question(session, quiz, 1);
  ck_assert(!ol_class_session_turn_to_bench(session, TRUE));
  ck_assert(!ol_class_session_is_answer_known(session));
  go_on_to(session, 0, OL_CLASS_FIRST_VOTE);
  vote(session, "A");
  go_on_to(session, 0, OL_CLASS_FIRST_TALLY);
  go_on_to(session, 1, OL_CLASS_QUESTION);
  ck_assert(ol_class_session_is_answer_known(session));
  go_on_to(session, 1, OL_CLASS_FIRST_VOTE);
  go_on_to(session, 1, OL_CLASS_REVEALED);
  ck_assert(!ol_class_session_go_on(session)); /* nothing is explained */
}
END_TEST

START_TEST(results_are_a_row_an_option)
{
  g_autoptr(OlClassSession) session = begin_lessons();
  ck_assert(!ol_class_session_has_votes(session));
  ck_assert(ol_class_session_go_question(session, 1));
  ck_assert(ol_class_session_open_vote(session));
  vote(session, "ABB");
  g_autofree char *begin = g_date_time_format_iso8601(ol_class_session_get_begin(session));
  g_autofree char *once = ol_class_session_dup_csv(session);
  g_autofree char *expected = g_strdup_printf(
      "session,group,lesson,title,question,option,answer,is right,first vote,second vote\r\n"
      "%s,Course,two,Second,And why?,A,\"It leaves out, as \"\"they\"\" say\",no,1,\r\n"
      "%s,Course,two,Second,And why?,B,'=It hides,yes,2,\r\n"
      "%s,Course,two,Second,And why?,C,Neither,no,0,\r\n",
      begin, begin, begin);
  ck_assert_str_eq(once, expected);
  ck_assert(ol_class_session_has_votes(session));
  ck_assert(ol_class_session_go_on(session));
  ck_assert(ol_class_session_open_vote(session));
  vote(session, "BBBC");
  g_autofree char *twice = ol_class_session_dup_csv(session);
  ck_assert_ptr_nonnull(strstr(twice, ",no,1,0\r\n"));
  ck_assert_ptr_nonnull(strstr(twice, ",yes,2,3\r\n"));
  ck_assert_ptr_nonnull(strstr(twice, ",no,0,1\r\n"));
}
END_TEST

/* The learner's own file, byte for byte, and no other file beside it. */
START_TEST(what_a_class_runs_and_answers_is_nobodys_progress)
{
  g_autoptr(OlProgress) learner = load_well();
  ck_assert(ol_progress_answer(learner, "one", 0, FALSE, NULL));
  g_autofree char *before = NULL, *after = NULL;
  ck_assert(g_file_get_contents(path, &before, NULL, NULL));
  g_autoptr(OlProgress) class = ol_progress_new_unsaved("Ada");
  ck_assert_ptr_null(ol_progress_get_path(class));
  ck_assert(!ol_progress_get_answer(class, "one", &(guint){0}, &(gboolean){0}, &(gboolean){0}));
  ck_assert(ol_progress_ran(class, "one", "serial", NULL));
  ck_assert(ol_progress_answer(class, "one", 1, TRUE, NULL));
  ck_assert(ol_progress_save(class, NULL));
  ck_assert(ol_progress_is_saved(class));
  ck_assert(ol_progress_has_run(class, "one", "serial"));
  ck_assert_uint_eq(ol_progress_reset(class, NULL, NULL, NULL), 1);
  ck_assert_uint_eq(ol_progress_undo_reset(class, NULL, NULL), 1);
  ck_assert(!ol_progress_has_run(learner, "one", "serial"));
  ck_assert(g_file_get_contents(path, &after, NULL, NULL));
  ck_assert_str_eq(after, before);
  ck_assert_uint_eq(count_files("progress"), 1);
  ck_assert_uint_eq(count_files("class"), 0);
}
END_TEST

int main(void)
{
  const TTest *const tests[] = {goes_through_a_lesson_and_into_the_next,
                                counts_are_out_of_sight_while_anybody_votes,
                                a_second_vote_that_nobody_gave_is_none,
                                takes_back_what_was_pressed_by_mistake,
                                the_bench_is_a_step_aside_from_anywhere,
                                a_quiz_has_no_bench_and_may_have_no_answer,
                                results_are_a_row_an_option,
                                what_a_class_runs_and_answers_is_nobodys_progress,
                                NULL};
  return suite_run_with("class session", tests, 60, set_up, tear_down);
}
