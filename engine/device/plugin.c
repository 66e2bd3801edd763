#include "engine/device/plugin.h"

#include "engine/base/intl.h"
#include "engine/base/plugin.h"

const OlDeviceOps *ol_device_plugin_load(const char *name, GError **error)
{
  static const OlPluginKind kind = {"device", OL_DEVICE_PLUGIN_SYMBOL, OL_DEVICE_PLUGINS_BUILD,
                                    N_("set hardware.device to virtual")};
  OlDevicePlugin plugin = (OlDevicePlugin)ol_plugin_open(&kind, name, error);
  if (!plugin)
    return NULL;
  const OlDeviceOps *ops = plugin(OL_DEVICE_PLUGIN_VERSION, error);
  if (!ops)
    g_prefix_error(error, _("device %s: "), name);
  return ops;
}
