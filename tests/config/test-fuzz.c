/* Mutations of a valid config, from a fixed seed: each is a config that lives a round trip, or one
 * clear error. */
#include "engine/base/error.h"
#include "engine/config/run-config.h"
#include "tests/config/mutate.h"
#include "tests/suite.h"

#include <string.h>

#define LEAST_ROUNDS 1000 /* however slow the machine */

static const char *const pieces[] = {"{",        "}",
                                     "[",        "]",
                                     ",",        ":",
                                     "\"",       "\\",
                                     "null",     "true",
                                     "-1",       "1e999",
                                     "0.5",      "1e9",
                                     "\\u0000",  "\xff",
                                     "\xe2\x86", "\"gpu\"",
                                     "nvme",     "steps",
                                     "\n",       "99999999999999999999"};

static gboolean one_round(const char *base, GRand *random)
{
  g_autoptr(GString) text = g_string_new(base);
  for (int i = g_rand_int_range(random, 1, 4); i > 0; i--)
    mutate(text, random, pieces, G_N_ELEMENTS(pieces));
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) config = ol_run_config_parse(text->str, text->len, "fuzz", &error);
  if (!config) {
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
    ck_assert_msg(g_str_has_prefix(error->message, "fuzz:"), "%s", error->message);
    ck_assert(g_utf8_validate(error->message, -1, NULL));
    return FALSE;
  }
  ck_assert_ptr_null(error);
  g_autofree char *once = ol_run_config_dup_text(config, FALSE);
  g_autoptr(OlRunConfig) back = ol_run_config_parse(once, -1, "back", &error);
  ck_assert_msg(back != NULL, "%s", error ? error->message : "");
  g_autofree char *twice = ol_run_config_dup_text(back, FALSE);
  ck_assert_str_eq(once, twice);
  return TRUE;
}

START_TEST(mutations_are_read_or_refused)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autofree char *base = ol_run_config_dup_text(config, TRUE);
  GRand *random = g_rand_new_with_seed(20240229);
  gint64 end = fuzz_end_us();
  guint rounds = 0;
  guint read = 0;
  for (; rounds < LEAST_ROUNDS || g_get_monotonic_time() < end; rounds++)
    read += one_round(base, random);
  g_rand_free(random);
  /* Both ways must have been gone, else the mutations are too weak or too wild to show anything. */
  ck_assert_uint_gt(read, rounds / 100);
  ck_assert_uint_lt(read, rounds / 2);
}
END_TEST

/* A config cut anywhere is refused: there is no prefix of an object that is an object. */
START_TEST(every_truncation_is_refused)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autofree char *base = ol_run_config_dup_text(config, TRUE);
  for (gsize n = 0; n < strlen(base); n++) {
    g_autoptr(GError) error = NULL;
    g_autofree char *cut = g_memdup2(base, MAX(n, 1));
    ck_assert_ptr_null(ol_run_config_parse(cut, n, "cut", &error));
    ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  }
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("fuzz");
  tcase_set_timeout(tcase, 0); /* meson's limit holds, which --long stretches */
  tcase_add_test(tcase, mutations_are_read_or_refused);
  tcase_add_test(tcase, every_truncation_is_refused);
  return run_suite("fuzz", tcase);
}
