/* Task `text`: ids of characters, samples, and what is said about files that cannot be used. That
 * the loss falls on it is held by tests/run. */
#include "engine/base/error.h"
#include "engine/model/text.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of these bytes in a folder of its own. */
static char *write_file(const char *bytes, gssize length)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp("offload-lab-text-XXXXXX", &error);
  ck_assert_msg(folder != NULL, "%s", error ? error->message : "");
  char *path = g_build_filename(folder, "text.txt", NULL);
  ck_assert(g_file_set_contents(path, bytes, length, NULL));
  return path;
}

static void remove_file(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_unlink(path);
  ck_assert_int_eq(g_rmdir(folder), 0);
}

static OlText *load(const char *bytes, guint vocabulary, guint sequence)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = write_file(bytes, -1);
  OlText *text = ol_text_load(path, vocabulary, sequence, &error);
  ck_assert_msg(text != NULL, "%s", error ? error->message : "");
  remove_file(path);
  return text;
}

static void expect_refusal(const char *path, guint vocabulary, guint sequence, const char *key,
                           const char *words)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_text_load(path, vocabulary, sequence, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(g_str_has_prefix(error->message, key), "%s", error->message);
  ck_assert_msg(strstr(error->message, words) != NULL, "no \"%s\" in: %s", words, error->message);
  ck_assert_msg(strstr(error->message, path) != NULL, "%s", error->message);
}

static void expect_refused_bytes(const char *bytes, gssize length, guint vocabulary, guint sequence,
                                 const char *key, const char *words)
{
  g_autofree char *path = write_file(bytes, length);
  expect_refusal(path, vocabulary, sequence, key, words);
  remove_file(path);
}

/* Of one character more than a sequence there is one sample: the whole of it. */
START_TEST(ids_follow_the_code_points)
{
  /* By code point: newline 10, a 97, b 98, ä 228, € 8364, 🙂 128578. */
  g_autoptr(OlText) text = load("b\xc3\xa4\xe2\x82\xac"
                                "a\xf0\x9f\x99\x82\n"
                                "a",
                                6, 6);
  static const int32_t expected[] = {2, 3, 4, 1, 5, 0, 1};
  int32_t inputs[6], targets[6];
  ol_text_sample(text, 7, 0, 0, 6, inputs, targets);
  ck_assert_mem_eq(inputs, expected, sizeof inputs);
  ck_assert_mem_eq(targets, expected + 1, sizeof targets);
}
END_TEST

/* Every place is drawn, the first and the last too, and every sample is a piece of the text. */
START_TEST(samples_are_pieces_of_the_text)
{
  g_autoptr(OlText) text = load("abcdefghij", 10, 4);
  guint seen[6] = {0};
  for (guint64 sample = 0; sample < 300; sample++) {
    int32_t inputs[4], targets[4];
    ol_text_sample(text, 7, 1, sample, 4, inputs, targets);
    ck_assert(inputs[0] >= 0 && inputs[0] < 6);
    seen[inputs[0]]++;
    for (int32_t i = 0; i < 4; i++) {
      ck_assert_int_eq(inputs[i], inputs[0] + i);
      ck_assert_int_eq(targets[i], inputs[0] + i + 1);
    }
  }
  /* 50 each are expected; 25 are more than three and a half deviations away. */
  for (guint i = 0; i < G_N_ELEMENTS(seen); i++)
    ck_assert(seen[i] > 25 && seen[i] < 75);
}
END_TEST

START_TEST(samples_depend_on_all_their_counters)
{
  g_autoptr(GString) long_text = g_string_new(NULL);
  for (guint i = 0; i < 5000; i++)
    g_string_append_unichar(long_text, 0x4e00 + i); /* all different: the first id is the place */
  g_autoptr(OlText) text = load(long_text->str, 5000, 1);
  int32_t first, again, seed, step, sample, target;
  ol_text_sample(text, 7, 3, 5, 1, &first, &target);
  ol_text_sample(text, 7, 3, 5, 1, &again, &target);
  ol_text_sample(text, 8, 3, 5, 1, &seed, &target);
  ol_text_sample(text, 7, 4, 5, 1, &step, &target);
  ol_text_sample(text, 7, 3, 6, 1, &sample, &target);
  ck_assert_int_eq(first, again);
  ck_assert(first != seed && first != step && first != sample);
}
END_TEST

START_TEST(no_such_file)
{
  expect_refusal("/no/such/text.txt", 64, 16, "task.file: ", "No such file");
}
END_TEST

START_TEST(not_a_file)
{
  g_autofree char *folder = g_dir_make_tmp("offload-lab-text-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename(folder, "pipe", NULL);
  ck_assert_int_eq(mkfifo(pipe, 0600), 0);
  expect_refusal(folder, 64, 16, "task.file: ", "not an ordinary file");
  expect_refusal(pipe, 64, 16, "task.file: ", "not an ordinary file"); /* and does not wait */
  expect_refusal("/dev/zero", 64, 16, "task.file: ", "not an ordinary file");
  g_unlink(pipe);
  ck_assert_int_eq(g_rmdir(folder), 0);
}
END_TEST

START_TEST(not_utf8)
{
  expect_refused_bytes("good so far \xff\xfe", -1, 64, 4, "task.file: ", "byte 12");
  expect_refused_bytes("cut \xe2\x82", -1, 64, 4, "task.file: ", "byte 4");
  expect_refused_bytes("a NUL\0within", 12, 64, 4, "task.file: ", "byte 5");
}
END_TEST

START_TEST(too_short)
{
  expect_refused_bytes("", 0, 64, 16, "task.file: ", "0 characters");
  expect_refused_bytes("0123456789abcdef", -1, 64, 16, "task.file: ", "at least 17");
  /* Characters count, not bytes. */
  expect_refused_bytes("\xc3\xa4\xc3\xb6\xc3\xbc", -1, 64, 3, "task.file: ", "3 characters");
}
END_TEST

/* A file is read to its end, whatever its size is said to be: this one's is said to be 0. */
START_TEST(longer_than_it_says)
{
  g_autoptr(GError) error = NULL;
  OlText *text = ol_text_load("/proc/self/status", 256, 64, &error);
  ck_assert_msg(text != NULL, "%s", error ? error->message : "");
  ol_text_free(text);
}
END_TEST

START_TEST(too_many_characters)
{
  expect_refused_bytes("abcdefghijklmnopqrstuvwxyz", -1, 25, 8,
                       "model.vocabulary: ", "26 different");
  ol_text_free(load("abcdefghijklmnopqrstuvwxyz", 26, 8));
}
END_TEST

/* Read no further than to what is allowed: these 4 GiB are on no disk. */
START_TEST(too_long)
{
  g_autofree char *path = write_file("", 0);
  ck_assert_int_eq(truncate(path, (off_t)4 << 30), 0);
  expect_refusal(path, 64, 16, "task.file: ", "64 MiB");
  remove_file(path);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("text");
  tcase_add_test(tests, ids_follow_the_code_points);
  tcase_add_test(tests, samples_are_pieces_of_the_text);
  tcase_add_test(tests, samples_depend_on_all_their_counters);
  tcase_add_test(tests, no_such_file);
  tcase_add_test(tests, not_a_file);
  tcase_add_test(tests, not_utf8);
  tcase_add_test(tests, too_short);
  tcase_add_test(tests, longer_than_it_says);
  tcase_add_test(tests, too_many_characters);
  tcase_add_test(tests, too_long);
  return run_suite("text", tests);
}
