/* A shared object as plug-in, for tests of the loader: `right` when it is one, NEEDS a word on what
 * the machine lacks, neither for a shared object that has nothing to do with the lab. */
#include "engine/base/error.h"
#include "engine/device/plugin.h"

#if defined(FIXTURE_RIGHT) || defined(FIXTURE_NEEDS)
const OlDeviceOps *ol_device_plugin(guint version, GError **error);

const OlDeviceOps *ol_device_plugin(guint version, GError **error)
{
#ifdef FIXTURE_NEEDS
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "no %s on this machine", FIXTURE_NEEDS);
  return NULL;
#else
  static const OlDeviceOps ops = {.name = "right"};
  return version == OL_DEVICE_PLUGIN_VERSION ? &ops : NULL;
#endif
}
#else
int nothing_of_the_lab(void);

int nothing_of_the_lab(void)
{
  return 0;
}
#endif
