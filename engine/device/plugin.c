#include "engine/device/plugin.h"

#include "engine/base/error.h"
#include "engine/base/installed.h"
#include <dlfcn.h>
#include <string.h>

#define ADVICE "set hardware.device to virtual, or "

/* Lower-case words with hyphens: what cannot lead out of the folder. */
static gboolean is_name(const char *name)
{
  if (!name || !g_ascii_islower(*name))
    return FALSE;
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0' && strlen(name) < 64;
}

static char *dup_path(const char *name)
{
  g_autofree char *file = g_strconcat(name, ".so", NULL);
  const char *asked = g_getenv("OFFLOAD_LAB_PLUGINS");
  g_autofree char *installed = ol_installed_dup_folder(OL_PLUGINS_INSTALLED);
  if (asked && *asked)
    return g_build_filename(asked, file, NULL);
  if (installed)
    return g_build_filename(installed, file, NULL);
  return g_build_filename(OL_PLUGINS_BUILD, name, file, NULL);
}

/* Never unloaded once it is known to be a plug-in: its error domain, its threads and the exit
 * handlers of its libraries live on. */
static OlDevicePlugin open_plugin(const char *name, const char *path, GError **error)
{
  if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "device %s: the plug-in is missing: there is no %s; " ADVICE
                "build the lab where its compiler is found",
                name, path);
    return NULL;
  }
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "device %s: the plug-in cannot be opened: %s; " ADVICE
                "install what it names, or build the lab again",
                name, dlerror());
    return NULL;
  }
  OlDevicePlugin plugin = (OlDevicePlugin)dlsym(module, OL_DEVICE_PLUGIN_SYMBOL);
  if (!plugin) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "device %s: %s is no plug-in of this lab: it has no " OL_DEVICE_PLUGIN_SYMBOL
                "; " ADVICE "build the lab again",
                name, path);
    dlclose(module);
    return NULL;
  }
  return plugin;
}

const OlDeviceOps *ol_device_plugin_load(const char *name, GError **error)
{
  if (!is_name(name)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                "“%s” cannot be the name of a device; it is a word in small letters, like cuda",
                name ? name : "");
    return NULL;
  }
  g_autofree char *path = dup_path(name);
  OlDevicePlugin plugin = open_plugin(name, path, error);
  if (!plugin)
    return NULL;
  const OlDeviceOps *ops = plugin(OL_DEVICE_PLUGIN_VERSION, error);
  if (!ops)
    g_prefix_error(error, "device %s: ", name);
  return ops;
}
