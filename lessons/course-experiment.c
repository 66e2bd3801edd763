/* A lesson's runs and the controls that it opens. */
#include "lessons/course-private.h"

#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "engine/trace/metrics.h"
#include "lessons/quote.h"

#include <string.h>

typedef struct {
  const OlRunConfig *base; /* NULL when that is faulty itself */
  const char *data_folder;
} RunContext;

/* Where a run's key path gets its value: its own `set`, or else its recipe. */
static const char *find_source(JsonObject *run_json, const char *key_path)
{
  JsonNode *set = json_object_get_member(run_json, "set");
  gboolean is_set = set != NULL && JSON_NODE_HOLDS_OBJECT(set) &&
                    json_object_has_member(json_node_get_object(set), key_path);
  return is_set || !json_object_has_member(run_json, "deepspeed") ? "set" : "deepspeed";
}

/* Faults each line "key.path: message" of `error` where that key stands: in `source`, or where the
 * run has it from. Takes the error. */
static void fault_keys(OlReader *reader, const char *source, JsonObject *run_json, GError *error)
{
  g_auto(GStrv) lines = g_strsplit(error->message, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    char *colon = strstr(lines[i], ": ");
    if (colon != NULL && memchr(lines[i], '/', (gsize)(colon - lines[i])) != NULL)
      colon = NULL; /* a file's fault, not a key's */
    const char *message = colon != NULL ? colon + 2 : lines[i];
    if (colon != NULL)
      *colon = '\0';
    const char *key_path = colon != NULL ? lines[i] : "hardware.profile";
    g_autofree char *key =
        g_strjoin(".", source != NULL ? source : find_source(run_json, key_path), key_path, NULL);
    ol_reader_fault(reader, key, "%s", message);
  }
  g_error_free(error);
}

/* A learner must not find out by running it: the machine is known. */
static gboolean check_runs_here(OlReader *reader, const OlRunConfig *config,
                                const char *data_folder, const char *source, JsonObject *run_json)
{
  GError *error = NULL;
  g_autoptr(OlMachine) machine = ol_machine_new(config, data_folder, &error);
  if (machine != NULL)
    return TRUE;
  fault_keys(reader, source, run_json, error);
  return FALSE;
}

static void read_run(OlReader *reader, JsonObject *object, gpointer element, gpointer data)
{
  static const char *const known[] = {"name", "title", "deepspeed", "set", "hidden", NULL};
  const RunContext *context = data;
  OlLessonRun *run = element;
  ol_reader_refuse_unknown(reader, object, known);
  run->name = ol_reader_dup_id(reader, object, "name");
  run->title = ol_reader_dup_words(reader, object, "title", OL_REQUIRED);
  run->hidden = ol_reader_boolean(reader, object, "hidden", FALSE);
  g_autoptr(OlRunConfig) base =
      ol_course_read_recipe(reader, object, context->data_folder, context->base, run);
  JsonObject *set = ol_reader_object(reader, object, "set", OL_OPTIONAL);
  if (base == NULL)
    return;
  GError *error = NULL;
  g_autofree char *path = ol_reader_dup_path(reader, "set");
  run->config = set != NULL ? ol_run_config_with(base, set, path, &error) : g_steal_pointer(&base);
  if (run->config == NULL) {
    ol_reader_take_error(reader, "set", error);
    return;
  }
  check_runs_here(reader, run->config, context->data_folder, NULL, object);
  g_free(run->config->name);
  run->config->name = g_strdup(run->title);
}

/* Runs of one experiment share µ, κ and s, else no figure of one could be held beside another's. */
static const char *find_scale_difference(const OlRunConfig *a, const OlRunConfig *b)
{
  if (g_strcmp0(a->hardware.profile, b->hardware.profile) != 0)
    return "hardware.profile";
  if (g_strcmp0(a->hardware.stands_for, b->hardware.stands_for) != 0)
    return "hardware.stands_for";
  if (a->hardware.slowdown != b->hardware.slowdown)
    return "hardware.slowdown";
  if (a->hardware.clock != b->hardware.clock)
    return "hardware.clock";
  return a->hardware.device != b->hardware.device ? "hardware.device" : NULL;
}

static void check_runs(OlReader *reader, const OlLesson *lesson)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < lesson->n_runs; i++) {
    const OlLessonRun *run = &lesson->runs[i];
    g_autofree char *item = g_strdup_printf("runs[%u]", i);
    gsize mark = ol_reader_enter(reader, item);
    if (run->name != NULL && !g_hash_table_add(seen, run->name))
      ol_reader_fault(reader, "name", _("another run is called “%s” already"), run->name);
    const OlRunConfig *first = lesson->runs[0].config;
    const char *differs =
        run->config != NULL && first != NULL ? find_scale_difference(run->config, first) : NULL;
    if (differs != NULL)
      ol_reader_fault(reader, "set",
                      _("%s differs from the first run's; all runs of a lesson share it"), differs);
    ol_reader_leave(reader, mark);
  }
}

/* A control is the key path of a scalar in the config. */
static void check_controls(OlReader *reader, const OlLesson *lesson)
{
  if (lesson->n_runs == 0 || lesson->runs[0].config == NULL)
    return;
  g_autoptr(JsonNode) config = ol_run_config_to_json(lesson->runs[0].config);
  for (guint i = 0; lesson->controls[i] != NULL; i++) {
    g_autofree char *item = g_strdup_printf("controls[%u]", i);
    if (ol_setting_find(json_node_get_object(config), lesson->controls[i]) == NULL)
      ol_reader_fault(reader, item, _("“%s” is no key of a config"), lesson->controls[i]);
  }
}

