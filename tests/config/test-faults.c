/* Every fault is one line that names its key path and what is allowed. */
#include "engine/base/error.h"
#include "engine/config/run-config.h"
#include "engine/model/task.h"
#include "tests/suite.h"

#include <string.h>

#define INTERLEAVED(pipeline, chunks, micro_batches)                                               \
  "{\"parallel\": {\"schedule\": \"interleaved\", \"pipeline\": " #pipeline                        \
  ", \"chunks\": " #chunks "}, \"batch\": {\"micro_batches\": " #micro_batches "}}"

/* A config text, and for each fault the path it must name and a word of the reason. */
static const struct {
  const char *json;
  struct {
    const char *path, *says;
  } faults[4];
} table[] = {
    /* types */
    {"{\"steps\": \"four\"}", {{"steps", "a whole number from 1 to 100000; it is \"four\""}}},
    {"{\"steps\": null}", {{"steps", "it is null"}}},
    {"{\"steps\": [4]}", {{"steps", "it is a list"}}},
    {"{\"name\": 4}", {{"name", "a text"}}},
    {"{\"overlap\": {\"pinned\": 1}}", {{"overlap.pinned", "true or false"}}},
    {"{\"overlap\": 3}", {{"overlap", "object"}}},
    {"{\"recompute\": {\"kind\": \"none\"}}", {{"recompute", "it is an object"}}},
    /* ranges */
    {"{\"steps\": 0}", {{"steps", "it is 0"}}},
    {"{\"steps\": -1}", {{"steps", "it is -1"}}},
    {"{\"steps\": 1.5}", {{"steps", "it is 1.5"}}},
    {"{\"steps\": 100001}", {{"steps", "100000"}}},
    {"{\"seed\": -1}", {{"seed", "0 to 9007199254740991"}}},
    {"{\"seed\": 9007199254740993}", {{"seed", "9007199254740991"}}},
    {"{\"model\": {\"layers\": 4294967297}}", {{"model.layers", "1 to 1000"}}},
    {"{\"model\": {\"width\": 1e5}}", {{"model.width", "65536"}}},
    {"{\"optimizer\": {\"beta1\": 1}}", {{"optimizer.beta1", "0.99999"}}},
    {"{\"optimizer\": {\"epsilon\": 0}}", {{"optimizer.epsilon", "1e-15"}}},
    {"{\"optimizer\": {\"learning_rate\": -0.1}}", {{"optimizer.learning_rate", "it is -0.1"}}},
    {"{\"optimizer\": {\"threads\": 0}}", {{"optimizer.threads", "null or a whole number"}}},
    {"{\"hardware\": {\"slowdown\": 0}}", {{"hardware.slowdown", "null or a number"}}},
    {"{\"hardware\": {\"gpu_mib\": -3}}", {{"hardware.gpu_mib", "it is -3"}}},
    {"{\"parallel\": {\"zero\": 4}}", {{"parallel.zero", "0 to 3"}}},
    /* words */
    {"{\"precision\": \"fp16\"}", {{"precision", "\"bf16\" or \"fp32\"; it is \"fp16\""}}},
    {"{\"placement\": {\"activations\": \"nvme\"}}",
     {{"placement.activations", "\"gpu\" or \"host\""}}},
    {"{\"hardware\": {\"clock\": \"null\"}}",
     {{"hardware.clock", "null, \"scale\" or \"machine\""}}},
    {"{\"hardware\": {\"profile\": \"../../etc/passwd\"}}", {{"hardware.profile", "a name"}}},
    {"{\"hardware\": {\"profile\": \"\"}}", {{"hardware.profile", "a name"}}},
    /* unknown keys */
    {"{\"colour\": 1}", {{"colour", "unknown key"}}},
    {"{\"overlap\": {\"prefech\": 1}}", {{"overlap.prefech", "did you mean overlap.prefetch?"}}},
    {"{\"prefetch\": 1}", {{"prefetch", "did you mean overlap.prefetch?"}}},
    {"{\"paralel\": {\"data\": 1}}", {{"paralel", "did you mean parallel?"}}},
    {"{\"overlap.prefetch\": 1}", {{"overlap.prefetch", "unknown key"}}},
    {"{\"a\\nb\": 1}", {{"a\\u000ab", "unknown key"}}},
    /* between keys */
    {"{\"model\": {\"width\": 100, \"heads\": 3}}", {{"model.heads", "3 does not divide 100"}}},
    {"{\"model\": {\"vocabulary\": 15}}", {{"model.vocabulary", "at least 16"}}},
    {"{\"task\": {\"kind\": \"text\"}}", {{"task.file", "needs the name"}}},
    {"{\"task\": {\"file\": \"x\"}}", {{"task.file", "only task \"text\""}}},
    {"{\"placement\": {\"gradients\": \"nvme\"}}", {{"placement.gradients", "nvme is refused"}}},
    {"{\"placement\": {\"optimizer\": \"gpu\"}}",
     {{"optimizer.runs_on", "set optimizer.runs_on to gpu too"}}},
    {"{\"placement\": {\"optimizer\": \"gpu\", \"gradients\": \"host\"}, \"optimizer\": "
     "{\"runs_on\": \"gpu\"}}",
     {{"placement.gradients", "while placement.optimizer is gpu"}}},
    {"{\"placement\": {\"optimizer\": \"gpu\", \"weights\": \"host\"}, \"optimizer\": "
     "{\"runs_on\": \"gpu\"}}",
     {{"placement.weights", "while placement.optimizer is gpu"}}},
    {"{\"placement\": {\"optimizer\": \"gpu\"}, \"optimizer\": {\"runs_on\": \"gpu\", "
     "\"gpu_fraction\": 0.5}}",
     {{"optimizer.gpu_fraction", "must be 0 while placement.optimizer is gpu"}}},
    {"{\"precision\": \"fp32\"}", {{"placement.optimizer", "fp32"}}},
    {"{\"optimizer\": {\"delayed\": true}, \"overlap\": {\"prefetch\": 0}}",
     {{"optimizer.delayed", "overlap.prefetch is 0"}}},
    {"{\"hardware\": {\"device\": \"cuda\", \"clock\": \"scale\"}}", {{"hardware.clock", "cuda"}}},
    {"{\"parallel\": {\"data\": 4096, \"pipeline\": 6}}", {{"parallel", "24576"}}},
    {"{\"parallel\": {\"tensor\": 3}}", {{"parallel.tensor", "3 does not divide 4"}}},
    {INTERLEAVED(4, 2, 4), {{"parallel.pipeline", "it is 8"}}},
    {INTERLEAVED(2, 1, 4), {{"parallel.chunks", "must be 2 or more"}}},
    {INTERLEAVED(1, 2, 4), {{"parallel.schedule", "one rank has nothing to interleave with"}}},
    {INTERLEAVED(1, 1, 1), {{"parallel.schedule", "parallel.pipeline to 2 or more"}}},
    {INTERLEAVED(2, 2, 3), {{"batch.micro_batches", "multiple of parallel.pipeline, 2"}}},
    {"{\"parallel\": {\"pipeline\": 2, \"chunks\": 2}}",
     {{"parallel.chunks", "unless parallel.schedule is interleaved"}}},
    {"{\"parallel\": {\"pipeline\": 2, \"chunks\": 2, \"schedule\": \"gpipe\"}}",
     {{"parallel.chunks", "it is 2"}}},
    {"{\"model\": {\"layers\": 1000, \"width\": 65536}}", {{"model", "weights"}}},
    {"{\"model\": {\"sequence\": 1000000, \"heads\": 128}, \"batch\": {\"micro_batch\": 100000}}",
     {{"batch.micro_batch", "activations"}}},
    {"{\"model\": {\"layers\": 1000}, \"batch\": {\"micro_batches\": 10000}}",
     {{"batch.micro_batches", "at most 2 GiB"}}},
    /* all at once, and no rule about a key already at fault */
    {"{\"steps\": 0, \"overlap\": {\"prefech\": 1, \"order\": \"back\"}, \"seed\": true}",
     {{"steps", ""}, {"overlap.prefech", ""}, {"overlap.order", ""}, {"seed", "it is true"}}},
    {"{\"model\": {\"width\": 0, \"heads\": 3}}", {{"model.width", "it is 0"}}},
};

