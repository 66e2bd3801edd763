#include "engine/config/deepspeed.h"

#include "engine/base/intl.h"
#include "engine/base/words.h"
#include "engine/config/deepspeed-keys-private.h"
#include "engine/config/json-guard.h"
#include "engine/config/json-relaxed-private.h"

#include <string.h>

#define ADAM_TENSORS  4    /* parameter, gradient and two moments a tile (offload_config.py) */
#define MOST_PREFETCH 1000 /* that overlap.prefetch allows */

/* DeepSpeed's; those of aio are in runtime/swap_tensor/constants.py. */
static const OlDeepSpeed defaults = {
    .offload_optimizer = {.buffer_count = 4, .ratio = 1},
    .offload_param = {.buffer_count = 5, .buffer_size = 100000000},
    .aio = {.block_size = 1048576,
            .queue_depth = 8,
            .intra_op_parallelism = 1,
            .overlap_events = TRUE},
    .gradient_clipping = -1,
    .bf16 = -1,
    .fp16 = -1,
};

typedef struct {
  OlDeepSpeed *deepspeed;
  OlFaults *faults;
  GPtrArray *read; /* OlDeepSpeedKey: so far */
  GArray *unused;  /* of OlDeepSpeedUnused */
} OlReading;

/* Called for each member that is not a block with an object in it; `key` is NULL when it is not
 * read. */
typedef void (*OlVisit)(OlReading *reading, const char *path, const OlDeepSpeedKey *key,
                        JsonNode *value);

/* An empty word, or one with a dot in it, keeps its quotes: "aio.block_size" at the top is not that
 * key. */
static char *dup_path(const char *block, const char *word)
{
  g_autofree char *quoted = ol_faults_dup_quoted(word);
  gsize quote = *word && !strchr(word, '.') ? 1 : 0;
  return g_strdup_printf("%s%s%.*s", block, *block ? "." : "", (int)(strlen(quoted) - 2 * quote),
                         quoted + quote);
}

static void walk(OlReading *reading, JsonObject *object, const char *block, OlVisit visit)
{
  JsonObjectIter iter;
  const char *word;
  JsonNode *value;
  json_object_iter_init_ordered(&iter, object);
  while (json_object_iter_next_ordered(&iter, &word, &value)) {
    g_autofree char *path = dup_path(block, word);
    if (ol_deepspeed_is_block(path) && JSON_NODE_HOLDS_OBJECT(value))
      walk(reading, json_node_get_object(value), path, visit);
    else
      visit(reading, path, ol_deepspeed_key_find(path), value);
  }
}

static gboolean is_auto(const OlDeepSpeedKey *key, JsonNode *value)
{
  return key->may_be_auto && JSON_NODE_HOLDS_VALUE(value) &&
         json_node_get_value_type(value) == G_TYPE_STRING &&
         strcmp(json_node_get_string(value), "auto") == 0;
}

/* offload_optimizer and offload_param may be null, which is to leave them out. */
static gboolean may_be_null(const char *block)
{
  return g_str_has_prefix(block, "zero_optimization.");
}

/* Two names of one setting: whichever counted, the other would be dropped in silence. */
static void refuse_second_name(OlReading *reading, const OlDeepSpeedKey *key)
{
  for (guint i = 0; i < reading->read->len; i++) {
    const OlDeepSpeedKey *other = reading->read->pdata[i];
    if (other->field.offset == key->field.offset && key->counts)
      ol_faults_add(reading->faults, key->field.path,
                    _("is another name of %s; leave one of them out"), other->field.path);
  }
  g_ptr_array_add(reading->read, (gpointer)key);
}

static void read_value(OlReading *reading, const char *path, const OlDeepSpeedKey *key,
                       JsonNode *value)
{
  if (key)
    refuse_second_name(reading, key);
  if (key && !is_auto(key, value))
    ol_field_read(&key->field, value, reading->deepspeed, reading->faults);
  if (ol_deepspeed_is_block(path) && !(JSON_NODE_HOLDS_NULL(value) && may_be_null(path)))
    ol_faults_add(reading->faults, path, _("must be an object, { … }%s"),
                  may_be_null(path) ? _(", or null") : "");
}

