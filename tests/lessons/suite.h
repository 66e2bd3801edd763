/* What every suite of this folder needs besides tests/suite.h: the lesson files that come with the
 * tests, a case made of a list, errors that must say something. */
#pragma once

#include "engine/base/error.h"
#include "tests/suite.h"
#include <glib.h>
#include <string.h>

/* A file of the folder that meson names. Caller frees. */
static inline char *suite_path(const char *name)
{
  const char *folder = g_getenv("OL_TEST_FOLDER");
  ck_assert_msg(folder != NULL, "OL_TEST_FOLDER is not set: run this by meson test");
  return g_build_filename(folder, name, NULL);
}

/* Each test runs in a process of its own, between set_up and tear_down (which may be NULL). */
static inline int suite_run_with(const char *name, const TTest *const *tests, double seconds,
                                 SFun set_up, SFun tear_down)
{
  TCase *tcase = tcase_create(name);
  tcase_set_timeout(tcase, seconds);
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  for (guint i = 0; tests[i] != NULL; i++)
    tcase_add_test(tcase, tests[i]);
  return run_suite(name, tcase);
}

static inline int suite_run(const char *name, const TTest *const *tests, double seconds)
{
  return suite_run_with(name, tests, seconds, NULL, NULL);
}

/* Asserts that `error` is there, is of this code and says `words`; clears it. */
static inline void suite_assert_error(GError **error, OlErrorCode code, const char *words)
{
  ck_assert_ptr_nonnull(*error);
  ck_assert_msg(g_error_matches(*error, OL_ERROR, (int)code), "another code: %s",
                (*error)->message);
  ck_assert_msg(strstr((*error)->message, words) != NULL, "“%s” does not say “%s”",
                (*error)->message, words);
  g_clear_error(error);
}
