#include "engine/base/plugin.h"

#include "engine/base/error.h"
#include "engine/base/installed.h"
#include "engine/base/intl.h"
#include <dlfcn.h>
#include <string.h>

/* Lower-case words with hyphens: what cannot lead out of the folder. */
static gboolean is_name(const char *name)
{
  if (!name || !g_ascii_islower(*name))
    return FALSE;
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0' && strlen(name) < 64;
}

static char *dup_path(const OlPluginKind *kind, const char *name)
{
  g_autofree char *file = g_strconcat(name, ".so", NULL);
  const char *asked = g_getenv("OFFLOAD_LAB_PLUGINS");
  g_autofree char *installed = ol_installed_dup_folder(OL_PLUGINS_INSTALLED);
  if (asked && *asked)
    return g_build_filename(asked, file, NULL);
  if (installed)
    return g_build_filename(installed, file, NULL);
  return g_build_filename(kind->build, name, file, NULL);
}

/* Never unloaded once it is known to be a plug-in: its error domain, its threads and the exit
 * handlers of its libraries live on. */
static gpointer open_file(const OlPluginKind *kind, const char *name, const char *path,
                          GError **error)
{
  if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
    g_set_error(
        error, OL_ERROR, OL_ERROR_DEVICE,
        _("%s %s: the plug-in is missing: there is no %s; %s, or build the lab where what it "
          "is built with is found"),
        _(kind->what), name, path, _(kind->advice));
    return NULL;
  }
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                _("%s %s: the plug-in cannot be opened: %s; %s, or install what it names, or build "
                  "the lab again"),
                _(kind->what), name, dlerror(), _(kind->advice));
    return NULL;
  }
  gpointer symbol = dlsym(module, kind->symbol);
  if (!symbol) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                _("%s %s: %s is no plug-in of this lab: it has no %s; %s, or build the lab again"),
                _(kind->what), name, path, kind->symbol, _(kind->advice));
    dlclose(module);
    return NULL;
  }
  return symbol;
}

gpointer ol_plugin_open(const OlPluginKind *kind, const char *name, GError **error)
{
  if (!is_name(name)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("“%s” cannot be the name of a %s; it is a word in small letters, like cuda"),
                name ? name : "", _(kind->what));
    return NULL;
  }
  g_autofree char *path = dup_path(kind, name);
  return open_file(kind, name, path, error);
}
