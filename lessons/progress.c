#include "lessons/progress.h"

#include "engine/base/error.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include "lessons/file-lock.h"
#include "lessons/progress-merge.h"
#include "lessons/progress-schema.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

struct OlProgress {
  char *learner, *path;
  JsonObject *root; /* the whole file, keys that this lab does not know included */
  gboolean saved;
  gboolean in_the_way; /* a file that cannot be used still lies at path: move it before saving */
  char *barred;        /* why nothing may be saved, or NULL */
};

static JsonObject *new_root(const char *learner)
{
  JsonObject *root = json_object_new();
  json_object_set_int_member(root, "schema", OL_PROGRESS_SCHEMA);
  json_object_set_string_member(root, "learner", learner);
  json_object_set_object_member(root, "lessons", json_object_new());
  return root;
}

/* Letters that are safe in any file name; a name that has others gets a hash of the whole, so that
 * two learners never share a file. */
static char *dup_file_name(const char *learner)
{
  g_autofree char *plain = g_strndup(learner, 40);
  g_strcanon(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", '_');
  if (g_str_equal(plain, learner))
    return g_strdup_printf("progress-%s.json", plain);
  g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, learner, -1);
  return g_strdup_printf("progress-%s-%.12s.json", plain, hash);
}

static char *dup_default_path(const char *learner)
{
  g_autofree char *name = dup_file_name(learner);
  return g_build_filename(g_get_user_data_dir(), "offload-lab", name, NULL);
}

static char *dup_now(const char *format)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc();
  return g_date_time_format(now, format);
}

/* Gives the unusable file a name of its own. *aside: that name. */
static gboolean move_aside(OlProgress *progress, char **aside, GError **error)
{
  g_autofree char *time = dup_now("%Y%m%dT%H%M%SZ");
  g_autofree char *name = g_strdup_printf("%s.damaged-%s", progress->path, time);
  for (guint i = 2; g_file_test(name, G_FILE_TEST_EXISTS) && i < 1000; i++) {
    g_free(name);
    name = g_strdup_printf("%s.damaged-%s-%u", progress->path, time, i);
  }
  if (g_rename(progress->path, name) != 0 && errno != ENOENT) {
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "%s: cannot be kept aside as %s: %s",
                progress->path, name, g_strerror(errno));
    return FALSE;
  }
  progress->in_the_way = FALSE;
  *aside = g_steal_pointer(&name);
  return TRUE;
}

/* Starts empty and says what became of the file. */
static void give_up_file(OlProgress *progress, const char *why, GError **error)
{
  g_autofree char *aside = NULL;
  g_autoptr(GError) fault = NULL;
  progress->in_the_way = TRUE;
  if (move_aside(progress, &aside, &fault))
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
                "%s\nThe damaged file is kept as %s; progress starts empty.", why, aside);
  else
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "%s\n%s\nProgress starts empty.", why,
                fault->message);
}

/* The file's root when it can be used; else NULL and *why says what is wrong. */
static JsonObject *read_root(OlProgress *progress, char **why)
{
  gsize length;
  g_autoptr(GError) fault = NULL;
  g_autofree char *text = ol_json_read_file(progress->path, &length, &fault);
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser =
      text != NULL ? ol_json_parse_object(text, (gssize)length, progress->path, &root, &fault)
                   : NULL;
  if (parser == NULL) {
    *why = g_strdup(fault->message);
    return NULL;
  }
  if (ol_progress_schema_is_newer(root)) {
    progress->barred = g_strdup_printf("%s: was written by a newer lab; it is left as it is, and "
                                       "nothing is saved",
                                       progress->path);
    return NULL;
  }
  g_autofree char *misfit = ol_progress_schema_dup_misfit(root);
  if (misfit != NULL) {
    *why = g_strdup_printf("%s: %s", progress->path, misfit);
    return NULL;
  }
  /* The guard's parser gives an immutable tree, and this one grows. */
  g_autoptr(JsonNode) grown = json_from_string(text, NULL);
  return json_node_dup_object(grown);
}

