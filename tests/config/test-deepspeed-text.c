/* The text of a DeepSpeed JSON: comments and commas, hostile sizes, and mutations from a fixed
 * seed. */
#include "engine/base/error.h"
#include "engine/config/deepspeed.h"
#include "engine/config/json-relaxed-private.h"
#include "engine/config/run-config.h"
#include "tests/config/mutate.h"
#include "tests/config/recipes.h"
#include "tests/suite.h"

#include <string.h>

#define LEAST_ROUNDS 1000 /* however slow the machine */

static const struct {
  const char *relaxed, *strict;
} relaxations[] = {
    {"", ""},
    {"[1,]", "[1 ]"},
    {"{\"a\":1, // x,}\n}", "{\"a\":1        \n}"},
    {"[1, /* ] */ # ]\n]", "[1             \n]"},
    {"[\"a,]//\\\"#\",]", "[\"a,]//\\\"#\" ]"},
    {"[[],{},]", "[[],{} ]"},
    {"/**/1", "    1"},
    {"/* é\n*/1", "    \n  1"}, /* one space a character */
    {"[1,2]//", "[1,2]  "},
    {"[,]", "[,]"},
    {"[1,,]", "[1,,]"},
    {"\"\\", "\"\\"},
    {"/", "/"},
};

START_TEST(comments_and_commas_become_spaces)
{
  gsize length = strlen(relaxations[_i].relaxed), strict_length;
  g_autofree char *text = g_memdup2(relaxations[_i].relaxed, MAX(length, 1));
  g_autofree char *strict = ol_json_dup_strict(text, length, "x", &strict_length, NULL);
  ck_assert_str_eq(strict, relaxations[_i].strict);
  ck_assert_uint_eq(strict_length, strlen(strict));
}
END_TEST

START_TEST(hostile_sizes)
{
  gsize n = (16u << 20) + 1;
  g_autofree char *text = g_malloc(n);
  g_autoptr(GError) large = NULL, deep = NULL, nul = NULL;
  memset(text, '/', n);
  ck_assert_ptr_null(ol_deepspeed_parse(text, n, "x", &large));
  ck_assert_ptr_nonnull(strstr(large->message, "larger than"));
  memset(text, '[', n);
  ck_assert_ptr_null(ol_deepspeed_parse(text, n - 1, "x", &deep));
  ck_assert_ptr_nonnull(strstr(deep->message, "nested deeper"));
  ck_assert_ptr_null(ol_deepspeed_parse("/* \0 */{}", 9, "x", &nul));
  ck_assert_ptr_nonnull(strstr(nul->message, "NUL"));
}
END_TEST

static const char *const pieces[] = {"{",    "}",       "[",    "]",       ",",        ":",
                                     "\"",   "\\",      "//",   "/*",      "*/",       "#",
                                     "\n",   "null",    "true", "-1",      "\"auto\"", "\"cpu\"",
                                     "1e99", "\\u0000", "\xff", "\"aio\"", "\"none\"", "\"stage\""};

/* TRUE when the mutant was read: then all it says is in the lab's words, or listed. */
static gboolean one_round(const char *base, GRand *random)
{
  g_autoptr(GString) text = g_string_new(base);
  for (int i = g_rand_int_range(random, 1, 4); i > 0; i--)
    mutate(text, random, pieces, G_N_ELEMENTS(pieces));
  g_autoptr(GError) error = NULL;
  g_autoptr(OlDeepSpeed) deepspeed = ol_deepspeed_parse(text->str, text->len, "fuzz", &error);
  if (!deepspeed) {
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, "fuzz:"), "%s", error->message);
    ck_assert(g_utf8_validate(error->message, -1, NULL));
    return FALSE;
  }
  for (guint i = 0; i < deepspeed->n_unused; i++) {
    ck_assert(*deepspeed->unused[i].path && *deepspeed->unused[i].why);
    ck_assert(g_utf8_validate(deepspeed->unused[i].path, -1, NULL));
  }
  g_autoptr(OlRunConfig) lab = ol_run_config_new_default();
  g_autoptr(JsonObject) set = ol_deepspeed_to_set(deepspeed);
  g_autoptr(OlRunConfig) config = ol_run_config_with(lab, set, "set", &error);
  /* The lab may refuse what it means (a batch beyond its limit), but knows every word of it. */
  ck_assert_msg(config || !strstr(error->message, "unknown"), "%s", error->message);
  return TRUE;
}

START_TEST(mutations_are_read_or_refused)
{
  GRand *random = g_rand_new_with_seed(20240301);
  gint64 end = fuzz_end_us();
  guint rounds = 0;
  guint read = 0;
  for (; rounds < LEAST_ROUNDS || g_get_monotonic_time() < end; rounds++)
    read += one_round(rounds % 2 ? zero_infinity_recipe : zero_offload_recipe, random);
  g_rand_free(random);
  ck_assert_uint_gt(read, rounds / 100);
  ck_assert_uint_lt(read, rounds / 2);
}
END_TEST

START_TEST(every_truncation_is_refused)
{
  for (gsize n = 0; n + 2 < strlen(zero_infinity_recipe); n++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *cut = g_memdup2(zero_infinity_recipe, MAX(n, 1));
    ck_assert_ptr_null(ol_deepspeed_parse(cut, n, "cut", &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  }
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("deepspeed-text");
  tcase_set_timeout(tcase, 0); /* meson's limit holds, which --long stretches */
  tcase_add_loop_test(tcase, comments_and_commas_become_spaces, 0, G_N_ELEMENTS(relaxations));
  tcase_add_test(tcase, hostile_sizes);
  tcase_add_test(tcase, mutations_are_read_or_refused);
  tcase_add_test(tcase, every_truncation_is_refused);
  return run_suite("deepspeed-text", tcase);
}
