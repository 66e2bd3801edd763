/* Results of classes on this computer: kept again and again, listed, and not lost to a full disk.
 */
#include "lessons/class-records.h"
#include "tests/lessons/quiz-fixture.h"

#include <glib/gstdio.h>

static OlQuiz *read_one(void)
{
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  return quiz_read("One?\nA. a\nB. b\nANSWER: B\n", NULL, notes);
}

static OlClassSession *begin(const OlQuiz *quiz)
{
  OlClassSession *session = ol_class_session_new();
  ol_class_session_add_question(session, quiz, 0);
  ck_assert(ol_class_session_open_vote(session));
  ck_assert(ol_class_session_vote(session, 1));
  return session;
}

START_TEST(kept_and_listed)
{
  g_autoptr(OlQuiz) quiz = read_one();
  g_autoptr(OlClassSession) session = begin(quiz);
  GError *error = NULL;
  ck_assert(ol_class_record_keep(session, &error));
  ck_assert(ol_class_session_vote(session, 0));
  ck_assert(ol_class_record_keep(session, &error));

  g_autoptr(GPtrArray) records = ol_class_records_list();
  ck_assert_uint_eq(records->len, 1);
  const OlClassRecord *record = records->pdata[0];
  g_autofree char *text = NULL, *now = ol_class_session_dup_csv(session);
  ck_assert(g_file_get_contents(record->path, &text, NULL, NULL));
  ck_assert_str_eq(text, now);
  ck_assert_int_eq(ABS(g_date_time_difference(record->begin, ol_class_session_get_begin(session))) <
                       G_TIME_SPAN_SECOND,
                   TRUE);
}
END_TEST

START_TEST(other_files_are_no_records)
{
  g_autofree char *folder = g_build_filename(g_get_user_data_dir(), "offload-lab", "classes", NULL);
  static const char *const names[] = {"class-2026.csv", "class-20260101-101010.csv.old",
                                      "notes.csv", "class-20261301-101010.csv"};
  g_mkdir_with_parents(folder, 0700);
  for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
    g_autofree char *path = g_build_filename(folder, names[i], NULL);
    ck_assert(g_file_set_contents(path, "x", 1, NULL));
  }
  g_autoptr(GPtrArray) records = ol_class_records_list();
  for (guint i = 0; i < records->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS(names); k++)
      ck_assert(!g_str_has_suffix(((const OlClassRecord *)records->pdata[i])->path, names[k]));
}
END_TEST

START_TEST(nowhere_to_keep)
{
  g_autoptr(OlQuiz) quiz = read_one();
  g_autoptr(OlClassSession) session = begin(quiz);
  g_autofree char *lab = g_build_filename(g_get_user_data_dir(), "offload-lab", NULL);
  g_autofree char *away = g_strconcat(lab, "-away", NULL);
  GError *error = NULL;
  g_mkdir_with_parents(lab, 0700);
  ck_assert_int_eq(g_rename(lab, away), 0);
  ck_assert(g_file_set_contents(lab, "", 0, NULL));
  ck_assert(!ol_class_record_keep(session, &error));
  suite_assert_error(&error, OL_ERROR_STORAGE, "classes");
  ck_assert_int_eq(g_remove(lab), 0);
  ck_assert_int_eq(g_rename(away, lab), 0);
  ck_assert(ol_class_record_keep(session, &error));
}
END_TEST

/* A folder with all that is in it. */
static void remove_tree(const char *path)
{
  g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *inner = g_build_filename(path, name, NULL);
    remove_tree(inner);
  }
  g_remove(path);
}

int main(void)
{
  const TTest *const tests[] = {kept_and_listed, other_files_are_no_records, nowhere_to_keep, NULL};
  g_autofree char *home = g_dir_make_tmp("offload-lab-XXXXXX", NULL);
  g_setenv("XDG_DATA_HOME", home, TRUE);
  int status = suite_run("class-records", tests, 30);
  remove_tree(home);
  return status;
}
