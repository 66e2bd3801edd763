/* Two traces equal in every field. */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

/* Fails the running check test where they differ; `replayed` may. */
void traces_are_equal(const OlTrace *a, const OlTrace *b);

G_END_DECLS
