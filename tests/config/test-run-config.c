/* Defaults, round trips, changes and what the engine can run. */
#include "engine/base/error.h"
#include "engine/config/run-config.h"
#include "tests/suite.h"

#include <string.h>

/* The example of the design, key by key (its section 8). */
static const char example[] =
    "{ \"name\": \"prefetch two ahead\", \"steps\": 12, \"seed\": 7, \"precision\": \"bf16\",\n"
    "  \"model\": {\"layers\": 6, \"width\": 128, \"heads\": 4, \"sequence\": 128, "
    "\"vocabulary\": 64},\n"
    "  \"task\": {\"kind\": \"sums\"},\n"
    "  \"batch\": {\"micro_batch\": 4, \"micro_batches\": 1},\n"
    "  \"placement\": {\"weights\": \"gpu\", \"gradients\": \"host\", \"optimizer\": \"host\", "
    "\"activations\": \"gpu\"},\n"
    "  \"optimizer\": {\"learning_rate\": 0.003, \"beta1\": 0.9, \"beta2\": 0.95, "
    "\"epsilon\": 1e-8, \"weight_decay\": 0.1, \"clip_norm\": 0, \"runs_on\": \"host\", "
    "\"gpu_fraction\": 0, \"delayed\": false, \"threads\": null},\n"
    "  \"overlap\": {\"prefetch\": 2, \"write_back\": true, \"pinned\": true, "
    "\"order\": \"forward\"},\n"
    "  \"recompute\": \"none\",\n"
    "  \"parallel\": {\"data\": 1, \"zero\": 0, \"tensor\": 1, \"pipeline\": 1, "
    "\"schedule\": \"1f1b\", \"chunks\": 1},\n"
    "  \"hardware\": {\"device\": \"virtual\", \"clock\": null, \"profile\": \"a100-pcie4\", "
    "\"stands_for\": \"gpt-2b\", \"slowdown\": null, \"compute_threads\": 1, \"gpu_mib\": null, "
    "\"host_mib\": null, \"nvme_mib\": null, \"nvme_folder\": null} }";

