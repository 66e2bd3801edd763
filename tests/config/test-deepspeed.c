/* DeepSpeed's recipes as it documents them, what they mean in the lab, and what is refused. */
#include "engine/base/error.h"
#include "engine/config/deepspeed.h"
#include "engine/config/run-config.h"
#include "tests/config/recipes.h"
#include "tests/suite.h"

#include <string.h>

static OlDeepSpeed *parse(const char *text)
{
  g_autoptr(GError) error = NULL;
  OlDeepSpeed *deepspeed = ol_deepspeed_parse(text, -1, "recipe.json", &error);
  ck_assert_msg(deepspeed != NULL, "%s: %s", text, error ? error->message : "");
  return deepspeed;
}

/* The default config, changed by the recipe. */
static OlRunConfig *config_of(const OlDeepSpeed *deepspeed)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(JsonObject) set = ol_deepspeed_to_set(deepspeed);
  g_autoptr(GError) error = NULL;
  OlRunConfig *config = ol_run_config_with(base, set, "recipe", &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

/* Why the key at `path` is not used; NULL when it is not listed. */
static const char *why_unused(const OlDeepSpeed *deepspeed, const char *path)
{
  for (guint i = 0; i < deepspeed->n_unused; i++)
    if (strcmp(deepspeed->unused[i].path, path) == 0)
      return deepspeed->unused[i].why;
  return NULL;
}

static char *dup_unused_paths(const OlDeepSpeed *deepspeed)
{
  GString *paths = g_string_new(NULL);
  for (guint i = 0; i < deepspeed->n_unused; i++)
    g_string_append_printf(paths, "%s%s", i > 0 ? " " : "", deepspeed->unused[i].path);
  return g_string_free(paths, FALSE);
}

START_TEST(zero_offload)
{
  g_autoptr(OlDeepSpeed) deepspeed = parse(zero_offload_recipe);
  ck_assert_uint_eq(deepspeed->stage, 2);
  ck_assert_int_eq(deepspeed->offload_optimizer.device, OL_DEEPSPEED_CPU);
  ck_assert(deepspeed->offload_optimizer.pin_memory);
  ck_assert_uint_eq(deepspeed->n_unused, 0);
  g_autoptr(OlRunConfig) config = config_of(deepspeed);
  ck_assert_uint_eq(config->parallel.zero, 2);
  ck_assert_int_eq(config->placement.optimizer, OL_TIER_HOST);
  ck_assert_int_eq(config->placement.gradients, OL_TIER_HOST);
  ck_assert_int_eq(config->placement.weights, OL_TIER_GPU);
  ck_assert_int_eq(config->optimizer.runs_on, OL_RUNS_ON_HOST);
  ck_assert(config->overlap.pinned);
  /* What it does not say stays as it was. */
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  ck_assert_uint_eq(config->overlap.prefetch, base->overlap.prefetch);
  ck_assert_uint_eq(config->batch.micro_batch, base->batch.micro_batch);
  ck_assert_int_eq(config->precision, base->precision);
}
END_TEST

START_TEST(zero_infinity)
{
  g_autoptr(OlDeepSpeed) deepspeed = parse(zero_infinity_recipe);
  ck_assert_uint_eq(deepspeed->stage, 3);
  ck_assert_str_eq(deepspeed->offload_optimizer.nvme_path, "/local_nvme//scratch#1");
  ck_assert_uint_eq(deepspeed->offload_param.buffer_count, 5);
  ck_assert_uint_eq(deepspeed->offload_param.buffer_size, 100000000);
  ck_assert_uint_eq(deepspeed->aio.block_size, 1 << 20);
  ck_assert_uint_eq(deepspeed->aio.queue_depth, 8);
  ck_assert_int_eq(deepspeed->bf16, TRUE);
  ck_assert_int_eq(deepspeed->fp16, -1);
  ck_assert_uint_eq(deepspeed->train_micro_batch_size_per_gpu, 0);
  g_autoptr(OlRunConfig) config = config_of(deepspeed);
  ck_assert_uint_eq(config->parallel.zero, 3);
  ck_assert_int_eq(config->placement.optimizer, OL_TIER_NVME);
  ck_assert_int_eq(config->placement.gradients, OL_TIER_HOST);
  ck_assert_int_eq(config->placement.weights, OL_TIER_NVME);
  ck_assert_int_eq(config->optimizer.runs_on, OL_RUNS_ON_HOST);
  ck_assert(config->overlap.pinned && config->overlap.write_back);
  ck_assert_uint_eq(config->overlap.prefetch, 1);
  ck_assert_double_eq(config->optimizer.clip_norm, 1);
  ck_assert_double_eq(config->optimizer.gpu_fraction, 0);
  ck_assert_uint_eq(config->batch.micro_batches, 2);
  ck_assert_ptr_null(config->hardware.nvme_folder);
  g_autofree char *unused = dup_unused_paths(deepspeed);
  ck_assert_str_eq(unused, "zero_optimization.offload_optimizer.nvme_path "
                           "zero_optimization.offload_param.nvme_path "
                           "zero_optimization.offload_param.buffer_count "
                           "zero_optimization.offload_param.buffer_size "
                           "zero_optimization.sub_group_size "
                           "aio.intra_op_parallelism "
                           "aio.single_submit aio.overlap_events train_micro_batch_size_per_gpu");
  ck_assert_ptr_nonnull(strstr(why_unused(deepspeed, "zero_optimization.offload_param.nvme_path"),
                               "hardware.nvme_folder"));
}
END_TEST

START_TEST(an_empty_recipe_offloads_nothing)
{
  g_autoptr(OlDeepSpeed) deepspeed = parse("# nothing\n{}");
  g_autoptr(OlRunConfig) config = config_of(deepspeed);
  ck_assert_uint_eq(config->parallel.zero, 0);
  ck_assert_int_eq(config->placement.optimizer, OL_TIER_GPU);
  ck_assert_int_eq(config->optimizer.runs_on, OL_RUNS_ON_GPU);
  ck_assert_uint_eq(deepspeed->n_unused, 0);
  /* offload_config.py, config.py, swap_tensor/constants.py */
  ck_assert_uint_eq(deepspeed->offload_optimizer.buffer_count, 4);
  ck_assert_double_eq(deepspeed->offload_optimizer.ratio, 1);
  ck_assert_uint_eq(deepspeed->offload_param.buffer_count, 5);
  ck_assert(!deepspeed->offload_optimizer.pin_memory && !deepspeed->aio.single_submit);
}
END_TEST

#define ZERO(stage, rest) "{\"zero_optimization\": {\"stage\": " #stage ", " rest "}}"
#define STATES(rest)      "\"offload_optimizer\": {" rest "}"
#define CPU(stage, rest)  ZERO(stage, STATES("\"device\": \"cpu\", " rest))
#define NVME(rest)        ZERO(3, STATES("\"device\": \"nvme\", " rest))
#define DRIVE(aio)                                                                                 \
  "{\"aio\": {" aio "}, \"zero_optimization\": {\"stage\": 3, "                                    \
  "\"offload_optimizer\": {\"device\": \"nvme\"}}}"
#define WEIGHTS(cpu, rest) CPU(3, cpu "}, \"offload_param\": {\"device\": \"cpu\", " rest)

/* One key of the lab that a recipe sets; NULL: it must not be set. */
static const struct {
  const char *text, *key, *value;
} means[] = {
    {ZERO(1, ), "parallel.zero", "1"},
    {CPU(1, ), "placement.gradients", "\"gpu\""},
    {CPU(1, ), "placement.optimizer", "\"host\""},
    {CPU(3, ), "placement.gradients", "\"host\""},
    {CPU(2, ), "overlap.pinned", "false"},
    {CPU(2, ), "overlap.prefetch", NULL},
    {CPU(2, ), "overlap.write_back", NULL},
    {ZERO(2, STATES("\"device\": \"none\"")), "optimizer.runs_on", "\"gpu\""},
    {ZERO(2, STATES("\"device\": \"none\"")), "overlap.pinned", NULL},
    {ZERO(2, "\"offload_optimizer\": null"), "placement.optimizer", "\"gpu\""},
    {CPU(3, "\"ratio\": 0.25"), "optimizer.gpu_fraction", "0.75"},
    {WEIGHTS("\"pin_memory\": true", ), "placement.weights", "\"host\""},
    {WEIGHTS("\"pin_memory\": true", ), "overlap.pinned", "false"},
    {WEIGHTS("\"pin_memory\": true", "\"pin_memory\": true"), "overlap.pinned", "true"},
    {ZERO(2, "\"offload_param\": {\"device\": \"cpu\"}"), "placement.weights", "\"gpu\""},
    {NVME(), "overlap.prefetch", "0"},
    {NVME(), "overlap.write_back", "false"},
    {NVME("\"pipeline_read\": true"), "overlap.prefetch", "1"},
    {NVME("\"pipeline_read\": true, \"buffer_count\": 0"), "overlap.prefetch", "1"},
    {NVME("\"pipeline_read\": true, \"buffer_count\": 8"), "overlap.prefetch", "1"},
    {NVME("\"pipeline_read\": true, \"buffer_count\": 12"), "overlap.prefetch", "2"},
    {NVME("\"pipeline_read\": true, \"buffer_count\": 1e6"), "overlap.prefetch", "1000"},
    {NVME("\"buffer_count\": 12"), "overlap.prefetch", "0"},
    {NVME("\"pipeline_write\": true"), "overlap.write_back", "true"},
    {"{\"bf16\": {\"enabled\": true}}", "precision", "\"bf16\""},
    {"{\"bfloat16\": {\"enabled\": true}}", "precision", "\"bf16\""},
    {"{\"fp16\": {\"enabled\": true}}", "precision", "\"bf16\""},
    {"{\"bf16\": {\"enabled\": false}}", "precision", "\"fp32\""},
    {"{\"bf16\": {\"enabled\": \"auto\"}}", "precision", NULL},
    {"{\"gradient_clipping\": 0}", "optimizer.clip_norm", "0.0"},
    {"{\"gradient_clipping\": \"auto\"}", "optimizer.clip_norm", NULL},
    {"{\"gradient_accumulation_steps\": 8}", "batch.micro_batches", "8"},
    {"{\"train_micro_batch_size_per_gpu\": 3}", "batch.micro_batch", "3"},
};

START_TEST(a_key_means)
{
  g_autoptr(OlDeepSpeed) deepspeed = parse(means[_i].text);
  g_autoptr(JsonObject) set = ol_deepspeed_to_set(deepspeed);
  JsonNode *node = json_object_get_member(set, means[_i].key);
  g_autofree char *value = node ? json_to_string(node, FALSE) : NULL;
  ck_assert_msg(g_strcmp0(value, means[_i].value) == 0, "%s: %s is %s", means[_i].text,
                means[_i].key, value ? value : "not set");
  g_autoptr(OlRunConfig) config = config_of(deepspeed);
}
END_TEST

static const struct {
  const char *text, *path, *why; /* why NULL: it is used */
} not_used[] = {
    {CPU(2, "\"pin_memory\": false"), "zero_optimization.offload_optimizer.pin_memory", NULL},
    {ZERO(2, STATES("\"pin_memory\": true")), "zero_optimization.offload_optimizer.pin_memory",
     "only for what is offloaded"},
    {WEIGHTS("\"pin_memory\": true", ), "zero_optimization.offload_optimizer.pin_memory",
     "all copies or none"},
    {CPU(2, "\"pipeline_read\": true"), "zero_optimization.offload_optimizer.pipeline_read",
     "device nvme only"},
    {NVME("\"buffer_count\": 4"), "zero_optimization.offload_optimizer.buffer_count",
     "pipeline_read only"},
    {NVME("\"fast_init\": true"), "zero_optimization.offload_optimizer.fast_init", "first step"},
    {CPU(2, "\"ratio\": 1"), "zero_optimization.offload_optimizer.ratio", "stage 3 only"},
    {ZERO(2, "\"offload_param\": {\"device\": \"cpu\"}"), "zero_optimization.offload_param.device",
     "stage 3 only"},
    {"{\"fp16\": {\"enabled\": true, \"loss_scale\": 0}}", "fp16.enabled", "bf16"},
    {"{\"fp16\": {\"enabled\": true, \"loss_scale\": 0}}", "fp16.loss_scale", "no loss scale"},
    {"{\"fp16\": {\"enabled\": false}}", "fp16.enabled", NULL},
    {"{\"fp16\": {\"enabled\": \"auto\"}}", "fp16.enabled", "\"auto\" is for a trainer"},
    {"{\"aio\": {\"thread_count\": 2}}", "aio.thread_count", "its own disk"},
    {"{\"optimizer\": {\"type\": \"AdamW\", \"params\": {\"lr\": 3}}}", "optimizer", "AdamW"},
    {DRIVE("\"queue_depth\": 256"), "aio.queue_depth", NULL},
    {DRIVE("\"queue_depth\": 257"), "aio.queue_depth", "at most 256 blocks"},
    {DRIVE("\"block_size\": 1048576"), "aio.block_size", NULL},
    {DRIVE("\"block_size\": 1048577"), "aio.block_size", "whole 4 KiB"},
    {DRIVE("\"block_size\": 67108864"), "aio.block_size", NULL},
    {DRIVE("\"block_size\": 67112960"), "aio.block_size", "64 MiB at most"},
    {"{\"\": 1}", "\"\"", "without a name"},
    {"{\"my_key\": [1, {\"a\": null}]}", "my_key", "no such setting"},
    {ZERO(2, "\"\": 1"), "zero_optimization.\"\"", "without a name"},
    {"{\"aio.block_size\": 1}", "\"aio.block_size\"", "inside its block"},
    {"{\"zero_optimization.offload_param\": null}", "\"zero_optimization.offload_param\"", "dot"},
    /* In the wrong block, which DeepSpeed lets pass without a word. */
    {ZERO(3, "\"aio\": {\"block_size\": 1}"), "zero_optimization.aio", "did you mean aio?"},
    {"{\"stage\": 3}", "stage", "did you mean zero_optimization.stage?"},
    {"{\"offload_optimizer\": {\"device\": \"cpu\"}}", "offload_optimizer",
     "did you mean zero_optimization.offload_optimizer?"},
    {ZERO(2, "\"pin_memory\": true"), "zero_optimization.pin_memory",
     "did you mean zero_optimization.offload_optimizer.pin_memory?"},
    {ZERO(2, "\"cpu_offload\": true"), "zero_optimization.cpu_offload", "an old spelling"},
};

START_TEST(a_key_is_used_or_listed)
{
  g_autoptr(OlDeepSpeed) deepspeed = parse(not_used[_i].text);
  const char *why = why_unused(deepspeed, not_used[_i].path);
  ck_assert_msg(!why == !not_used[_i].why, "%s: %s", not_used[_i].text, why ? why : "not listed");
  if (why)
    ck_assert_msg(strstr(why, not_used[_i].why) != NULL, "%s", why);
}
END_TEST

static const struct {
  const char *text, *says;
} refused[] = {
    {ZERO(4, ),
     "recipe.json: zero_optimization.stage: must be a whole number from 0 to 3; it is 4"},
    {"{\"zero_optimization\": {\"stage\": \"auto\"}}", "zero_optimization.stage: must be a whole"},
    {"{\"zero_optimization\": true}", "zero_optimization: must be an object"},
    {"{\"aio\": null}", "aio: must be an object, { … }"},
    {ZERO(2, "\"offload_optimizer\": false"),
     "offload_optimizer: must be an object, { … }, or null"},
    {ZERO(2, STATES("\"device\": \"CPU\"")),
     "offload_optimizer.device: must be \"none\", \"cpu\" or \"nvme\"; it is \"CPU\""},
    {CPU(2, "\"pin_memory\": 1"), "offload_optimizer.pin_memory: must be true or false; it is 1"},
    {CPU(2, "\"pin_memory\": \"auto\""), "pin_memory: must be true or false; it is \"auto\""},
    {CPU(2, "\"buffer_count\": 4.5"), "buffer_count: must be a whole number"},
    {CPU(2, "\"nvme_path\": 7"), "nvme_path: must be null or a text"},
    {CPU(3, "\"ratio\": 1.5"), "offload_optimizer.ratio: must be a number from 0 to 1; it is 1.5"},
    {CPU(2, "\"ratio\": 0.5"), "offload_optimizer.ratio: must be 1 at stage 2"},
    {CPU(0, ), "offload_optimizer.device: must be \"none\" at stage 0"},
    {ZERO(2, STATES("\"device\": \"nvme\"")), "must be \"none\" or \"cpu\" at stage 2"},
    {"{\"gradient_clipping\": -1}", "gradient_clipping: must be a number from 0"},
    {"{\"gradient_accumulation_steps\": 0}", "gradient_accumulation_steps: must be a whole"},
    {"{\"bf16\": {\"enabled\": 1}}", "bf16.enabled: must be true or false; it is 1"},
    {"{\"bf16\": {\"enabled\": true}, \"fp16\": {\"enabled\": true}}",
     "fp16.enabled: must be false while bf16 is enabled"},
    {"{\"bf16\": {\"enabled\": true}, \"bfloat16\": {\"enabled\": false}}",
     "bfloat16.enabled: is another name of bf16.enabled; leave one of them out"},
    {"// é\n/* two\nlines é */ {\"aio\": }", "recipe.json:3:20: aio: expected a value"},
    {"{\n \"a\": 1 /* open\n}", "recipe.json:2: the comment that begins on this line"},
    {"/*/", "recipe.json:1: the comment that begins on this line"},
    {"{\"a\": 1,, }", "recipe.json:1:9: expected a key"},
    {"{,}", "expected a key"},
    {"{\"a\": [,]}", "expected a value"},
    {"{\"a\":,}", "expected a value"},
    {"{\"a\": \"open // }", "before this quote is closed"},
    {"{\"a\": 1, \"a\": 2}", "given twice"},
    {"[1]", "must be an object"},
    {"/ {}", "expected a value"},
    {"# only\n", "is empty"},
};

START_TEST(a_fault_is_named)
{
  g_autoptr(GError) error = NULL;
  gsize length = strlen(refused[_i].text);
  /* A copy with no NUL after it, so that a read beyond the end shows under the sanitizer. */
  g_autofree char *text = g_memdup2(refused[_i].text, length);
  ck_assert_msg(!ol_deepspeed_parse(text, length, "recipe.json", &error), "%s", refused[_i].text);
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(strstr(error->message, refused[_i].says) != NULL, "%s", error->message);
}
END_TEST

START_TEST(all_faults_at_once)
{
  g_autoptr(GError) error = NULL;
  ck_assert(!ol_deepspeed_parse("{\"gradient_clipping\": [], \"aio\": {\"queue_depth\": 0}}", -1,
                                "x", &error));
  ck_assert_str_eq(error->message,
                   "x: gradient_clipping: must be a number from 0 to 1000000; it is a list\n"
                   "x: aio.queue_depth: must be a whole number from 1 to 1000000; it is 0");
}
END_TEST

START_TEST(fp32_with_offload_is_refused_by_the_lab)
{
  g_autoptr(OlDeepSpeed) deepspeed =
      parse("{\"bf16\": {\"enabled\": false}, \"zero_optimization\": {\"stage\": 2, "
            "\"offload_optimizer\": "
            "{\"device\": \"cpu\"}}}");
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autoptr(JsonObject) set = ol_deepspeed_to_set(deepspeed);
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_run_config_with(base, set, "recipe", &error));
  ck_assert_ptr_nonnull(strstr(error->message, "precision fp32"));
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("deepspeed");
  tcase_add_test(tcase, zero_offload);
  tcase_add_test(tcase, zero_infinity);
  tcase_add_test(tcase, an_empty_recipe_offloads_nothing);
  tcase_add_loop_test(tcase, a_key_means, 0, G_N_ELEMENTS(means));
  tcase_add_loop_test(tcase, a_key_is_used_or_listed, 0, G_N_ELEMENTS(not_used));
  tcase_add_loop_test(tcase, a_fault_is_named, 0, G_N_ELEMENTS(refused));
  tcase_add_test(tcase, all_faults_at_once);
  tcase_add_test(tcase, fp32_with_offload_is_refused_by_the_lab);
  return run_suite("deepspeed", tcase);
}
