/* A config's life: its defaults, copies, and its JSON. */
#include "engine/config/fields-private.h"

#include <string.h>

static const OlRunConfig defaults = {
    .name = (char *)"",
    .steps = 4,
    .seed = 7,
    .precision = OL_PRECISION_BF16,
    .model = {.layers = 6, .width = 128, .heads = 4, .sequence = 128, .vocabulary = 64},
    .task = {.kind = OL_TASK_SUMS},
    .batch = {.micro_batch = 4, .micro_batches = 1},
    .placement = {.weights = OL_TIER_GPU,
                  .gradients = OL_TIER_GPU,
                  .optimizer = OL_TIER_HOST,
                  .activations = OL_TIER_GPU},
    .optimizer = {.learning_rate = 0.0005,
                  .beta1 = 0.9,
                  .beta2 = 0.95,
                  .epsilon = 1e-8,
                  .weight_decay = 0.1,
                  .runs_on = OL_RUNS_ON_HOST},
    .overlap = {.prefetch = 2, .write_back = TRUE, .pinned = TRUE, .order = OL_UNIT_ORDER_FORWARD},
    .recompute = OL_RECOMPUTE_NONE,
    .parallel = {.data = 1, .tensor = 1, .pipeline = 1, .schedule = OL_SCHEDULE_1F1B, .chunks = 1},
    .hardware = {.device = OL_DEVICE_VIRTUAL,
                 .clock = OL_CLOCK_AUTO,
                 .profile = (char *)"a100-pcie4",
                 .stands_for = (char *)"gpt-2b",
                 .compute_threads = 1},
};

OlRunConfig *ol_run_config_new_default(void)
{
  return ol_run_config_copy(&defaults);
}

OlRunConfig *ol_run_config_copy(const OlRunConfig *config)
{
  OlRunConfig *copy = g_memdup2(config, sizeof *config);
  guint n;
  const OlField *fields = ol_fields_get(&n);
  for (guint i = 0; i < n; i++)
    if (ol_field_is_text(&fields[i])) {
      char **text = ol_field_text(&fields[i], copy);
      *text = g_strdup(*text);
    }
  return copy;
}

gboolean ol_run_config_has_scale_clock(const OlRunConfig *config)
{
  OlClockKind clock = config->hardware.clock;
  return clock == OL_CLOCK_SCALE ||
         (clock == OL_CLOCK_AUTO && config->hardware.device == OL_DEVICE_VIRTUAL);
}

void ol_run_config_free(OlRunConfig *config)
{
  if (!config)
    return;
  guint n;
  const OlField *fields = ol_fields_get(&n);
  for (guint i = 0; i < n; i++)
    if (ol_field_is_text(&fields[i]))
      g_free(*ol_field_text(&fields[i], config));
  g_free(config);
}

/* The length of the group's name in a key path: 7 of "overlap.prefetch", 0 without a group. */
static gsize group_length(const char *path)
{
  const char *point = strchr(path, '.');
  return point ? (gsize)(point - path) : 0;
}

static gboolean same_group(const OlField *a, const OlField *b)
{
  gsize length = group_length(a->path);
  return length == group_length(b->path) && strncmp(a->path, b->path, length) == 0;
}

/* A group stands on one line; what is in none, on a line each. */
char *ol_run_config_dup_text(const OlRunConfig *config, gboolean pretty)
{
  guint n;
  const OlField *fields = ol_fields_get(&n);
  GString *json = g_string_new("{");
  for (guint i = 0; i < n; i++) {
    gsize group = group_length(fields[i].path);
    gboolean begins = group > 0 && (i == 0 || !same_group(&fields[i - 1], &fields[i]));
    gboolean ends = group > 0 && (i + 1 == n || !same_group(&fields[i], &fields[i + 1]));
    gboolean own_line = group == 0 || begins;
    if (i > 0)
      g_string_append(json, pretty && !own_line ? ", " : ",");
    if (pretty && own_line)
      g_string_append(json, "\n  ");
    if (begins)
      g_string_append_printf(json, "\"%.*s\":%s{", (int)group, fields[i].path, pretty ? " " : "");
    const char *key = fields[i].path + (group > 0 ? group + 1 : 0);
    g_string_append_printf(json, "\"%s\":%s", key, pretty ? " " : "");
    ol_field_write(&fields[i], config, json);
    if (ends)
      g_string_append_c(json, '}');
  }
  g_string_append(json, pretty ? "\n}" : "}");
  return g_string_free(json, FALSE);
}

JsonNode *ol_run_config_to_json(const OlRunConfig *config)
{
  g_autofree char *text = ol_run_config_dup_text(config, FALSE);
  return json_from_string(text, NULL);
}
