/* Files of figures, each with its unit and source: data/hardware/ and data/models/.
 *
 *   {"title": "…", "<key>": {"value": 24e9, "unit": "B/s", "source": "…"}, …} */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *key;
  const char *unit;
  gsize offset;      /* in the struct that is filled */
  gboolean is_count; /* a guint, else a double */
  double least, most;
} OlFigure;

/* What such a file is called in messages, and where it lies below the data folder. */
typedef struct {
  const char *folder;     /* "hardware" */
  const char *config_key; /* "hardware.profile" */
  const OlFigure *figures;
  guint n_figures;
} OlFigureFile;

/* Fills `record` from <folder>/<file->folder>/<name>.json and gives its title, which the caller
 * frees; NULL on error. Every figure must be there, in its unit, with a source, and no other. */
char *ol_figures_load(const OlFigureFile *file, const char *folder, const char *name,
                      gpointer record, GError **error);

/* The names present, sorted. Caller frees with g_strfreev(). */
char **ol_figures_list(const OlFigureFile *file, const char *folder);

G_END_DECLS
