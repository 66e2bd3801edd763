/* Configs from files and into them. */
#include "app/sandbox/config-file.h"
#include "engine/base/error.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char *folder;

static void make_folder(void)
{
  folder = g_dir_make_tmp("sandbox-XXXXXX", NULL);
}

static void remove_folder(void)
{
  GDir *dir = g_dir_open(folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name(dir))) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_remove(path);
  }
  g_dir_close(dir);
  g_rmdir(folder);
  g_free(folder);
}

static char *path_of(const char *name)
{
  return g_build_filename(folder, name, NULL);
}

static guint count_files(void)
{
  GDir *dir = g_dir_open(folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name(dir))
    n++;
  g_dir_close(dir);
  return n;
}

static void refuses(const char *path, const char *words)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_config_file_load(path, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(strstr(error->message, words) != NULL, "%s", error->message);
}

/* Configs, at fault or not, are told from runs and from anything else by how they begin. */
START_TEST(likely_configs_are_told)
{
  static const struct {
    const char *name, *text;
    gboolean likely;
  } files[] = {
      {"a.json", "{\"model\": {\"layers\": 2}}", TRUE},
      {"b", "\xef\xbb\xbf \n{}", TRUE},
      {"c.json", "{\"model\": {\"layers\": \"six\"", TRUE},
      {"d.json", "{\"type\":\"run\",\"format\":1}\n", FALSE},
      {"e.json", "{ \"type\": \"span\"}\n", FALSE},
      {"f.jsonl", "{\"model\": 1}\n", FALSE},
      {"g.txt", "not a run\n", FALSE},
      {"h.json", "", FALSE},
  };
  for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
    g_autofree char *path = path_of(files[i].name);
    g_file_set_contents(path, files[i].text, -1, NULL);
    ck_assert_msg(ol_config_file_is_likely(path) == files[i].likely, "%s", files[i].name);
  }
  ck_assert(!ol_config_file_is_likely(folder));
  ck_assert(!ol_config_file_is_likely("/nowhere/at-all.json"));
}
END_TEST

START_TEST(what_is_saved_is_loaded)
{
  g_autofree char *path = path_of("mine.json");
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autoptr(GError) error = NULL;
  config->placement.optimizer = OL_TIER_NVME;
  config->hardware.gpu_mib = 12.5;
  g_free(config->name);
  config->name = g_strdup("größer \"als\" \\ je");
  ck_assert(ol_config_file_save(config, path, &error));
  g_autoptr(OlRunConfig) loaded = ol_config_file_load(path, &error);
  ck_assert_ptr_nonnull(loaded);
  g_autofree char *one = ol_run_config_dup_text(config, FALSE);
  g_autofree char *other = ol_run_config_dup_text(loaded, FALSE);
  ck_assert_str_eq(one, other);
}
END_TEST

START_TEST(bad_files_name_their_fault)
{
  static const struct {
    const char *text, *words;
  } cases[] = {{"{\"model\": {\"layers\": \"six\"}}", "bad.json: model.layers: must be a whole"},
               {"{\"model\": {\"layer\": 6}}", "model.layer: unknown key; did you mean"},
               {"{\"model\": ", "bad.json"},
               {"", "bad.json"},
               {"\xff\xfe{}", "bad.json"},
               {"{\"placement\": {\"optimizer\": \"gpu\"}}", "optimizer.runs_on"}};
  g_autofree char *path = path_of("bad.json");
  for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
    ck_assert(g_file_set_contents(path, cases[i].text, -1, NULL));
    refuses(path, cases[i].words);
  }
}
END_TEST

START_TEST(what_is_no_file_is_not_read)
{
  g_autofree char *missing = path_of("missing.json"), *pipe = path_of("pipe.json");
  g_autofree char *large = path_of("large.json");
  refuses(missing, "missing.json cannot be opened: No such file");
  refuses(folder, "it is a folder");
  ck_assert_int_eq(mkfifo(pipe, 0600), 0);
  refuses(pipe, "no ordinary file"); /* reading it would never end */
  refuses("/dev/zero", "no ordinary file");
  ck_assert(g_file_set_contents(large, "{}", -1, NULL));
  ck_assert_int_eq(truncate(large, (off_t)1 << 40), 0);
  refuses(large, "too large");
}
END_TEST

START_TEST(where_nothing_can_be_written_is_told)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autoptr(GError) error = NULL;
  g_autofree char *file = path_of("file"), *below = g_build_filename(file, "mine.json", NULL);
  ck_assert(g_file_set_contents(file, "", -1, NULL));
  ck_assert(!ol_config_file_save(config, below, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, below));
  ck_assert_ptr_nonnull(strstr(error->message, "Not a directory"));
  ck_assert_ptr_nonnull(strstr(error->message, "save it in another folder"));
}
END_TEST

/* A disk that takes nothing more, after a good file is there. */
START_TEST(a_full_disk_leaves_the_old_file)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autoptr(GError) error = NULL;
  g_autofree char *path = path_of("mine.json"), *before = NULL, *after = NULL;
  ck_assert(ol_config_file_save(config, path, NULL));
  g_file_get_contents(path, &before, NULL, NULL);
  config->model.layers = 9;
  signal(SIGXFSZ, SIG_IGN);
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){64, 64}), 0);
  ck_assert(!ol_config_file_save(config, path, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_STORAGE));
  ck_assert_ptr_nonnull(strstr(error->message, "File too large"));
  g_file_get_contents(path, &after, NULL, NULL);
  ck_assert_str_eq(before, after);
  ck_assert_uint_eq(count_files(), 1); /* nothing half is left beside it */
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("config-file");
  tcase_add_checked_fixture(tcase, make_folder, remove_folder);
  tcase_add_test(tcase, likely_configs_are_told);
  tcase_add_test(tcase, what_is_saved_is_loaded);
  tcase_add_test(tcase, bad_files_name_their_fault);
  tcase_add_test(tcase, what_is_no_file_is_not_read);
  tcase_add_test(tcase, where_nothing_can_be_written_is_told);
  tcase_add_test(tcase, a_full_disk_leaves_the_old_file);
  return run_suite("sandbox-config-file", tcase);
}
