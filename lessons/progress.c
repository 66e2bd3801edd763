#include "lessons/progress-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include "lessons/file-lock.h"
#include "lessons/learners.h"
#include "lessons/progress-merge.h"
#include "lessons/progress-schema.h"
#include "lessons/stamp.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static JsonObject *new_root(const char *learner)
{
  JsonObject *root = json_object_new();
  json_object_set_int_member(root, "schema", OL_PROGRESS_SCHEMA);
  json_object_set_string_member(root, "learner", learner);
  json_object_set_object_member(root, "lessons", json_object_new());
  return root;
}

/* Gives the unusable file a name of its own. *aside: that name. */
static gboolean move_aside(OlProgress *progress, char **aside, GError **error)
{
  *aside = ol_whole_file_move_aside(progress->path, error);
  progress->in_the_way = progress->in_the_way && *aside == NULL;
  return *aside != NULL;
}

/* Starts empty and says what became of the file. */
static void give_up_file(OlProgress *progress, const char *why, GError **error)
{
  g_autofree char *aside = NULL;
  g_autoptr(GError) fault = NULL;
  progress->in_the_way = TRUE;
  if (move_aside(progress, &aside, &fault))
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE,
                _("%s\nThe damaged file is kept as %s; progress starts empty."), why, aside);
  else
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("%s\n%s\nProgress starts empty."), why,
                fault->message);
}

JsonObject *ol_progress_read(const char *path, gboolean *newer, GError **error)
{
  gsize length;
  g_autofree char *text = ol_json_read_file(path, &length, error);
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser =
      text != NULL ? ol_json_parse_object(text, (gssize)length, path, &root, error) : NULL;
  *newer = parser != NULL && ol_progress_schema_is_newer(root);
  if (parser == NULL)
    return NULL;
  g_autofree char *misfit = *newer ? g_strdup(_("schema: was written by a newer lab"))
                                   : ol_progress_schema_dup_misfit(root);
  if (misfit != NULL) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, "%s: %s", path, misfit);
    return NULL;
  }
  /* The guard's parser gives an immutable tree, and this one grows. */
  g_autoptr(JsonNode) grown = json_from_string(text, NULL);
  return json_node_dup_object(grown);
}

/* The file's root when it can be used; else NULL, and either progress is barred by a newer lab or
 * *why says what is wrong. */
static JsonObject *read_root(OlProgress *progress, char **why)
{
  gboolean newer;
  g_autoptr(GError) fault = NULL;
  JsonObject *root = ol_progress_read(progress->path, &newer, &fault);
  if (root == NULL && newer)
    progress->barred =
        g_strdup_printf(_("%s; it is left as it is, and nothing is saved"), fault->message);
  else if (root == NULL)
    *why = g_strdup(fault->message);
  return root;
}

