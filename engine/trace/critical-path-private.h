/* Critical paths of many steps without starting over for each. */
#pragma once

#include "engine/trace/critical-path.h"

G_BEGIN_DECLS

typedef struct OlPathFinder OlPathFinder;

OlPathFinder *ol_path_finder_new(const OlTrace *trace);
void ol_path_finder_free(OlPathFinder *finder);

/* The path among these spans (indices, of one step), replacing what `path` holds. */
void ol_path_finder_find(OlPathFinder *finder, const guint *spans, guint n, GArray *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlPathFinder, ol_path_finder_free)

G_END_DECLS
