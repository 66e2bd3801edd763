/* Devices that live in shared objects of their own, opened at run time: the lab links none of the
 * libraries that they need, so that one build runs everywhere. */
#pragma once

#include "engine/device/device.h"

G_BEGIN_DECLS

/* The device called `name` ("cuda"), for the life of the process. NULL with OL_ERROR_DEVICE and
 * words on what is missing (the plug-in, the driver or the GPU) and what to do; OL_ERROR_BAD_INPUT
 * for a name that cannot be one.
 *
 * The plug-in is NAME.so in the folder that OFFLOAD_LAB_PLUGINS names, or else in the build tree of
 * a program that was not installed, or else in the library folder. */
const OlDeviceOps *ol_device_plugin_load(const char *name, GError **error);

/* What a plug-in exports, and nothing else, under this symbol: its table, or NULL with
 * OL_ERROR_DEVICE when this machine lacks what it needs. It refuses another version of device.h
 * than its own. */
typedef const OlDeviceOps *(*OlDevicePlugin)(guint version, GError **error);
#define OL_DEVICE_PLUGIN_SYMBOL  "ol_device_plugin"
#define OL_DEVICE_PLUGIN_VERSION 2u /* goes up when device.h changes */

G_END_DECLS
