/* The words and sliders of the form against the engine's table of keys. */
#include "app/sandbox/big-model.h"
#include "app/sandbox/slider-stops.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

START_TEST(every_key_is_on_the_form_once)
{
  guint n, n_rows;
  const OlField *fields = ol_fields_get(&n);
  const OlFieldWords *rows = ol_field_words_get(&n_rows);
  ck_assert_uint_eq(n, n_rows);
  for (guint i = 0; i < n; i++) {
    const OlFieldWords *words = ol_field_words_find(fields[i].path);
    ck_assert_msg(words != NULL, "%s is not on the form", fields[i].path);
    ck_assert_msg(!fields[i].nullable || words->null_word, "%s: what does null mean?",
                  fields[i].path);
    ck_assert_uint_eq(ol_config_key(fields[i].path), i);
  }
  for (guint i = 0; i < n_rows; i++)
    for (guint j = 0; j < i; j++) {
      ck_assert_str_ne(rows[i].path, rows[j].path);
      ck_assert_msg(rows[i].group != rows[j].group || strcmp(rows[i].title, rows[j].title) != 0,
                    "%s and %s are called alike", rows[i].path, rows[j].path);
    }
}
END_TEST

static void check_stops(const OlField *field, const OlFieldWords *words, OlFormKind kind)
{
  g_autoptr(GArray) stops = ol_slider_stops_new(field, words, kind);
  g_autoptr(OlRunConfig) defaults = ol_run_config_new_default();

  if (words->from == words->to) {
    ck_assert_uint_eq(stops->len, 0);
    return;
  }
  ck_assert_uint_gt(stops->len, 2);
  for (guint i = 0; i < stops->len; i++) {
    double stop = g_array_index(stops, double, i);
    g_autofree char *spelling = ol_field_dup_spelling(field, stop);
    g_autofree char *assignment = g_strdup_printf("%s=%s", field->path, spelling);
    const char *const set[] = {assignment, NULL};
    g_autoptr(GPtrArray) faults = NULL;
    g_autoptr(OlRunConfig) config = ol_run_config_try_assignments(defaults, set, &faults);
    ck_assert(i == 0 || stop > g_array_index(stops, double, i - 1));
    ck_assert_uint_eq(ol_slider_stops_find(stops, stop), i);
    for (guint k = 0; faults && k < faults->len; k++) {
      const OlConfigFault *fault = g_ptr_array_index(faults, k);
      ck_assert_msg(!strstr(fault->reason, "number from"), "%s: %s", assignment, fault->reason);
    }
  }
}

/* Whatever a slider gives is in its key's range (rules between keys may still say no). */
START_TEST(sliders_stop_at_what_is_allowed)
{
  guint n;
  const OlField *fields = ol_fields_get(&n);
  for (guint i = 0; i < n; i++) {
    check_stops(&fields[i], ol_field_words_find(fields[i].path), OL_FORM_SANDBOX);
    check_stops(&fields[i], ol_field_words_find(fields[i].path), OL_FORM_SCALE_UP);
  }
}
END_TEST

static GArray *stops_of(const char *path)
{
  return ol_slider_stops_new(ol_field_find(path), ol_field_words_find(path), OL_FORM_SANDBOX);
}

START_TEST(sliders_reach_both_ends_and_divide_well)
{
  g_autoptr(GArray) width = stops_of("model.width"), prefetch = stops_of("overlap.prefetch");
  ck_assert_double_eq(g_array_index(width, double, 0), 16);
  ck_assert_double_eq(g_array_index(width, double, width->len - 1), 512);
  for (guint i = 0; i < width->len; i++) /* by the default's four heads */
    ck_assert_double_eq(fmod(g_array_index(width, double, i), 4), 0);
  for (guint i = 0; i <= 8; i++)
    ck_assert_double_eq(g_array_index(prefetch, double, i), i);
}
END_TEST

START_TEST(shares_go_by_twentieths)
{
  g_autoptr(GArray) share = stops_of("optimizer.gpu_fraction");
  ck_assert_uint_eq(share->len, 21);
  ck_assert_double_eq(g_array_index(share, double, 3), 0.15);
}
END_TEST

START_TEST(the_nearest_stop_is_by_ratio)
{
  g_autoptr(GArray) width = stops_of("model.width");
  ck_assert_uint_eq(ol_slider_stops_find(width, NAN), 0);
  ck_assert_uint_eq(ol_slider_stops_find(width, 1e9), width->len - 1);
  ck_assert_double_eq(g_array_index(width, double, ol_slider_stops_find(width, 130)), 128);
}
END_TEST

START_TEST(values_are_said_as_people_do)
{
  static const struct {
    const char *path, *typed, *said;
  } cases[] = {{"placement.optimizer", "nvme", "NVMe"}, {"placement.optimizer", "host", "Host"},
               {"parallel.schedule", "1f1b", "1F1B"},   {"overlap.pinned", "true", "yes"},
               {"hardware.slowdown", "null", "chosen"}, {"model.layers", "12", "12"},
               {"recompute", "selective", "Selective"}};
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *said = ol_field_words_dup_value(ol_field_find(cases[i].path), cases[i].typed);
    ck_assert_str_eq(said, cases[i].said);
  }
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("form");
  tcase_add_test(tcase, every_key_is_on_the_form_once);
  tcase_add_test(tcase, sliders_stop_at_what_is_allowed);
  tcase_add_test(tcase, sliders_reach_both_ends_and_divide_well);
  tcase_add_test(tcase, shares_go_by_twentieths);
  tcase_add_test(tcase, the_nearest_stop_is_by_ratio);
  tcase_add_test(tcase, values_are_said_as_people_do);
  return run_suite("sandbox-form", tcase);
}
