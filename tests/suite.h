/* The main() of a check suite: runs one case and gives its exit status. */
#pragma once

#include <check.h>
#include <stdlib.h>

static inline int run_suite(const char *name, TCase *tcase)
{
  Suite *suite = suite_create(name);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
