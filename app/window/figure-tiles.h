/* A few figures side by side, each large and with a word on what it is; fewer in a row where there
 * is no room. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_FIGURE_TILES (ol_figure_tiles_get_type())
G_DECLARE_FINAL_TYPE(OlFigureTiles, ol_figure_tiles, OL, FIGURE_TILES, AdwBin)

#define OL_N_FIGURE_TILES 4

GtkWidget *ol_figure_tiles_new(void);
void ol_figure_tiles_set(OlFigureTiles *tiles, guint position, const char *figure,
                         const char *words);

G_END_DECLS
