/* Hostile JSON: a clear error with line and column, never a crash. */
#include "engine/base/error.h"
#include "engine/config/json-guard.h"
#include "engine/config/run-config.h"
#include "tests/suite.h"

#include <string.h>

#define TEXT(literal) literal, sizeof(literal) - 1

/* From RFC 8259 and its usual violations. */
static const struct {
  const char *text;
  gsize length;
  const char *says;
} refused[] = {
    {TEXT(""), "x:1:1: is empty"},
    {TEXT(" \n\t "), "x:1:1: is empty"},
    {TEXT("{"), "x:1:2: the text ends too early: expected a key"},
    {TEXT("{\"steps\""), "x:1:9: steps: the text ends too early: expected ':'"},
    {TEXT("{\"steps\": "), "expected a value"},
    {TEXT("{\"steps\": 4"), "expected ',' or '}'"},
    {TEXT("{\"steps\": 4,}"), "x:1:13: expected a key in double quotes, found \"}\""},
    {TEXT("[1 2]"), "x:1:4: [0]: expected ',' or ']', found \"2\""},
    {TEXT("[1,]"), "x:1:4: [1]: expected a value"},
    {TEXT("{} {}"), "x:1:4: expected the end of the text"},
    {TEXT("{]"), "expected a key"},
    {TEXT("[}"), "expected a value"},
    {TEXT("{'a': 1}"), "expected a key in double quotes"},
    {TEXT("/* no */ {}"), "x:1:1: expected a value"},
    {TEXT("{\"a\": 0x10}"), "expected ',' or '}', found \"x\""},
    {TEXT("{\"a\": 01}"), "expected ',' or '}'"},
    {TEXT("{\"a\": 1.}"), "expected a digit"},
    {TEXT("{\"a\": -}"), "expected a digit"},
    {TEXT("{\"a\": 1e}"), "expected a digit"},
    {TEXT("{\"a\": NaN}"), "expected a value, found \"N\""},
    {TEXT("{\"a\": tru}"), "expected a value"},
    {TEXT("{\"a\": {\"b\": 1e999}}"), "x:1:13: a.b: the number \"1e999\" is out of range"},
    {TEXT("{\"a\": 99999999999999999999}"), "is out of range"},
    {TEXT("{\"a\": -9223372036854775809}"), "is out of range"},
    {TEXT("{\"a\": 1, \"b\": 2,\n \"a\": 3}"), "x:2:2: a: given twice"},
    {TEXT("{\"a\": 1, \"\\u0061\": 3}"), "a: given twice"},
    {TEXT("[{\"t\": [0, {\"b\": x}]}]"), "[0].t[1].b: expected a value"},
    {TEXT("{\"a\": \"open}"), "x:1:7: a: the text ends before this quote is closed"},
    {TEXT("{\"a\": \"line\nbreak\"}"), "x:1:12: a: a line break"},
    {TEXT("{\"a\": \"\\x\"}"), "an escape"},
    {TEXT("{\"a\": \"\\"), "an escape"},
    {TEXT("{\"a\": \"\\u12g4\"}"), "four hexadecimal digits"},
    {TEXT("{\"a\": \"\\u0000\"}"), "must not hold \\u0000"},
    {TEXT("{\"a\": \"\\ud800\"}"), "half a character"},
    {TEXT("{\"a\": \"\\udc00\\ud800\"}"), "half a character"},
    {TEXT("{\"a\": \"\\ud800\\u0041\"}"), "half a character"},
    {TEXT("{\"a\": 1}\0"), "x:1:9: holds a NUL"},
    {TEXT("\x7f"
          "ELF\x02\x01\x01\0\0\0"),
     "holds a NUL"},
    {TEXT("{\"\xff\": 1}"), "x:1:3: byte 0xff is not UTF-8"},
    {TEXT("{\"\xc3\xa9\xc3\": 1}"), "x:1:4: byte 0xc3 is not UTF-8"},
    {TEXT("\xef\xbb\xbf{}"), "byte order mark"},
};