static void list_unused(OlReading *reading, const char *path, const OlDeepSpeedKey *key,
                        JsonNode *value)
{
  if (ol_deepspeed_is_block(path))
    return; /* null: there is nothing in it */
  char *why = NULL;
  if (!key)
    why = ol_deepspeed_dup_why_not_read(path);
  else if (is_auto(key, value))
    why = g_strdup(_("\"auto\" is for a trainer to fill in; the lab keeps its own value"));
  else if (!key->counts || !key->counts(reading->deepspeed))
    why = g_strdup(key->otherwise ? _(key->otherwise) : NULL);
  OlDeepSpeedUnused unused = {why ? g_strdup(path) : NULL, why};
  if (why)
    g_array_append_val(reading->unused, unused);
}

/* What DeepSpeed refuses too: the docs of offload_optimizer, and an assertion on ratio. */
static void check_stage(const OlDeepSpeed *deepspeed, OlFaults *faults)
{
  static const char device[] = "zero_optimization.offload_optimizer.device";
  static const char ratio[] = "zero_optimization.offload_optimizer.ratio";
  if (ol_faults_has(faults, "zero_optimization.stage") || ol_faults_has(faults, device) ||
      ol_faults_has(faults, ratio))
    return;
  if (deepspeed->stage == 0 && ol_deepspeed_offloads_optimizer(deepspeed))
    ol_faults_add(faults, device,
                  _("must be \"none\" at stage 0; set zero_optimization.stage to 1, 2 or 3"));
  else if (deepspeed->stage < 3 && ol_deepspeed_states_on_nvme(deepspeed))
    ol_faults_add(
        faults, device,
        _("must be \"none\" or \"cpu\" at stage %u; nvme needs zero_optimization.stage 3"),
        deepspeed->stage);
  if (deepspeed->stage < 3 && deepspeed->offload_optimizer.ratio < 1)
    ol_faults_add(faults, ratio,
                  _("must be 1 at stage %u; a share needs zero_optimization.stage 3"),
                  deepspeed->stage);
}

static void check_precision(const OlDeepSpeed *deepspeed, OlFaults *faults)
{
  if (deepspeed->bf16 == TRUE && deepspeed->fp16 == TRUE)
    ol_faults_add(faults, "fp16.enabled", _("must be false while bf16 is enabled"));
}

/* Past the size limit the text goes to the guard as it is, to be refused there. */
static JsonParser *parse_relaxed(const char *text, gsize length, const char *where,
                                 JsonObject **root, GError **error)
{
  if (length > OL_JSON_MAX_BYTES)
    return ol_json_parse_object(text, length, where, root, error);
  g_autofree char *strict = ol_json_dup_strict(text, length, where, &length, error);
  return strict ? ol_json_parse_object(strict, length, where, root, error) : NULL;
}

OlDeepSpeed *ol_deepspeed_parse(const char *text, gssize length, const char *where, GError **error)
{
  gsize bytes = length < 0 ? strlen(text) : (gsize)length;
  JsonObject *root;
  g_autoptr(JsonParser) parser = parse_relaxed(text, bytes, where, &root, error);
  if (!parser)
    return NULL;
  g_autofree char *prefix = g_strconcat(where, ": ", NULL);
  g_autoptr(OlFaults) faults = ol_faults_new(prefix);
  g_autoptr(OlDeepSpeed) deepspeed = g_memdup2(&defaults, sizeof defaults);
  g_autoptr(GPtrArray) read = g_ptr_array_new();
  OlReading reading = {deepspeed, faults, read, NULL};
  walk(&reading, root, "", read_value);
  check_stage(deepspeed, faults);
  check_precision(deepspeed, faults);
  if (!ol_faults_none(faults, OL_ERROR_BAD_INPUT, error))
    return NULL;
  reading.unused = g_array_new(FALSE, FALSE, sizeof(OlDeepSpeedUnused));
  walk(&reading, root, "", list_unused);
  deepspeed->n_unused = reading.unused->len;
  deepspeed->unused = (OlDeepSpeedUnused *)g_array_free(reading.unused, FALSE);
  return g_steal_pointer(&deepspeed);
}

void ol_deepspeed_free(OlDeepSpeed *deepspeed)
{
  if (!deepspeed)
    return;
  for (guint i = 0; i < deepspeed->n_unused; i++) {
    g_free(deepspeed->unused[i].path);
    g_free(deepspeed->unused[i].why);
  }
  g_free(deepspeed->unused);
  g_free(deepspeed->offload_optimizer.nvme_path);
  g_free(deepspeed->offload_param.nvme_path);
  g_free(deepspeed);
}

