#include "lessons/learners.h"

#include "engine/config/json-guard.h"
#include "lessons/progress-schema.h"

#include <glib/gstdio.h>

#define BEGIN "progress-"
#define END   ".json"

char *ol_learner_dup_name(const char *learner)
{
  const char *name = learner != NULL ? learner : g_get_user_name();
  return g_utf8_make_valid(*name != '\0' ? name : "learner", -1);
}

/* Letters that are safe in any file name; a name that has others gets a hash of the whole, so that
 * two learners never share a file. */
static char *dup_file_name(const char *learner)
{
  g_autofree char *plain = g_strndup(learner, 40);
  g_strcanon(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", '_');
  if (g_str_equal(plain, learner))
    return g_strconcat(BEGIN, plain, END, NULL);
  g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, learner, -1);
  return g_strdup_printf(BEGIN "%s-%.12s" END, plain, hash);
}

static char *dup_folder(void)
{
  return g_build_filename(g_get_user_data_dir(), "offload-lab", NULL);
}

char *ol_learner_dup_path(const char *learner)
{
  g_autofree char *folder = dup_folder();
  g_autofree char *name = dup_file_name(learner);
  return g_build_filename(folder, name, NULL);
}

/* Whom the file names, if it can be used and lies where it belongs. */
static char *dup_name_in(const char *path)
{
  gsize length;
  g_autofree char *text = ol_json_read_file(path, &length, NULL);
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser =
      text != NULL ? ol_json_parse_object(text, (gssize)length, path, &root, NULL) : NULL;
  const char *name = parser != NULL ? ol_progress_schema_get_learner(root) : NULL;
  g_autofree char *place = name != NULL ? ol_learner_dup_path(name) : NULL;
  return g_strcmp0(place, path) == 0 ? g_strdup(name) : NULL;
}

static void free_learner(gpointer data)
{
  OlLearner *learner = data;
  g_free(learner->name);
  g_free(learner->path);
  g_free(learner);
}

static int compare_learners(gconstpointer a, gconstpointer b)
{
  const OlLearner *left = *(const OlLearner *const *)a, *right = *(const OlLearner *const *)b;
  if (left->name == NULL || right->name == NULL)
    return (left->name == NULL) - (right->name == NULL);
  int order = g_utf8_collate(left->name, right->name);
  return order != 0 ? order : g_strcmp0(left->path, right->path);
}

GPtrArray *ol_learners_list(void)
{
  GPtrArray *learners = g_ptr_array_new_with_free_func(free_learner);
  g_autofree char *folder = dup_folder();
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    if (!g_str_has_prefix(name, BEGIN) || !g_str_has_suffix(name, END))
      continue;
    OlLearner *learner = g_new0(OlLearner, 1);
    learner->path = g_build_filename(folder, name, NULL);
    learner->name = dup_name_in(learner->path);
    g_ptr_array_add(learners, learner);
  }
  g_ptr_array_sort(learners, compare_learners);
  return learners;
}

static char *dup_key(const char *name)
{
  g_autofree char *valid = g_utf8_make_valid(name, -1);
  g_autofree char *plain = g_utf8_normalize(g_strstrip(valid), -1, G_NORMALIZE_ALL_COMPOSE);
  return g_utf8_casefold(plain, -1);
}

const char *ol_learners_find(GPtrArray *learners, const char *typed)
{
  const char *alike = NULL;
  g_autofree char *meant = dup_key(typed);
  for (guint i = 0; i < learners->len; i++) {
    const char *name = ((const OlLearner *)learners->pdata[i])->name;
    g_autofree char *key = name != NULL ? dup_key(name) : NULL;
    if (g_strcmp0(name, typed) == 0)
      return name;
    if (alike == NULL && g_strcmp0(key, meant) == 0)
      alike = name;
  }
  return alike;
}

OlNameFault ol_learner_check_name(const char *name)
{
  gboolean seen = FALSE;
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char(at)) {
    gunichar letter = g_utf8_get_char(at);
    if (g_unichar_iscntrl(letter))
      return OL_NAME_UNREADABLE;
    seen = seen || (g_unichar_isgraph(letter) && !g_unichar_iszerowidth(letter));
  }
  return seen ? OL_NAME_FINE : OL_NAME_EMPTY;
}

/* Links to the folder are followed. */
gboolean ol_learner_owns_path(const char *path)
{
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *place = dup_folder();
  struct stat there, ours;
  return g_str_has_prefix(name, BEGIN) && g_stat(folder, &there) == 0 &&
         g_stat(place, &ours) == 0 && there.st_dev == ours.st_dev && there.st_ino == ours.st_ino;
}