static void check_faults(const char *message, const char *where, int row)
{
  g_auto(GStrv) lines = g_strsplit(message, "\n", -1);
  guint n = 0;
  while (n < G_N_ELEMENTS(table[row].faults) && table[row].faults[n].path)
    n++;
  ck_assert_msg(g_strv_length(lines) == n, "%s gave:\n%s", table[row].json, message);
  for (guint i = 0; i < n; i++) {
    g_autofree char *begin = g_strdup_printf("%s%s: ", where, table[row].faults[i].path);
    gboolean found = FALSE;
    for (guint k = 0; k < n; k++)
      found |= g_str_has_prefix(lines[k], begin) && strstr(lines[k], table[row].faults[i].says);
    ck_assert_msg(found, "%s gave:\n%s", table[row].json, message);
  }
}

START_TEST(faults_name_key_and_reason)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_run_config_parse(table[_i].json, -1, "serial.json", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  check_faults(error->message, "serial.json: ", _i);
}
END_TEST

START_TEST(faults_inside_a_course_have_its_path)
{
  g_autoptr(JsonNode) node = json_from_string(table[_i].json, NULL);
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(
      ol_run_config_from_json(json_node_get_object(node), "lessons[0].experiment.base", &error));
  check_faults(error->message, "lessons[0].experiment.base.", _i);
}
END_TEST