void ol_course_read_experiment(OlReader *reader, JsonObject *lesson_json, const char *data_folder,
                               OlLesson *lesson)
{
  static const char *const known[] = {"base", "runs", NULL};
  lesson->controls = ol_reader_dup_texts(reader, lesson_json, "controls", OL_OPTIONAL);
  JsonObject *object = ol_reader_object(reader, lesson_json, "experiment", OL_REQUIRED);
  if (object == NULL)
    return;
  gsize mark = ol_reader_enter(reader, "experiment");
  ol_reader_refuse_unknown(reader, object, known);
  JsonObject *base_json = ol_reader_object(reader, object, "base", OL_REQUIRED);
  g_autofree char *path = ol_reader_dup_path(reader, "base");
  GError *error = NULL;
  g_autoptr(OlRunConfig) base =
      base_json != NULL ? ol_run_config_from_json(base_json, path, &error) : NULL;
  if (error != NULL)
    ol_reader_take_error(reader, "base", error);
  if (base != NULL && !check_runs_here(reader, base, data_folder, "base", NULL))
    g_clear_pointer(&base, ol_run_config_free); /* told once, not again for every run */
  RunContext context = {base, data_folder};
  lesson->runs = ol_reader_list(reader, object, "runs", OL_REQUIRED, sizeof(OlLessonRun), read_run,
                                &context, &lesson->n_runs);
  check_runs(reader, lesson);
  ol_reader_leave(reader, mark);
  check_controls(reader, lesson);
}

const OlLessonRun *ol_course_read_run(OlReader *reader, JsonObject *object, const char *key,
                                      const OlLesson *lesson, char **name)
{
  *name = ol_reader_dup_text(reader, object, key, OL_REQUIRED);
  if (*name == NULL)
    return NULL;
  const OlLessonRun *run = ol_lesson_find_run(lesson, *name);
  if (run == NULL)
    ol_reader_fault(reader, key, _("this lesson has no run “%s”"), *name);
  return run;
}

/* The setting's value in the run's config as the course makes it, or NULL. */
static JsonNode *dup_setting(const char *metric, const OlLessonRun *run)
{
  const char *key_path = ol_quote_setting(metric);
  if (key_path == NULL || run == NULL || run->config == NULL)
    return NULL;
  g_autoptr(JsonNode) config = ol_run_config_to_json(run->config);
  JsonNode *value = ol_setting_find(json_node_get_object(config), key_path);
  return value != NULL && JSON_NODE_HOLDS_VALUE(value) ? json_node_copy(value) : NULL;
}

static gboolean is_known(const char *metric, const OlLessonRun *run)
{
  if (ol_quote_setting(metric) == NULL)
    return ol_metrics_path_is_known(metric);
  g_autoptr(JsonNode) value = dup_setting(metric, run);
  return value != NULL || run == NULL || run->config == NULL;
}

gboolean ol_course_is_text(const char *metric, const OlLessonRun *run)
{
  if (ol_quote_setting(metric) == NULL)
    return ol_metrics_measure(metric) == OL_MEASURE_TEXT;
  g_autoptr(JsonNode) value = dup_setting(metric, run);
  return value != NULL && json_node_get_value_type(value) == G_TYPE_STRING;
}

char *ol_course_read_metric(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                            const OlLessonRun *run)
{
  char *metric = ol_reader_dup_text(reader, object, key, need);
  if (metric != NULL && !is_known(metric, run))
    ol_reader_fault(reader, key, _("“%s” is no metric that a run can have, nor a setting of it"),
                    metric);
  return metric;
}

typedef struct {
  OlReader *reader;
  const OlLesson *lesson;
  const char *key;
} QuoteContext;

static char *check_quote(const char *name, const char *metric, gpointer data)
{
  QuoteContext *context = data;
  if (name == NULL) {
    ol_reader_fault(context->reader, context->key, _("a { that opens no {run:metric}"));
    return NULL;
  }
  const OlLessonRun *run = ol_lesson_find_run(context->lesson, name);
  if (run == NULL)
    ol_reader_fault(context->reader, context->key,
                    _("quotes {%s:%s}, but this lesson has no run “%s”"), name, metric, name);
  else if (run->hidden)
    ol_reader_fault(context->reader, context->key,
                    _("quotes {%s:%s}, but a learner never makes that hidden run"), name, metric);
  else if (!is_known(metric, run))
    ol_reader_fault(context->reader, context->key,
                    _("quotes {%s:%s}, but “%s” is no metric that a run can have"), name, metric,
                    metric);
  return NULL;
}

char *ol_course_read_quoting(OlReader *reader, JsonObject *object, const char *key,
                             const OlLesson *lesson)
{
  g_autofree char *text = ol_reader_dup_text(reader, object, key, OL_REQUIRED);
  if (text == NULL)
    return NULL;
  QuoteContext context = {reader, lesson, key};
  g_free(ol_quotes_replace(text, check_quote, &context));
  return g_strdup(_(text)); /* a translation is no fault of the course's */
}
