/* Lines of text that have been laid out. A chart says the same words frame after frame, and to lay
 * them out costs far more than to draw them. Of one style, and one thread. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

/* Owned by the style; freeing NULL does nothing. */
OlTextCache *ol_text_cache_new(void);
void ol_text_cache_free(OlTextCache *cache);

/* Borrowed until the next call of ol_text_cache_keep(); NULL when it is not there. */
PangoLayout *ol_text_cache_find(const OlTextCache *cache, OlTextRole role, const char *text);
/* Takes over `layout`. */
void ol_text_cache_keep(OlTextCache *cache, OlTextRole role, PangoLayout *layout);

G_END_DECLS