static const struct {
  const char *set, *says;
} assignments[] = {
    {"steps", "--set: \"steps\": must be key=value"},
    {"steps=", "--set: steps: must be a whole number from 1 to 100000; it is \"\""},
    {"steps=many", "--set: steps: must be a whole number"},
    {"steps=99999999999999999999", "it is \"99999999999999999999\""},
    {"step=4", "--set: step: unknown key; did you mean steps?"},
    {"overlap=4", "--set: overlap: is a group of keys"},
    {"=4", "--set: \"=4\": names no key; it must be key=value"},
    {"stpes=4", "--set: stpes: unknown key; did you mean steps?"},
    {"zzzzzzz=4", "unknown key; known here: name, steps, seed, precision, model, task, batch, "},
    {"overlap.zzzzzzz=4", "unknown key; known here: prefetch, write_back, pinned, order"},
    {"name=\xff\xfe", "--set: name: must be a text"},
    {"placement.optimizer=gpu", "set optimizer.runs_on to gpu too"},
    {"task.file=", "--set: task.file: must be null or a text of 1 to 4096 bytes; it is \"\""},
    {"hardware.nvme_folder=", "--set: hardware.nvme_folder: must be null or a text of 1 to"},
    {"hardware.profile=a b", "--set: hardware.profile: must be a name"},
};

START_TEST(assignments_are_checked)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(GError) error = NULL;
  const char *set[] = {assignments[_i].set, NULL};
  ck_assert_ptr_null(ol_run_config_with_assignments(base, set, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(strstr(error->message, assignments[_i].says) != NULL, "%s", error->message);
  ck_assert_ptr_null(strchr(error->message, '\n'));
}
END_TEST

/* config may not include the model room, so it has its own copy of this figure. */
START_TEST(sums_need_their_whole_alphabet)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  for (int less = 0; less < 2; less++) {
    g_autofree char *set = g_strdup_printf("model.vocabulary=%d", OL_TASK_SUMS_VOCABULARY - less);
    const char *sets[] = {set, NULL};
    g_autoptr(OlRunConfig) config = ol_run_config_with_assignments(base, sets, NULL);
    ck_assert_int_eq(config != NULL, !less);
  }
}
END_TEST

START_TEST(set_takes_dotted_scalars_alone)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(JsonNode) node =
      json_from_string("{\"overlap\": {\"prefetch\": 2}, \"steps.x\": 1}", NULL);
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_run_config_with(base, json_node_get_object(node), "runs[1].set", &error));
  ck_assert_ptr_nonnull(strstr(error->message, "runs[1].set.overlap: "));
  ck_assert_ptr_nonnull(strstr(error->message, "runs[1].set.steps.x: unknown key"));
}
END_TEST

START_TEST(a_thousand_faults_make_a_short_message)
{
  g_autoptr(GString) json = g_string_new("{");
  for (int i = 0; i < 1000; i++)
    g_string_append_printf(json, "%s\"key-%d\": 1", i > 0 ? "," : "", i);
  g_string_append(json, "}");
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_run_config_parse(json->str, -1, "x", &error));
  ck_assert_uint_lt(strlen(error->message), 8192);
  ck_assert_ptr_nonnull(strstr(error->message, "and 960 more"));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("faults");
  tcase_add_loop_test(tcase, faults_name_key_and_reason, 0, G_N_ELEMENTS(table));
  tcase_add_loop_test(tcase, faults_inside_a_course_have_its_path, 0, G_N_ELEMENTS(table));
  tcase_add_loop_test(tcase, assignments_are_checked, 0, G_N_ELEMENTS(assignments));
  tcase_add_test(tcase, sums_need_their_whole_alphabet);
  tcase_add_test(tcase, set_takes_dotted_scalars_alone);
  tcase_add_test(tcase, a_thousand_faults_make_a_short_message);
  return run_suite("faults", tcase);
}