static void load(OlProgress *progress, GError **error)
{
  if (g_access(progress->path, F_OK) != 0) {
    if (errno != ENOENT)
      g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("%s: cannot be read: %s"), progress->path,
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

OlProgress *ol_progress_new_unsaved(const char *learner)
{
  OlProgress *progress = g_new0(OlProgress, 1);
  progress->learner = ol_learner_dup_name(learner);
  progress->root = new_root(progress->learner);
  progress->saved = TRUE;
  return progress;
}

OlProgress *ol_progress_load(const char *path, const char *learner, GError **error)
{
  OlProgress *progress = ol_progress_new_unsaved(learner);
  progress->path = path != NULL ? g_strdup(path) : ol_learner_dup_path(progress->learner);
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

void ol_progress_set_watch(OlProgress *progress, OlProgressWatch watch, gpointer data)
{
  progress->watch = watch;
  progress->watch_data = data;
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

static gboolean write_out(OlProgress *progress, GError **error)
{
  progress->saved = FALSE;
  ol_progress_trim(progress->root);
  if (progress->barred != NULL) {
    g_set_error_literal(error, OL_ERROR, OL_ERROR_STORAGE, progress->barred);
    return FALSE;
  }
  g_autofree char *aside = NULL;
  if (progress->in_the_way && !move_aside(progress, &aside, error))
    return FALSE;
  g_autofree char *text = ol_progress_dup_json(progress);
  progress->saved = ol_whole_file_replace(progress->path, text, strlen(text), error);
  return progress->saved;
}

gboolean ol_progress_change(OlProgress *progress, OlProgressChange change, gpointer data,
                            GError **error)
{
  if (progress->path == NULL) {
    if (change != NULL)
      change(progress, data);
    return TRUE;
  }
  GError *fault = NULL;
  int lock = ol_file_lock(progress->path);
  if (progress->barred == NULL)
    take_in(progress);
  gboolean changed = change == NULL || change(progress, data);
  gboolean clean = progress->saved && !progress->in_the_way && progress->barred == NULL;
  gboolean saved = (clean && !changed) || write_out(progress, &fault);
  ol_file_unlock(lock);
  if (progress->watch != NULL)
    progress->watch(progress->watch_data, saved ? NULL : fault->message);
  if (fault != NULL)
    g_propagate_error(error, fault);
  return saved;
}

gboolean ol_progress_save(OlProgress *progress, GError **error)
{
  return ol_progress_change(progress, NULL, NULL, error);
}

JsonObject *ol_progress_find_lesson(const OlProgress *progress, const char *lesson)
{
  JsonObject *lessons = json_object_get_object_member(progress->root, "lessons");
  return json_object_has_member(lessons, lesson) ? json_object_get_object_member(lessons, lesson)
                                                 : NULL;
}

JsonArray *ol_progress_find_list(const OlProgress *progress, const char *lesson, const char *list)
{
  JsonObject *entry = ol_progress_find_lesson(progress, lesson);
  return entry != NULL && json_object_has_member(entry, list)
             ? json_object_get_array_member(entry, list)
             : NULL;
}

/* The lesson's list of that name, made when there is none. */
static JsonArray *need_list(OlProgress *progress, const char *lesson, const char *list)
{
  JsonObject *entry = ol_progress_find_lesson(progress, lesson);
  if (entry == NULL) {
    entry = json_object_new();
    json_object_set_object_member(json_object_get_object_member(progress->root, "lessons"), lesson,
                                  entry);
  }
  if (!json_object_has_member(entry, list))
    json_object_set_array_member(entry, list, json_array_new());
  return json_object_get_array_member(entry, list);
}

/* Adds an entry to the list, stamped so that the lesson's reset leaves it alone, and saves. */
static gboolean keep(OlProgress *progress, const char *lesson, const char *list, JsonObject *entry,
                     GError **error)
{
  JsonArray *array = need_list(progress, lesson, list);
  g_autofree char *now =
      ol_stamp_dup_after(ol_progress_reset_before(ol_progress_find_lesson(progress, lesson)));
  json_object_set_string_member(entry, "time", now);
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
  return ol_progress_predict_sure(progress, lesson, value, NAN, error);
}

gboolean ol_progress_predict_sure(OlProgress *progress, const char *lesson, double value,
                                  double sure, GError **error)
{
  if (!isfinite(value)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: a prediction must be a number"),
                lesson);
    return FALSE;
  }
  if (sure < 0 || sure > 1) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: how sure a prediction is must be a share, 0 to 1"), lesson);
    return FALSE;
  }
  JsonObject *entry = json_object_new();
  json_object_set_double_member(entry, "value", dodge_bare_exponent(value));
  if (!isnan(sure))
    json_object_set_double_member(entry, "sure", dodge_bare_exponent(sure));
  return keep(progress, lesson, "predictions", entry, error);
}

static gboolean keep_answer(OlProgress *progress, const char *lesson, const char *list,
                            guint option, gboolean right, GError **error)
{
  JsonObject *entry = json_object_new();
  json_object_set_int_member(entry, "option", option);
  json_object_set_boolean_member(entry, "right", right);
  return keep(progress, lesson, list, entry, error);
}

gboolean ol_progress_answer(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error)
{
  return keep_answer(progress, lesson, "answers", option, right, error);
}

gboolean ol_progress_review(OlProgress *progress, const char *lesson, guint option, gboolean right,
                            GError **error)
{
  return keep_answer(progress, lesson, "reviews", option, right, error);
}

gboolean ol_progress_ran(OlProgress *progress, const char *lesson, const char *run, GError **error)
{
  return ol_progress_ran_measured(progress, lesson, run, NAN, error);
}

gboolean ol_progress_ran_measured(OlProgress *progress, const char *lesson, const char *run,
                                  double measured, GError **error)
{
  JsonObject *entry = json_object_new();
  json_object_set_string_member(entry, "run", run);
  if (isfinite(measured))
    json_object_set_double_member(entry, "measured", dodge_bare_exponent(measured));
  return keep(progress, lesson, "runs", entry, error);
}
