/* The cache of what was measured:
 *
 *   {"format": 1, "cpu": "…", "build": "…", "threads": {"1": {"product_flops": …, …}, "2": {…}},
 *    "drives": {"<folder>": {"read": …, "write": …}}}
 *
 * A file of another CPU or build, or one that cannot be read, counts as none. */
#include "engine/run/calibration.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

#define FORMAT 1

static const struct {
  const char *key;
  gsize offset;
} figures[] = {
    {"product_flops", G_STRUCT_OFFSET(OlCalibration, product_flops)},
    {"element_bytes", G_STRUCT_OFFSET(OlCalibration, element_bytes)},
    {"copy_bytes", G_STRUCT_OFFSET(OlCalibration, copy_bytes)},
    {"update_seconds", G_STRUCT_OFFSET(OlCalibration, update_seconds)},
    {"node_seconds", G_STRUCT_OFFSET(OlCalibration, node_seconds)},
    {"wake_seconds", G_STRUCT_OFFSET(OlCalibration, wake_seconds)},
};

static double *figure(OlCalibration *calibration, guint i)
{
  return G_STRUCT_MEMBER_P(calibration, figures[i].offset);
}

/* "AMD EPYC 9354, 2 cores". */
static char *dup_cpu(void)
{
  g_autofree char *text = NULL;
  g_autofree char *model = NULL;

  if (g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)) {
    const char *line = strstr(text, "model name");
    const char *colon = line ? strchr(line, ':') : NULL;
    if (colon)
      model = g_strstrip(g_strndup(colon + 1, strcspn(colon + 1, "\n")));
  }
  if (!model) {
    struct utsname machine;
    model = g_strdup(uname(&machine) == 0 ? machine.machine : "unknown");
  }
  return g_strdup_printf(_("%s, %u cores"), model, g_get_num_processors());
}

/* What decides the speed of the same kernels on the same CPU. */
static char *dup_build(void)
{
#if defined(__SANITIZE_ADDRESS__)
  const char *checks = _(", address sanitizer");
#elif defined(__SANITIZE_THREAD__)
  const char *checks = _(", thread sanitizer");
#else
  const char *checks = "";
#endif
#ifdef __OPTIMIZE__
  const char *optimised = "optimised";
#else
  const char *optimised = _("not optimised");
#endif
  return g_strdup_printf("%s, %s, %s%s", OL_VERSION, __VERSION__, optimised, checks);
}

char *ol_calibration_dup_path(void)
{
  return g_build_filename(g_get_user_cache_dir(), "offload-lab", "calibration.json", NULL);
}

static JsonObject *get_object(JsonObject *object, const char *key)
{
  JsonNode *node = object ? json_object_get_member(object, key) : NULL;
  return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static gboolean member_is(JsonObject *object, const char *key, const char *text)
{
  return g_strcmp0(json_object_get_string_member_with_default(object, key, NULL), text) == 0;
}

/* The root of a file of this CPU and build, else NULL. The parser keeps it alive. */
static JsonParser *read_cache(const char *path, JsonObject **root)
{
  g_autofree char *text = NULL;
  g_autofree char *cpu = dup_cpu();
  g_autofree char *build = dup_build();
  gsize length;

  if (!g_file_get_contents(path, &text, &length, NULL))
    return NULL;
  g_autoptr(JsonParser) parser = ol_json_parse_object(text, length, path, root, NULL);
  if (!parser || json_object_get_int_member_with_default(*root, "format", 0) != FORMAT ||
      !member_is(*root, "cpu", cpu) || !member_is(*root, "build", build))
    return NULL;
  return g_steal_pointer(&parser);
}

static gboolean find(const char *path, guint compute_threads, OlCalibration *calibration)
{
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser = read_cache(path, &root);
  g_autofree char *threads = g_strdup_printf("%u", compute_threads);
  JsonObject *rates = parser ? get_object(get_object(root, "threads"), threads) : NULL;

  if (!rates)
    return FALSE;
  *calibration =
      (OlCalibration){.compute_threads = compute_threads, .cores = g_get_num_processors()};
  for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
    double value = json_object_get_double_member_with_default(rates, figures[i].key, NAN);
    if (!isfinite(value) || value <= 0)
      return FALSE;
    *figure(calibration, i) = value;
  }
  return TRUE;
}

