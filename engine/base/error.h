/* The one error domain of the engine. A message names what, where and what to do. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define OL_ERROR (ol_error_quark())

typedef enum {
  OL_ERROR_BAD_INPUT,     /* a config, course, profile or argument is not usable: exit status 2 */
  OL_ERROR_OUT_OF_MEMORY, /* a tier has no room: exit status 3 */
  OL_ERROR_DEVICE,        /* device failure: exit status 4 */
  OL_ERROR_STORAGE,       /* file or disk failure: exit status 4 */
  OL_ERROR_STOPPED,       /* whoever looks on has ended the work: exit status 130 */
} OlErrorCode;

GQuark ol_error_quark(void);

G_END_DECLS