static void load(OlProgress *progress, GError **error)
{
  if (g_access(progress->path, F_OK) != 0) {
    if (errno != ENOENT)
      g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "%s: cannot be read: %s", progress->path,
                  g_strerror(errno));
    return;
  }
  g_autofree char *why = NULL;
  JsonObject *root = read_root(progress, &why);
  if (root != NULL) {
    json_object_unref(progress->root);
    progress->root = root;
    json_object_set_string_member(root, "learner", progress->learner);
  } else if (progress->barred != NULL) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_STORAGE, progress->barred);
  } else {
    give_up_file(progress, why, error);
  }
}

OlProgress *ol_progress_load(const char *path, const char *learner, GError **error)
{
  OlProgress *progress = g_new0(OlProgress, 1);
  const char *name = learner != NULL ? learner : g_get_user_name();
  progress->learner = g_utf8_make_valid(*name != '\0' ? name : "learner", -1);
  progress->path = path != NULL ? g_strdup(path) : dup_default_path(progress->learner);
  progress->root = new_root(progress->learner);
  progress->saved = TRUE;
  ol_whole_file_sweep(progress->path);
  load(progress, error);
  return progress;
}

void ol_progress_free(OlProgress *progress)
{
  if (progress == NULL)
    return;
  json_object_unref(progress->root);
  g_free(progress->learner);
  g_free(progress->path);
  g_free(progress->barred);
  g_free(progress);
}

const char *ol_progress_get_learner(const OlProgress *progress)
{
  return progress->learner;
}

const char *ol_progress_get_path(const OlProgress *progress)
{
  return progress->path;
}

gboolean ol_progress_is_saved(const OlProgress *progress)
{
  return progress->saved;
}

/* Takes in what another program has saved since this one last read the file. One that is damaged
 * by now has to be moved out of the way; a newer lab's bars the way. */
static void take_in(OlProgress *progress)
{
  if (progress->in_the_way || g_access(progress->path, F_OK) != 0)
    return;
  g_autofree char *why = NULL;
  JsonObject *root = read_root(progress, &why);
  progress->in_the_way = root == NULL && progress->barred == NULL;
  if (root == NULL)
    return;
  ol_progress_merge(root, progress->root);
  json_object_set_string_member(root, "learner", progress->learner);
  json_object_unref(progress->root);
  progress->root = root;
}

static gboolean save(OlProgress *progress, GError **error)
{
  progress->saved = FALSE;
  if (progress->barred == NULL)
    take_in(progress);
  ol_progress_trim(progress->root);
  if (progress->barred != NULL) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_STORAGE, progress->barred);
    return FALSE;
  }
  g_autofree char *aside = NULL;
  if (progress->in_the_way && !move_aside(progress, &aside, error))
    return FALSE;
  g_autoptr(JsonNode) node = json_node_new(JSON_NODE_OBJECT);
  json_node_set_object(node, progress->root);
  g_autofree char *text = json_to_string(node, TRUE);
  progress->saved = ol_whole_file_replace(progress->path, text, strlen(text), error);
  return progress->saved;
}

gboolean ol_progress_save(OlProgress *progress, GError **error)
{
  int lock = ol_file_lock(progress->path);
  gboolean saved = save(progress, error);
  ol_file_unlock(lock);
  return saved;
}

static JsonObject *find_lesson(const OlProgress *progress, const char *lesson)
{
  JsonObject *lessons = json_object_get_object_member(progress->root, "lessons");
  return json_object_has_member(lessons, lesson) ? json_object_get_object_member(lessons, lesson)
                                                 : NULL;
}

static JsonArray *find_list(const OlProgress *progress, const char *lesson, const char *list)
{
  JsonObject *entry = find_lesson(progress, lesson);
  return entry != NULL && json_object_has_member(entry, list)
             ? json_object_get_array_member(entry, list)
             : NULL;
}