START_TEST(broken_text_is_refused_with_its_place)
{
  g_autoptr(GError) error = NULL;
  /* A copy with no NUL after it, so that a read beyond the end shows under the sanitizer. */
  g_autofree char *text = g_memdup2(refused[_i].text, MAX(refused[_i].length, 1));
  ck_assert(!ol_json_guard(text, refused[_i].length, "x", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(strstr(error->message, refused[_i].says) != NULL, "%s", error->message);
  ck_assert_ptr_null(strchr(error->message, '\n'));
}
END_TEST

static const char *const accepted[] = {
    "{}",
    "[]",
    "null",
    "\"\"",
    " [ ] ",
    "-0",
    "0",
    "1e5",
    "1E-5",
    "-12.5e+3",
    "9223372036854775807",
    "-9223372036854775808",
    "{\"a\":{\"a\":{\"a\":[[],{},[{}]]}},\"b\":\"\\ud83d\\ude00\\n\\/\"}",
    "[true,false,null,\"\xe2\x86\x92\"]",
    "{\"\": 1, \" \": 2}",
    "1e-400", /* rounds to 0, which a double holds */
};

START_TEST(legal_text_is_let_through)
{
  g_autoptr(GError) error = NULL;
  ck_assert_msg(ol_json_guard(accepted[_i], strlen(accepted[_i]), "x", &error), "%s: %s",
                accepted[_i], error ? error->message : "");
}
END_TEST

static void check_refused(const char *text, gsize length, const char *says)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_run_config_parse(text, length, "big.json", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(strstr(error->message, says) != NULL, "%s", error->message);
  ck_assert_uint_lt(strlen(error->message), 400);
}

START_TEST(a_million_brackets)
{
  gsize n = 1000000;
  g_autofree char *text = g_malloc(n);
  memset(text, '[', n);
  check_refused(text, n, "big.json:1:65: nested deeper than 64");
  memset(text, '{', n);
  check_refused(text, n, "expected a key");
  for (gsize i = 0; i + 5 <= n; i += 5)
    memcpy(text + i, "{\"a\":", 5);
  check_refused(text, n, "nested deeper than 64");
}
END_TEST

START_TEST(depth_64_passes)
{
  char text[2 * OL_JSON_MAX_DEPTH + 2];
  memset(text, '[', OL_JSON_MAX_DEPTH);
  memset(text + OL_JSON_MAX_DEPTH, ']', OL_JSON_MAX_DEPTH);
  ck_assert(ol_json_guard(text, 2 * OL_JSON_MAX_DEPTH, "x", NULL));
  memset(text, '[', OL_JSON_MAX_DEPTH + 1);
  memset(text + OL_JSON_MAX_DEPTH + 1, ']', OL_JSON_MAX_DEPTH + 1);
  ck_assert(!ol_json_guard(text, 2 * OL_JSON_MAX_DEPTH + 2, "x", NULL));
}
END_TEST

START_TEST(huge_text)
{
  gsize n = (gsize)OL_JSON_MAX_BYTES + 1;
  g_autofree char *text = g_malloc(n);
  memset(text, ' ', n);
  check_refused(text, n, "larger than the 16 MiB");
  text[0] = '"';
  check_refused(text, n - 1, "before this quote is closed");
  memset(text, '7', n);
  check_refused(text, n - 1, "out of range");
}
END_TEST

START_TEST(root_must_be_an_object)
{
  check_refused("[]", 2, "big.json:1:1: must be an object");
  check_refused("7", 1, "must be an object");
}
END_TEST

START_TEST(files_that_are_no_files)
{
  gsize length;
  g_autoptr(GError) endless = NULL, folder = NULL, missing = NULL;
  ck_assert_ptr_null(ol_json_read_file("/dev/zero", &length, &endless));
  ck_assert_ptr_nonnull(strstr(endless->message, "/dev/zero: larger than the 16 MiB"));
  ck_assert_ptr_null(ol_json_read_file("/", &length, &folder));
  ck_assert_ptr_nonnull(strstr(folder->message, "/: cannot be read: "));
  ck_assert_ptr_null(ol_json_read_file("/no/such/file", &length, &missing));
  ck_assert_ptr_nonnull(strstr(missing->message, "/no/such/file: cannot be read: "));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("json-guard");
  tcase_set_timeout(tcase, 60);
  tcase_add_loop_test(tcase, broken_text_is_refused_with_its_place, 0, G_N_ELEMENTS(refused));
  tcase_add_loop_test(tcase, legal_text_is_let_through, 0, G_N_ELEMENTS(accepted));
  tcase_add_test(tcase, a_million_brackets);
  tcase_add_test(tcase, depth_64_passes);
  tcase_add_test(tcase, huge_text);
  tcase_add_test(tcase, root_must_be_an_object);
  tcase_add_test(tcase, files_that_are_no_files);
  return run_suite("json-guard", tcase);
}
