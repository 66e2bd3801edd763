/* Help pages as they lie in data/help: a title, paragraphs, points and keys. No widgets.
 *
 *   # The title, on the first line
 *   A paragraph, which ends with an empty line.
 *   * a point
 *   = <Control>p F5 | what these keys do (keys as in GTK's shortcut labels)
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { OL_HELP_PARAGRAPH, OL_HELP_POINT, OL_HELP_KEYS } OlHelpKind;

typedef struct {
  OlHelpKind kind;
  char *text;
  char *keys; /* of OL_HELP_KEYS, else NULL */
} OlHelpPart;

typedef struct {
  char *id; /* "memory", of 40-memory.txt */
  char *title;
  GPtrArray *parts; /* OlHelpPart */
} OlHelpPage;

/* NULL with OL_ERROR_BAD_INPUT, which names file and line. */
OlHelpPage *ol_help_page_parse(const char *text, const char *name, GError **error);
void ol_help_page_free(OlHelpPage *page);

/* All of data_folder/help by their files' names: OlHelpPage, freed with the array. NULL with an
 * error when one cannot be read. */
GPtrArray *ol_help_pages_load(const char *data_folder, GError **error);
/* The place of the page, or 0, which is about the lab as a whole. */
guint ol_help_pages_find(GPtrArray *pages, const char *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlHelpPage, ol_help_page_free)

G_END_DECLS
