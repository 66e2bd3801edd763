/* The host's optimizer threads: each takes pieces of a unit's tensors until none are left. Elements
 * do not depend on each other, so the split changes no bit. */
#pragma once

#include "engine/optimizer/adam.h"

G_BEGIN_DECLS

typedef struct OlUpdatePool OlUpdatePool;

/* `threads` counts the caller of run(): 1 starts none. */
OlUpdatePool *ol_update_pool_new(guint threads);
void ol_update_pool_free(OlUpdatePool *pool);

/* Updates all spans; returns when done. One caller at a time. */
void ol_update_pool_run(OlUpdatePool *pool, const OlAdamScalars *scalars, const OlAdamSpan *spans,
                        guint n_spans);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlUpdatePool, ol_update_pool_free)

G_END_DECLS
