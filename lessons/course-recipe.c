/* A run that is read from a recipe: a DeepSpeed JSON, which the learner sees beside the run. */
#include "lessons/course-private.h"

#include "engine/config/deepspeed.h"
#include "engine/config/hardware.h"
#include "engine/config/json-guard.h"

#include <string.h>

#define KEY "deepspeed"

/* A recipe, and what messages about it begin with. */
typedef struct {
  char *text;
  gsize length;
  char *where;
} Recipe;

static void clear_recipe(Recipe *recipe)
{
  g_free(recipe->text);
  g_free(recipe->where);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Recipe, clear_recipe)

static gboolean read_file(OlReader *reader, JsonObject *run_json, const char *data_folder,
                          Recipe *recipe)
{
  guint faults = reader->n_faults;
  g_autofree char *name = ol_reader_dup_id(reader, run_json, KEY);
  if (reader->n_faults > faults)
    return FALSE; /* no path is made of a name that is none */
  g_autofree char *file = g_strconcat(name, ".json", NULL);
  recipe->where =
      g_build_filename(data_folder != NULL ? data_folder : ol_data_folder(), "recipes", file, NULL);
  GError *error = NULL;
  recipe->text = ol_json_read_file(recipe->where, &recipe->length, &error);
  if (recipe->text == NULL)
    ol_reader_take_error(reader, KEY, error);
  return recipe->text != NULL;
}

static void read_inline(OlReader *reader, JsonNode *node, Recipe *recipe)
{
  recipe->where = ol_reader_dup_path(reader, KEY);
  recipe->text = json_to_string(node, TRUE);
  recipe->length = strlen(recipe->text);
}

/* An error about an inline recipe says "path: key: message"; with the dot of a key path between the
 * first two, the key's own line is found. */
static void take_error(OlReader *reader, const Recipe *recipe, gboolean is_file, GError *error)
{
  if (!is_file) {
    g_autofree char *before = g_strconcat(recipe->where, ": ", NULL);
    g_autofree char *path = g_strconcat(recipe->where, ".", NULL);
    g_auto(GStrv) parts = g_strsplit(error->message, before, -1);
    g_free(error->message);
    error->message = g_strjoinv(path, parts);
  }
  ol_reader_take_error(reader, KEY, error);
}

static char **dup_unused(const OlDeepSpeed *deepspeed)
{
  char **lines = g_new0(char *, deepspeed->n_unused + 1);
  for (guint i = 0; i < deepspeed->n_unused; i++)
    lines[i] = g_strdup_printf("%s: %s", deepspeed->unused[i].path, deepspeed->unused[i].why);
  return lines;
}

static OlRunConfig *apply(OlReader *reader, const OlDeepSpeed *deepspeed, const OlRunConfig *base)
{
  g_autoptr(JsonObject) set = ol_deepspeed_to_set(deepspeed);
  g_autofree char *path = ol_reader_dup_path(reader, KEY);
  GError *error = NULL;
  OlRunConfig *config = ol_run_config_with(base, set, path, &error);
  if (config == NULL)
    ol_reader_take_error(reader, KEY, error);
  return config;
}

OlRunConfig *ol_course_read_recipe(OlReader *reader, JsonObject *run_json, const char *data_folder,
                                   const OlRunConfig *base, OlLessonRun *run)
{
  JsonNode *node = json_object_get_member(run_json, KEY);
  if (node == NULL || JSON_NODE_HOLDS_NULL(node))
    return base != NULL ? ol_run_config_copy(base) : NULL;
  gboolean is_file = !JSON_NODE_HOLDS_OBJECT(node);
  g_auto(Recipe) recipe = {0};
  if (!is_file)
    read_inline(reader, node, &recipe);
  else if (!read_file(reader, run_json, data_folder, &recipe))
    return NULL;
  GError *error = NULL;
  g_autoptr(OlDeepSpeed) deepspeed =
      ol_deepspeed_parse(recipe.text, (gssize)recipe.length, recipe.where, &error);
  if (deepspeed == NULL) {
    take_error(reader, &recipe, is_file, error);
    return NULL;
  }
  run->recipe_text = g_steal_pointer(&recipe.text);
  run->recipe_unused = dup_unused(deepspeed);
  return base != NULL ? apply(reader, deepspeed, base) : NULL;
}
