/* A config while it is being edited. */
#include "app/sandbox/big-model.h"
#include "app/sandbox/config-draft.h"
#include "engine/config/hardware.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define LATER_US 5000000

static OlConfigDraft *new_draft(void)
{
  g_autoptr(OlRunConfig) defaults = ol_run_config_new_default();
  return ol_config_draft_new(defaults);
}

/* Each change at its own time. */
static void set(OlConfigDraft *draft, const char *path, const char *typed)
{
  static gint64 now;
  now += LATER_US;
  ck_assert(ol_config_draft_set(draft, ol_config_key(path), typed, now));
}

static void assert_typed(const OlConfigDraft *draft, const char *path, const char *expected)
{
  g_autofree char *typed = ol_config_draft_dup_typed(draft, ol_config_key(path));
  ck_assert_str_eq(typed, expected);
}

/* The reason at this key; fails when there is none. Borrowed from `faults`. */
static const char *fault_at(GPtrArray *faults, const char *path)
{
  for (guint i = 0; faults && i < faults->len; i++) {
    const OlConfigFault *fault = g_ptr_array_index(faults, i);
    if (strcmp(fault->path, path) == 0)
      return fault->reason;
  }
  ck_abort_msg("no fault at %s", path);
  return NULL;
}

START_TEST(untouched_is_the_defaults)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  g_autoptr(OlRunConfig) defaults = ol_run_config_new_default();
  g_autoptr(OlRunConfig) config = ol_config_draft_try(draft, NULL);
  g_autofree char *expected = ol_run_config_dup_text(defaults, FALSE);
  g_autofree char *made = ol_run_config_dup_text(config, FALSE);
  guint n;

  ck_assert_str_eq(made, expected);
  ol_fields_get(&n);
  for (guint key = 0; key < n; key++)
    ck_assert(ol_config_draft_is_default(draft, key));
  ck_assert(!ol_config_draft_can_undo(draft));
}
END_TEST

START_TEST(every_kind_is_set)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  set(draft, "model.layers", "9");
  set(draft, "placement.optimizer", "nvme");
  set(draft, "overlap.pinned", "false");
  set(draft, "optimizer.learning_rate", "1e-4");
  set(draft, "name", "say \"hello\", null");
  set(draft, "hardware.stands_for", "");
  set(draft, "hardware.gpu_mib", "12.5");
  g_autoptr(OlRunConfig) config = ol_config_draft_try(draft, NULL);

  ck_assert_ptr_nonnull(config);
  ck_assert_uint_eq(config->model.layers, 9);
  ck_assert_int_eq(config->placement.optimizer, OL_TIER_NVME);
  ck_assert(!config->overlap.pinned);
  ck_assert_double_eq(config->optimizer.learning_rate, 1e-4);
  ck_assert_str_eq(config->name, "say \"hello\", null");
  ck_assert_ptr_null(config->hardware.stands_for);
  ck_assert_double_eq(config->hardware.gpu_mib, 12.5);
  assert_typed(draft, "name", "say \"hello\", null");
  assert_typed(draft, "hardware.stands_for", "");
  ck_assert_double_eq(ol_config_draft_get_number(draft, ol_config_key("placement.optimizer")), 2);
  ck_assert(isnan(ol_config_draft_get_number(draft, ol_config_key("hardware.nvme_mib"))));
}
END_TEST

/* What the command line says of the same value: one rule in one place. */
START_TEST(nonsense_is_told_at_its_key)
{
  static const char *const nonsense[] = {"ninety", "-3",  "0",   "2.5",  "1e999", "{\"a\": 1}", "[",
                                         "=",      "9=9", "NaN", "null", "\"7\"", "\xc3\xa9"};
  g_autoptr(OlRunConfig) defaults = ol_run_config_new_default();

  for (guint i = 0; i < G_N_ELEMENTS(nonsense); i++) {
    g_autoptr(OlConfigDraft) draft = new_draft();
    g_autoptr(GPtrArray) faults = NULL;
    g_autoptr(GError) error = NULL;
    g_autofree char *assignment = g_strdup_printf("model.layers=%s", nonsense[i]);
    const char *const assignments[] = {assignment, NULL};
    set(draft, "model.layers", nonsense[i]);
    ck_assert_ptr_null(ol_config_draft_try(draft, &faults));
    ck_assert_ptr_null(ol_run_config_with_assignments(defaults, assignments, &error));
    g_autofree char *line =
        g_strdup_printf("--set: model.layers: %s", fault_at(faults, "model.layers"));
    ck_assert_str_eq(line, error->message);
    ck_assert_uint_eq(faults->len, 1);
  }
}
END_TEST

START_TEST(rules_between_keys_stand_at_their_key)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  g_autoptr(GPtrArray) faults = NULL, more = NULL;
  set(draft, "placement.optimizer", "gpu");
  ck_assert_ptr_null(ol_config_draft_try(draft, &faults));
  ck_assert_ptr_nonnull(strstr(fault_at(faults, "optimizer.runs_on"), "must be \"gpu\""));
  set(draft, "model.heads", "3");
  set(draft, "model.width", "wide");
  ck_assert_ptr_null(ol_config_draft_try(draft, &more));
  ck_assert_uint_eq(more->len, 2); /* that heads divide the width cannot be asked of "wide" */
  fault_at(more, "model.width");
}
END_TEST