/* The lesson's list of that name, made when there is none. */
static JsonArray *need_list(OlProgress *progress, const char *lesson, const char *list)
{
  JsonObject *entry = find_lesson(progress, lesson);
  if (entry == NULL) {
    entry = json_object_new();
    json_object_set_object_member(json_object_get_object_member(progress->root, "lessons"), lesson,
                                  entry);
  }
  if (!json_object_has_member(entry, list))
    json_object_set_array_member(entry, list, json_array_new());
  return json_object_get_array_member(entry, list);
}

/* Adds a stamped entry to the list and saves. */
static gboolean keep(OlProgress *progress, const char *lesson, const char *list, JsonObject *entry,
                     GError **error)
{
  g_autofree char *now = dup_now("%Y-%m-%dT%H:%M:%SZ");
  json_object_set_string_member(entry, "time", now);
  JsonArray *array = need_list(progress, lesson, list);
  json_array_add_object_element(array, entry);
  return ol_progress_save(progress, error);
}

/* json-glib 1.6 writes 1e22 as "1e+22.0", which is no JSON, not even for itself: such a number
 * gives way to its neighbour, which has more digits. */
static double dodge_bare_exponent(double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr(text, sizeof text, value);
  return strchr(text, 'e') != NULL && strchr(text, '.') == NULL ? nextafter(value, 0) : value;
}

gboolean ol_progress_predict(OlProgress *progress, const char *lesson, double value, GError **error)
{
  if (!isfinite(value)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, "%s: a prediction must be a number", lesson);
    return FALSE;
  }
  JsonObject *entry = json_object_new();
  json_object_set_double_member(entry, "value", dodge_bare_exponent(value));
  return keep(progress, lesson, "predictions", entry, error);
}

gboolean ol_progress_answer(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error)
{
  JsonObject *entry = json_object_new();
  json_object_set_int_member(entry, "option", option);
  json_object_set_boolean_member(entry, "right", right);
  return keep(progress, lesson, "answers", entry, error);
}

gboolean ol_progress_ran(OlProgress *progress, const char *lesson, const char *run, GError **error)
{
  JsonObject *entry = json_object_new();
  json_object_set_string_member(entry, "run", run);
  return keep(progress, lesson, "runs", entry, error);
}

gboolean ol_progress_get_prediction(const OlProgress *progress, const char *lesson, double *value)
{
  JsonArray *array = find_list(progress, lesson, "predictions");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  if (n == 0)
    return FALSE;
  *value = json_object_get_double_member(json_array_get_object_element(array, n - 1), "value");
  return TRUE;
}

gboolean ol_progress_has_run(const OlProgress *progress, const char *lesson, const char *run)
{
  JsonArray *array = find_list(progress, lesson, "runs");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  for (guint i = 0; i < n; i++) {
    JsonObject *entry = json_array_get_object_element(array, i);
    if (g_str_equal(json_object_get_string_member(entry, "run"), run))
      return TRUE;
  }
  return FALSE;
}

gboolean ol_progress_get_answer(const OlProgress *progress, const char *lesson, guint *option,
                                gboolean *latest_right, gboolean *first_right)
{
  JsonArray *array = find_list(progress, lesson, "answers");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  if (n == 0)
    return FALSE;
  JsonObject *first = json_array_get_object_element(array, 0);
  JsonObject *latest = json_array_get_object_element(array, n - 1);
  if (option != NULL)
    *option = (guint)json_object_get_int_member(latest, "option");
  if (latest_right != NULL)
    *latest_right = json_object_get_boolean_member(latest, "right");
  if (first_right != NULL)
    *first_right = json_object_get_boolean_member(first, "right");
  return TRUE;
}

gboolean ol_progress_is_done(const OlProgress *progress, const char *lesson)
{
  JsonArray *array = find_list(progress, lesson, "answers");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  for (guint i = 0; i < n; i++)
    if (json_object_get_boolean_member(json_array_get_object_element(array, i), "right"))
      return TRUE;
  return FALSE;
}
