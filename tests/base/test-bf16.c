/* bfloat16 rounding, over all 65 536 values, against the definition: the nearest of the two
 * neighbours, found in double precision, and of equally near ones the even. */
#include "engine/base/bf16.h"
#include "tests/suite.h"

#include <math.h>

static float from_bits(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

START_TEST(every_value_survives)
{
  for (uint32_t x = 0; x <= 0xffff; x++) {
    float value = ol_bf16_to_float(x);
    uint16_t back = ol_bf16_from_float(value);
    if (isnan(value)) {
      ck_assert(isnan(ol_bf16_to_float(back)));
      ck_assert_uint_eq(back, x | 0x40); /* sign and payload kept, made quiet */
    } else {
      ck_assert_uint_eq(back, x);
    }
  }
}
END_TEST

/* The definition. Beyond the largest finite value the next step up stands for infinity. */
static uint16_t nearest(float value, uint16_t low, uint16_t high)
{
  double below = ol_bf16_to_float(low);
  double above = ol_bf16_to_float(high);
  if (isinf(above))
    above = copysign(ldexp(1, 128), below);
  double down = fabs(value - below), up = fabs(above - value);
  return down < up || (down == up && low % 2 == 0) ? low : high;
}

START_TEST(between_any_two_neighbours)
{
  static const uint32_t between[] = {1, 0x1234, 0x7fff, 0x8000, 0x8001, 0xc000, 0xffff};
  for (uint32_t sign = 0; sign <= 0x8000; sign += 0x8000)
    for (uint32_t x = 0; x < 0x7f80; x++) /* finite magnitudes; x + 1 is the next one up */
      for (unsigned i = 0; i < sizeof between / sizeof *between; i++) {
        uint16_t low = sign | x;
        float value = from_bits((uint32_t)low << 16 | between[i]);
        ck_assert_uint_eq(ol_bf16_from_float(value), nearest(value, low, low + 1));
      }
}
END_TEST

START_TEST(ties_go_to_even)
{
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x3f808000)), 0x3f80); /* 1 + 2^-8 -> 1 */
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x3f818000)), 0x3f82);
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x3f808001)), 0x3f81);
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x00008000)), 0x0000); /* half the smallest */
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x80008000)), 0x8000);
}
END_TEST

START_TEST(the_ends_of_the_range)
{
  ck_assert_uint_eq(ol_bf16_from_float(INFINITY), 0x7f80);
  ck_assert_uint_eq(ol_bf16_from_float(-INFINITY), 0xff80);
  ck_assert_uint_eq(ol_bf16_from_float(3.40282347e38f), 0x7f80); /* FLT_MAX rounds up */
  ck_assert_uint_eq(ol_bf16_from_float(from_bits(0x7f7f7fff)), 0x7f7f);
  ck_assert_uint_eq(ol_bf16_from_float(-0.0f), 0x8000);
  /* A NaN whose payload lies in the lower half alone must not become infinity. */
  ck_assert(isnan(ol_bf16_to_float(ol_bf16_from_float(from_bits(0x7f800001)))));
  ck_assert(isnan(ol_bf16_to_float(ol_bf16_from_float(from_bits(0xffffffff)))));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("bf16");
  tcase_set_timeout(tcase, 25);
  tcase_add_test(tcase, every_value_survives);
  tcase_add_test(tcase, between_any_two_neighbours);
  tcase_add_test(tcase, ties_go_to_even);
  tcase_add_test(tcase, the_ends_of_the_range);
  return run_suite("bf16", tcase);
}