static OlRunConfig *parse(const char *text)
{
  GError *error = NULL;
  OlRunConfig *config = ol_run_config_parse(text, -1, "test", &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

static OlRunConfig *with(const char *const *set)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  GError *error = NULL;
  OlRunConfig *config = ol_run_config_with_assignments(base, set, &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

START_TEST(example_is_read_whole)
{
  g_autoptr(OlRunConfig) config = parse(example);
  ck_assert_str_eq(config->name, "prefetch two ahead");
  ck_assert_uint_eq(config->steps, 12);
  ck_assert_uint_eq(config->seed, 7);
  ck_assert_int_eq(config->placement.gradients, OL_TIER_HOST);
  ck_assert_int_eq(config->parallel.schedule, OL_SCHEDULE_1F1B);
  ck_assert_double_eq(config->optimizer.epsilon, 1e-8);
  ck_assert_double_eq(config->optimizer.learning_rate, 0.003);
  ck_assert_uint_eq(config->optimizer.threads, 0);
  ck_assert_int_eq(config->hardware.clock, OL_CLOCK_AUTO);
  ck_assert_str_eq(config->hardware.stands_for, "gpt-2b");
  ck_assert_ptr_null(config->hardware.nvme_folder);
  ck_assert_ptr_null(config->task.file);
}
END_TEST

START_TEST(empty_object_is_the_default)
{
  g_autoptr(OlRunConfig) parsed = parse("{}");
  g_autoptr(OlRunConfig) fresh = ol_run_config_new_default();
  g_autofree char *a = ol_run_config_dup_text(parsed, TRUE);
  g_autofree char *b = ol_run_config_dup_text(fresh, TRUE);
  ck_assert_str_eq(a, b);
  ck_assert_str_eq(fresh->name, "");
  ck_assert_uint_eq(fresh->steps, 4);
  ck_assert_uint_eq(fresh->overlap.prefetch, 2);
  ck_assert_int_eq(fresh->placement.weights, OL_TIER_GPU);
  ck_assert_int_eq(fresh->placement.gradients, OL_TIER_GPU);
  ck_assert_int_eq(fresh->placement.optimizer, OL_TIER_HOST);
  ck_assert_int_eq(fresh->optimizer.runs_on, OL_RUNS_ON_HOST);
}
END_TEST

/* The default differs from the example in name, steps, gradients and learning rate alone. */
START_TEST(default_is_the_example_but_for_four_keys)
{
  g_autoptr(OlRunConfig) config = parse(example);
  g_autoptr(OlRunConfig) fresh = ol_run_config_new_default();
  g_free(config->name);
  config->name = g_strdup("");
  config->steps = 4;
  config->placement.gradients = OL_TIER_GPU;
  config->optimizer.learning_rate = 0.0005;
  g_autofree char *a = ol_run_config_dup_text(config, FALSE);
  g_autofree char *b = ol_run_config_dup_text(fresh, FALSE);
  ck_assert_str_eq(a, b);
}
END_TEST

/* Every key away from its default, so that a key that is not written or not read shows; two keys
 * cannot be so together with the rest. */
static const char *const everything[] = {
    "name=a \"quoted\" name \xe2\x86\x92 \\ with\ttab",
    "steps=17",
    "seed=9007199254740991",
    "model.layers=8",
    "model.width=96",
    "model.heads=6",
    "model.sequence=33",
    "model.vocabulary=77",
    "task.kind=text",
    "task.file=/some/file.txt",
    "batch.micro_batch=3",
    "batch.micro_batches=6",
    "placement.weights=host",
    "placement.gradients=host",
    "placement.optimizer=nvme",
    "placement.activations=host",
    "optimizer.learning_rate=0.1",
    "optimizer.beta1=0.123456789012345",
    "optimizer.beta2=0.3333333333333333",
    "optimizer.epsilon=1e-7",
    "optimizer.weight_decay=0",
    "optimizer.clip_norm=1.5",
    "optimizer.runs_on=gpu",
    "optimizer.gpu_fraction=0.25",
    "optimizer.threads=3",
    "overlap.prefetch=1",
    "overlap.write_back=false",
    "overlap.pinned=false",
    "overlap.order=alternate",
    "recompute=selective",
    "parallel.data=2",
    "parallel.zero=3",
    "parallel.tensor=3",
    "parallel.pipeline=2",
    "parallel.schedule=interleaved",
    "parallel.chunks=2",
    "hardware.device=cuda",
    "hardware.clock=machine",
    "hardware.profile=rtx4090-pcie4",
    "hardware.stands_for=null",
    "hardware.slowdown=200",
    "hardware.compute_threads=2",
    "hardware.gpu_mib=12.5",
    "hardware.host_mib=100",
    "hardware.nvme_mib=1000",
    "hardware.nvme_folder=/scratch",
    "hardware.nvme_depth=4",
    "hardware.nvme_block_kib=256",
    NULL,
};

static const char *const delayed[] = {"optimizer.delayed=true", NULL};
static const char *const fp32[] = {"precision=fp32", "placement.optimizer=gpu",
                                   "optimizer.runs_on=gpu", NULL};

static void assert_round_trip(const OlRunConfig *config, gboolean pretty)
{
  g_autofree char *text = ol_run_config_dup_text(config, pretty);
  g_autoptr(OlRunConfig) back = parse(text);
  g_autofree char *again = ol_run_config_dup_text(back, pretty);
  ck_assert_str_eq(text, again);
  ck_assert_double_eq(back->optimizer.beta2, config->optimizer.beta2);
  ck_assert_uint_eq(back->seed, config->seed);
  ck_assert_int_eq(back->optimizer.delayed, config->optimizer.delayed);
  ck_assert_int_eq(back->precision, config->precision);
  if (!pretty)
    ck_assert_ptr_null(strchr(text, '\n')); /* one line, for standard input with --control */
}

START_TEST(every_key_survives_a_round_trip)
{
  static const char *const *const sets[] = {everything, delayed, fp32};
  for (guint i = 0; i < G_N_ELEMENTS(sets); i++) {
    g_autoptr(OlRunConfig) config = with(sets[i]);
    assert_round_trip(config, FALSE);
    assert_round_trip(config, TRUE);
    g_autoptr(JsonNode) node = ol_run_config_to_json(config);
    g_autoptr(OlRunConfig) back = ol_run_config_from_json(json_node_get_object(node), "base", NULL);
    ck_assert_ptr_nonnull(back);
    ck_assert_str_eq(back->name, config->name);
  }
}
END_TEST

START_TEST(every_key_was_set)
{
  g_autoptr(OlRunConfig) config = with(everything);
  g_autoptr(OlRunConfig) fresh = ol_run_config_new_default();
  g_autoptr(JsonNode) a = ol_run_config_to_json(config);
  g_autoptr(JsonNode) b = ol_run_config_to_json(fresh);
  guint n_keys = 0;
  JsonObjectIter groups, keys;
  const char *group, *key;
  JsonNode *value, *inner;
  json_object_iter_init(&groups, json_node_get_object(a));
  while (json_object_iter_next(&groups, &group, &value)) {
    JsonNode *other = json_object_get_member(json_node_get_object(b), group);
    if (!JSON_NODE_HOLDS_OBJECT(value)) {
      ck_assert_msg(strcmp(group, "precision") == 0 || !json_node_equal(value, other), "%s", group);
      n_keys++;
      continue;
    }
    json_object_iter_init(&keys, json_node_get_object(value));
    while (json_object_iter_next(&keys, &key, &inner)) {
      JsonNode *old = json_object_get_member(json_node_get_object(other), key);
      ck_assert_msg(strcmp(key, "delayed") == 0 || !json_node_equal(inner, old), "%s.%s", group,
                    key);
      n_keys++;
    }
  }
  ck_assert_uint_eq(n_keys, G_N_ELEMENTS(everything) - 1 + 2);
}
END_TEST

START_TEST(changes_leave_the_base_alone)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(JsonNode) node =
      json_from_string("{\"overlap.prefetch\": 0, \"hardware.slowdown\": 500.0}", NULL);
  g_autoptr(OlRunConfig) changed =
      ol_run_config_with(base, json_node_get_object(node), "runs[0].set", NULL);
  ck_assert_ptr_nonnull(changed);
  ck_assert_uint_eq(changed->overlap.prefetch, 0);
  ck_assert_double_eq(changed->hardware.slowdown, 500);
  ck_assert_uint_eq(base->overlap.prefetch, 2);
}
END_TEST

START_TEST(assigned_values_are_json_or_text)
{
  g_autoptr(OlRunConfig) config =
      with((const char *const[]){"name=7", "hardware.stands_for=null", "steps=1e2",
                                 "overlap.pinned=true", "recompute=\"full\"", "steps=5", NULL});
  ck_assert_str_eq(config->name, "7");
  ck_assert_ptr_null(config->hardware.stands_for);
  ck_assert_uint_eq(config->steps, 5); /* the last one holds */
  ck_assert_int_eq(config->recompute, OL_RECOMPUTE_FULL);
}
END_TEST

static const char *const legal[][5] = {
    {"placement.optimizer=gpu", "optimizer.runs_on=gpu"},
    {"placement.gradients=host"},
    {"placement.gradients=host", "batch.micro_batches=4"},
    {"placement.weights=host"},
    {"placement.weights=nvme", "placement.optimizer=nvme"},
    {"placement.optimizer=nvme", "optimizer.runs_on=gpu"},
    {"placement.activations=host"},
    {"placement.activations=host", "recompute=full"},
    {"recompute=selective"},
    {"optimizer.runs_on=gpu"},
    {"optimizer.gpu_fraction=0.5"},
    {"optimizer.delayed=true"},
    {"optimizer.clip_norm=1"},
    {"overlap.pinned=false"},
    {"overlap.order=alternate", "placement.optimizer=nvme"},
    {"precision=fp32", "placement.optimizer=gpu", "optimizer.runs_on=gpu"},
    {"parallel.zero=3"},
    {"parallel.data=2", "parallel.zero=2"},
    {"parallel.pipeline=2", "parallel.schedule=gpipe"},
    {"parallel.pipeline=2", "parallel.schedule=interleaved", "parallel.chunks=2",
     "batch.micro_batches=2"},
    {"parallel.tensor=2", "parallel.data=2", "parallel.pipeline=2"},
    {"overlap.prefetch=0"},
    {"overlap.prefetch=100", "overlap.write_back=false"},
    {"hardware.clock=machine", "hardware.stands_for=null"},
    {"optimizer.threads=1"},
    {"parallel.schedule=gpipe"},
    {"task.kind=text", "task.file=x.txt"},
};

START_TEST(what_is_legal_is_let_through)
{
  g_autoptr(OlRunConfig) config = with(legal[_i]);
  ck_assert_ptr_nonnull(config);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("run-config");
  tcase_add_test(tcase, example_is_read_whole);
  tcase_add_test(tcase, empty_object_is_the_default);
  tcase_add_test(tcase, default_is_the_example_but_for_four_keys);
  tcase_add_test(tcase, every_key_survives_a_round_trip);
  tcase_add_test(tcase, every_key_was_set);
  tcase_add_test(tcase, changes_leave_the_base_alone);
  tcase_add_test(tcase, assigned_values_are_json_or_text);
  tcase_add_loop_test(tcase, what_is_legal_is_let_through, 0, G_N_ELEMENTS(legal));
  return run_suite("run-config", tcase);
}
