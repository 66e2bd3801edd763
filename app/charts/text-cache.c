#include "app/charts/text-cache.h"

#define MOST_LINES 256u /* of a role: far more than a frame has; times on an axis come and go */

struct OlTextCache {
  GHashTable *lines[OL_N_TEXT_ROLES]; /* text, which is the layout's own -> PangoLayout */
};

OlTextCache *ol_text_cache_new(void)
{
  OlTextCache *cache = g_new0(OlTextCache, 1);
  for (int role = 0; role < OL_N_TEXT_ROLES; role++)
    cache->lines[role] = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_object_unref);
  return cache;
}

void ol_text_cache_free(OlTextCache *cache)
{
  for (int role = 0; cache != NULL && role < OL_N_TEXT_ROLES; role++)
    g_hash_table_unref(cache->lines[role]);
  g_free(cache);
}

PangoLayout *ol_text_cache_find(const OlTextCache *cache, OlTextRole role, const char *text)
{
  return g_hash_table_lookup(cache->lines[role], text);
}

void ol_text_cache_keep(OlTextCache *cache, OlTextRole role, PangoLayout *layout)
{
  if (g_hash_table_size(cache->lines[role]) >= MOST_LINES)
    g_hash_table_remove_all(cache->lines[role]);
  g_hash_table_replace(cache->lines[role], (gpointer)pango_layout_get_text(layout), layout);
}