START_TEST(undo_and_redo_walk_the_changes)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  set(draft, "model.layers", "7");
  set(draft, "model.layers", "8");
  set(draft, "steps", "x");
  ck_assert(ol_config_draft_undo(draft));
  assert_typed(draft, "steps", "4");
  ck_assert(ol_config_draft_undo(draft));
  assert_typed(draft, "model.layers", "7");
  ck_assert(ol_config_draft_redo(draft));
  assert_typed(draft, "model.layers", "8");
  set(draft, "seed", "9"); /* what was undone is gone now */
  ck_assert(!ol_config_draft_redo(draft));
  ol_config_draft_reset(draft);
  assert_typed(draft, "model.layers", "6");
  ck_assert(ol_config_draft_undo(draft)); /* back to the defaults is a change like any other */
  assert_typed(draft, "model.layers", "8");
  while (ol_config_draft_undo(draft))
    ;
  assert_typed(draft, "model.layers", "6");
  ck_assert(!ol_config_draft_can_undo(draft));
  ck_assert(!ol_config_draft_undo(draft));
}
END_TEST

START_TEST(a_slide_is_one_change)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  guint layers = ol_config_key("model.layers"), steps = ol_config_key("steps");
  for (int i = 7; i < 40; i++) {
    g_autofree char *typed = g_strdup_printf("%d", i);
    ol_config_draft_set(draft, layers, typed, i * 16000);
  }
  ck_assert(!ol_config_draft_set(draft, layers, " 39 ", 40 * 16000)); /* that is what it is */
  ol_config_draft_set(draft, steps, "5", 40 * 16000);                 /* another key: another one */
  ol_config_draft_undo(draft);
  assert_typed(draft, "model.layers", "39");
  ol_config_draft_undo(draft);
  assert_typed(draft, "model.layers", "6");
  ck_assert(!ol_config_draft_can_undo(draft));
}
END_TEST

START_TEST(undo_has_an_end)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  guint undone = 0;
  for (int i = 0; i < 1000; i++) {
    g_autofree char *typed = g_strdup_printf("%d", 100 + i);
    set(draft, "seed", typed);
  }
  while (ol_config_draft_undo(draft))
    undone++;
  ck_assert_uint_ge(undone, 100);
  ck_assert_uint_lt(undone, 1000);
}
END_TEST

START_TEST(titles_say_what_differs)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  g_autofree char *first = ol_config_draft_dup_title(draft, NULL);
  ck_assert_str_eq(first, "The defaults");
  set(draft, "placement.optimizer", "nvme");
  set(draft, "hardware.stands_for", "");
  g_autofree char *differs = ol_config_draft_dup_title(draft, NULL);
  ck_assert_str_eq(differs, "Optimizer states: NVMe · Stands for: nothing");
  g_autoptr(OlRunConfig) before = ol_config_draft_try(draft, NULL);
  g_autofree char *same = ol_config_draft_dup_title(draft, before);
  ck_assert_str_eq(same, "As before");
  set(draft, "name", "mine");
  g_autofree char *named = ol_config_draft_dup_title(draft, before);
  ck_assert_str_eq(named, "mine");
}
END_TEST

START_TEST(a_big_model_is_one_change)
{
  g_autoptr(OlConfigDraft) draft = new_draft();
  g_auto(GStrv) names = ol_model_reference_list(NULL);
  ck_assert_int_eq(ol_big_model_find(draft, names, NULL), -1);
  ck_assert(ol_big_model_set(draft, "gpt-175b", NULL, NULL));
  assert_typed(draft, "model.width", "12288"); /* 2005.14165, table of sizes */
  assert_typed(draft, "model.layers", "96");
  ck_assert_str_eq(names[ol_big_model_find(draft, names, NULL)], "gpt-175b");
  set(draft, "model.layers", "95");
  ck_assert_int_eq(ol_big_model_find(draft, names, NULL), -1);
  ol_config_draft_undo(draft);
  ol_config_draft_undo(draft);
  assert_typed(draft, "model.width", "128");
  g_autoptr(GError) error = NULL;
  ck_assert(!ol_big_model_set(draft, "gpt-9", NULL, &error));
  ck_assert_ptr_nonnull(strstr(error->message, "gpt-175b")); /* the known ones are named */
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("draft");
  tcase_add_test(tcase, untouched_is_the_defaults);
  tcase_add_test(tcase, every_kind_is_set);
  tcase_add_test(tcase, nonsense_is_told_at_its_key);
  tcase_add_test(tcase, rules_between_keys_stand_at_their_key);
  tcase_add_test(tcase, undo_and_redo_walk_the_changes);
  tcase_add_test(tcase, a_slide_is_one_change);
  tcase_add_test(tcase, undo_has_an_end);
  tcase_add_test(tcase, titles_say_what_differs);
  tcase_add_test(tcase, a_big_model_is_one_change);
  return run_suite("sandbox-draft", tcase);
}
