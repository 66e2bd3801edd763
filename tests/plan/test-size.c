/* How large a plan is, told beforehand: never less than what it takes, nor many times more. */
#include "engine/config/plan-size.h"
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

START_TEST(test_no_plan_is_larger)
{
  guint held = 0;
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(17)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    double bound = ol_plan_size_bytes(f.config), taken = (double)rank_plan_bytes(f.plan);
    ck_assert_msg(taken <= bound, "%s: %g bytes, not %g", f.words, taken, bound);
    ck_assert_msg(bound <= 20 * taken, "%s: %g bytes, not %g", f.words, taken, bound);
    rank_plan_close(&f);
    held++;
  }
  ck_assert_uint_gt(held, 100);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("size");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, test_no_plan_is_larger);
  return run_suite("size", tests);
}