static OlTier tier_of(OlDeepSpeedDevice device)
{
  static const OlTier tiers[] = {
      [OL_DEEPSPEED_NONE] = OL_TIER_GPU,
      [OL_DEEPSPEED_CPU] = OL_TIER_HOST,
      [OL_DEEPSPEED_NVME] = OL_TIER_NVME,
  };
  return tiers[device];
}

static void set_placement(JsonObject *set, const OlDeepSpeed *deepspeed)
{
  gboolean offloads = ol_deepspeed_offloads_optimizer(deepspeed);
  OlDeepSpeedDevice weights = ol_deepspeed_offloads_weights(deepspeed)
                                  ? deepspeed->offload_param.device
                                  : OL_DEEPSPEED_NONE;
  OlTier gradients = offloads && deepspeed->stage >= 2 ? OL_TIER_HOST : OL_TIER_GPU;
  OlTier states = tier_of(deepspeed->offload_optimizer.device);
  json_object_set_string_member(set, "placement.weights", ol_tier_nick(tier_of(weights)));
  json_object_set_string_member(set, "placement.gradients", ol_tier_nick(gradients));
  json_object_set_string_member(set, "placement.optimizer", ol_tier_nick(states));
  json_object_set_string_member(set, "optimizer.runs_on", offloads ? "host" : "gpu");
  json_object_set_double_member(set, "optimizer.gpu_fraction",
                                offloads ? 1 - deepspeed->offload_optimizer.ratio : 0);
}

static void set_overlap(JsonObject *set, const OlDeepSpeed *deepspeed)
{
  if (ol_deepspeed_offloads_optimizer(deepspeed) || ol_deepspeed_offloads_weights(deepspeed))
    json_object_set_boolean_member(set, "overlap.pinned", ol_deepspeed_is_pinned(deepspeed));
  if (!ol_deepspeed_states_on_nvme(deepspeed))
    return;
  guint tiles = deepspeed->offload_optimizer.buffer_count / ADAM_TENSORS;
  guint ahead = CLAMP(tiles, 2, MOST_PREFETCH + 1) - 1; /* beside the one being updated */
  json_object_set_int_member(set, "overlap.prefetch",
                             deepspeed->offload_optimizer.pipeline_read ? ahead : 0);
  json_object_set_boolean_member(set, "overlap.write_back",
                                 deepspeed->offload_optimizer.pipeline_write);
}

static void set_arithmetic(JsonObject *set, const OlDeepSpeed *deepspeed)
{
  if (deepspeed->bf16 >= 0 || deepspeed->fp16 >= 0)
    json_object_set_string_member(
        set, "precision", deepspeed->bf16 == TRUE || deepspeed->fp16 == TRUE ? "bf16" : "fp32");
  if (deepspeed->gradient_clipping >= 0)
    json_object_set_double_member(set, "optimizer.clip_norm", deepspeed->gradient_clipping);
  if (deepspeed->train_micro_batch_size_per_gpu > 0)
    json_object_set_int_member(set, "batch.micro_batch", deepspeed->train_micro_batch_size_per_gpu);
  if (deepspeed->gradient_accumulation_steps > 0)
    json_object_set_int_member(set, "batch.micro_batches", deepspeed->gradient_accumulation_steps);
}

static void set_drive(JsonObject *set, const OlDeepSpeed *deepspeed)
{
  if (!ol_deepspeed_uses_nvme(deepspeed))
    return;
  json_object_set_int_member(set, "hardware.nvme_block_kib",
                             ol_deepspeed_drive_block_kib(deepspeed));
  json_object_set_int_member(set, "hardware.nvme_depth", ol_deepspeed_drive_depth(deepspeed));
}

JsonObject *ol_deepspeed_to_set(const OlDeepSpeed *deepspeed)
{
  JsonObject *set = json_object_new();
  json_object_set_int_member(set, "parallel.zero", deepspeed->stage);
  set_placement(set, deepspeed);
  set_overlap(set, deepspeed);
  set_drive(set, deepspeed);
  set_arithmetic(set, deepspeed);
  return set;
}
