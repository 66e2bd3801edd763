/* What is said of a run, part by part: words, and as markup whose links lead to numbers alone. */
#include "app/window/run-parts.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

START_TEST(parts_are_joined)
{
  g_autoptr(GArray) parts = ol_run_parts_new();
  g_autofree char *nothing = ol_run_parts_dup_words(parts);
  ck_assert_str_eq(nothing, "");
  ol_run_parts_add(parts, OL_NUMBER_NONE, "Done");
  ol_run_parts_add(parts, OL_NUMBER_SPEED, "%.2f s a step", 0.71);
  g_autofree char *words = ol_run_parts_dup_words(parts);
  ck_assert_str_eq(words, "Done · 0.71 s a step");
}
END_TEST

/* A link's address is the part's place, whatever it says; what is said is no markup. */
START_TEST(numbers_are_links)
{
  g_autoptr(GArray) parts = ol_run_parts_new();
  ol_run_parts_add(parts, OL_NUMBER_NONE, "<b>late & a step</b>");
  ol_run_parts_add(parts, OL_NUMBER_LOSS, "loss < %d", 4);
  g_autofree char *markup = ol_run_parts_dup_markup(parts);
  ck_assert_str_eq(markup, "&lt;b&gt;late &amp; a step&lt;/b&gt; · <a href=\"1\">loss &lt; 4</a>");
}
END_TEST

START_TEST(the_last_loss_is_told)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  g_autoptr(GArray) parts = ol_run_parts_new();
  ol_run_parts_add_loss(parts, NULL);
  ck_assert_uint_eq(parts->len, 0);
  ol_run_parts_add_loss(parts, scene.trace);
  ck_assert_uint_eq(parts->len, 1);
  const OlRunPart *part = &g_array_index(parts, OlRunPart, 0);
  g_autofree char *loss = g_strdup_printf("loss %.3g", ol_trace_step(scene.trace, 1)->loss);
  ck_assert_str_eq(part->words, loss);
  ck_assert_int_eq(part->kind, OL_NUMBER_LOSS);
  scene_clear(&scene);
}
END_TEST

START_TEST(a_step_is_told_in_the_units_of_the_view)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  g_autoptr(GArray) parts = ol_run_parts_new();
  ol_run_parts_add_step(parts, &scene.view, 0.5);
  scene.view.there = TRUE;
  ol_run_parts_add_step(parts, &scene.view, 0.5);
  const OlRunPart *here = &g_array_index(parts, OlRunPart, 0),
                  *there = &g_array_index(parts, OlRunPart, 1);
  ck_assert(g_str_has_suffix(here->words, " a step"));
  ck_assert(g_str_has_suffix(there->words, " a step there"));
  ck_assert_int_eq(there->kind, OL_NUMBER_SPEED);
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("run parts");
  tcase_add_test(cases, parts_are_joined);
  tcase_add_test(cases, numbers_are_links);
  tcase_add_test(cases, the_last_loss_is_told);
  tcase_add_test(cases, a_step_is_told_in_the_units_of_the_view);
  return run_suite("run parts", cases);
}