/* A copy of the object kept so far under `key`, or an empty one. */
static JsonObject *dup_members(JsonObject *root, const char *key)
{
  JsonObject *kept = get_object(root, key);
  JsonObject *copy = json_object_new();
  g_autoptr(GList) names = kept ? json_object_get_members(kept) : NULL;

  for (GList *name = names; name; name = name->next)
    json_object_set_member(copy, name->data, json_object_dup_member(kept, name->data));
  return copy;
}

/* The file with `rates`, which this takes, as member `name` of `key`. */
static gboolean write_cache(const char *path, const char *key, const char *name, JsonObject *rates,
                            GError **error)
{
  JsonObject *kept = NULL;
  g_autoptr(JsonParser) parser = read_cache(path, &kept);
  JsonObject *root = parser ? kept : NULL;
  g_autofree char *cpu = dup_cpu();
  g_autofree char *build = dup_build();

  g_autoptr(JsonObject) file = json_object_new();
  json_object_set_int_member(file, "format", FORMAT);
  json_object_set_string_member(file, "cpu", cpu);
  json_object_set_string_member(file, "build", build);
  json_object_set_object_member(file, "threads", dup_members(root, "threads"));
  json_object_set_object_member(file, "drives", dup_members(root, "drives"));
  json_object_set_object_member(json_object_get_object_member(file, key), name, rates);
  g_autoptr(JsonNode) node = json_node_init_object(json_node_alloc(), file);
  g_autofree char *text = json_to_string(node, TRUE);

  if (ol_whole_file_replace(path, text, strlen(text), error))
    return TRUE;
  g_prefix_error(error, _("the calibration cannot be kept: "));
  return FALSE;
}

gboolean ol_calibration_renew(const char *path, guint compute_threads, OlCalibration *calibration,
                              GError **error)
{
  g_autofree char *usual = ol_calibration_dup_path();

  ol_calibration_measure(compute_threads, calibration);
  g_autofree char *threads = g_strdup_printf("%u", compute_threads);
  JsonObject *rates = json_object_new();
  for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
    json_object_set_double_member(rates, figures[i].key, *figure(calibration, i));
  return write_cache(path ? path : usual, "threads", threads, rates, error);
}

void ol_calibration_get(const char *path, guint compute_threads, OlCalibration *calibration)
{
  g_autofree char *usual = ol_calibration_dup_path();

  if (!find(path ? path : usual, compute_threads, calibration))
    ol_calibration_renew(path, compute_threads, calibration, NULL);
}

/* 0 unless it is a rate. */
static double rate_of(JsonObject *rates, const char *key)
{
  double value = rates ? json_object_get_double_member_with_default(rates, key, 0) : 0;
  return isfinite(value) && value > 0 ? value : 0;
}

void ol_calibration_add_disk(const char *path, const char *folder, OlCalibration *calibration)
{
  g_autofree char *usual = ol_calibration_dup_path();
  /* A relative name is of another folder, perhaps another drive, wherever else the lab is started.
   */
  g_autofree char *name = folder ? g_canonicalize_filename(folder, NULL) : g_strdup("");
  const char *file = path ? path : usual;
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser = read_cache(file, &root);
  JsonObject *kept = parser ? get_object(get_object(root, "drives"), name) : NULL;

  calibration->disk_read_bytes = rate_of(kept, "read");
  calibration->disk_write_bytes = rate_of(kept, "write");
  if (calibration->disk_read_bytes > 0 && calibration->disk_write_bytes > 0)
    return;
  ol_calibration_measure_disk(folder, calibration);
  if (calibration->disk_read_bytes == 0 || calibration->disk_write_bytes == 0)
    return;
  JsonObject *rates = json_object_new();
  json_object_set_double_member(rates, "read", calibration->disk_read_bytes);
  json_object_set_double_member(rates, "write", calibration->disk_write_bytes);
  write_cache(file, "drives", name, rates, NULL);
}
