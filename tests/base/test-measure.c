/* Figures as people read them, at and around every change of unit. */
#include "engine/base/measure.h"
#include "tests/suite.h"

static const struct {
  char *(*format)(double);
  double value;
  const char *text;
} table[] = {
    {ol_measure_dup_bytes, 0, "0 B"},
    {ol_measure_dup_bytes, 512, "512 B"},
    {ol_measure_dup_bytes, 1023, "1023 B"},
    {ol_measure_dup_bytes, 1024, "1 KiB"},
    {ol_measure_dup_bytes, 1536, "1.50 KiB"},
    {ol_measure_dup_bytes, 1048064, "1.00 MiB"}, /* 1023.5 KiB */
    {ol_measure_dup_bytes, 1 << 20, "1 MiB"},
    {ol_measure_dup_bytes, 18.1 * (1 << 20), "18.1 MiB"},
    {ol_measure_dup_bytes, 9.999 * (1 << 20), "10.0 MiB"},
    {ol_measure_dup_bytes, 99.96 * (1 << 20), "100 MiB"},
    {ol_measure_dup_bytes, 1.7 * (1 << 30), "1.70 GiB"},
    {ol_measure_dup_bytes, 80e9, "74.5 GiB"},
    {ol_measure_dup_bytes, 1125899906842624.0, "1 PiB"},
    {ol_measure_dup_bytes, 4096.0 * 1125899906842624.0, "4096 PiB"},
    {ol_measure_dup_seconds, 0, "0 s"},
    {ol_measure_dup_seconds, 1e-9, "1 ns"},
    {ol_measure_dup_seconds, 999.7e-9, "1.00 \u00b5s"},
    {ol_measure_dup_seconds, 830e-6, "830 \u00b5s"},
    {ol_measure_dup_seconds, 12.5e-3, "12.5 ms"},
    {ol_measure_dup_seconds, 99.4e-3, "99.4 ms"},
    {ol_measure_dup_seconds, 0.1, "0.10 s"},
    {ol_measure_dup_seconds, 0.706, "0.71 s"},
    {ol_measure_dup_seconds, 3, "3 s"},
    {ol_measure_dup_seconds, 123.4, "123 s"},
    {ol_measure_dup_rate, 24e9, "24 GB/s"},
    {ol_measure_dup_rate, 6.5e9, "6.50 GB/s"},
    {ol_measure_dup_rate, 1.935e12, "1.94 TB/s"},
    {ol_measure_dup_rate, 999, "999 B/s"},
    {ol_measure_dup_count, 0, "0"},
    {ol_measure_dup_count, 999, "999"},
    {ol_measure_dup_count, 1000, "1\u00a0000"},
    {ol_measure_dup_count, 49152, "49\u00a0152"},
    {ol_measure_dup_count, 1196032, "1.20 million"},
    {ol_measure_dup_count, 2013265920, "2.01 billion"},
    {ol_measure_dup_count, 1e12, "1 trillion"},
    {ol_measure_dup_count, -1234, "-1\u00a0234"},
};

START_TEST(figures_read_well)
{
  g_autofree char *text = table[_i].format(table[_i].value);
  ck_assert_str_eq(text, table[_i].text);
  ck_assert(g_utf8_validate(text, -1, NULL));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("measure");
  tcase_add_loop_test(tcase, figures_read_well, 0, G_N_ELEMENTS(table));
  return run_suite("measure", tcase);
}
