/* Shared objects of the lab that are opened at run time: it links none of the libraries that they
 * need, so that one build runs everywhere. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a plug-in is for; all strings are the caller's. */
typedef struct {
  const char *what;   /* "device": what messages call it */
  const char *symbol; /* the one that it exports */
  const char *build;  /* folder of the build tree that has NAME/NAME.so */
  const char *advice; /* what to do without it: "set hardware.device to virtual" */
} OlPluginKind;

/* The symbol of the plug-in called `name` ("cuda"), which is then open for the life of the process.
 * NULL with OL_ERROR_DEVICE, which names the file and says what to do; OL_ERROR_BAD_INPUT for a
 * name that cannot be one.
 *
 * The plug-in is NAME.so in the folder that OFFLOAD_LAB_PLUGINS names, or else in the library
 * folder of a program that was installed, or else in the build tree. */
gpointer ol_plugin_open(const OlPluginKind *kind, const char *name, GError **error);

G_END_DECLS
