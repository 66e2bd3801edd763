#include "app/window/window-settings.h"

#define GROUP "window"

static char *dup_path(void)
{
  return g_build_filename(g_get_user_config_dir(), "offload-lab", "window.ini", NULL);
}

static GKeyFile *load(const char *path)
{
  GKeyFile *settings = g_key_file_new();

  g_key_file_load_from_file(settings, path, G_KEY_FILE_KEEP_COMMENTS, NULL);
  return settings;
}

char *ol_window_settings_dup(const char *key)
{
  g_autofree char *path = dup_path();
  g_autoptr(GKeyFile) settings = load(path);

  return g_key_file_get_string(settings, GROUP, key, NULL);
}

void ol_window_settings_set(const char *key, const char *value)
{
  g_autofree char *path = dup_path(), *folder = g_path_get_dirname(path);
  g_autoptr(GKeyFile) settings = load(path);

  g_mkdir_with_parents(folder, 0700);
  g_key_file_set_string(settings, GROUP, key, value);
  g_key_file_save_to_file(settings, path, NULL);
}
