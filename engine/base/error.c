#include "engine/base/error.h"

G_DEFINE_QUARK(ol-error-quark, ol_error)
