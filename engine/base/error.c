#include "engine/base/error.h"

GQuark ol_error_quark(void)
{
  return g_quark_from_static_string("ol-error-quark");
}
