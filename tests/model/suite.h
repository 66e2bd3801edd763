/* The main() of a check suite: one case of the tests that it names. */
#pragma once

#include <check.h>
#include <stdlib.h>

static inline int run_case(const char *name, TCase *tests)
{
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
