#include "app/window/help-text.h"

#include "engine/base/error.h"
#include "engine/base/folder.h"
#include "engine/base/intl.h"
#include <string.h>

static void part_free(OlHelpPart *part)
{
  g_free(part->text);
  g_free(part->keys);
  g_free(part);
}

void ol_help_page_free(OlHelpPage *page)
{
  if (!page)
    return;
  g_ptr_array_unref(page->parts);
  g_free(page->id);
  g_free(page->title);
  g_free(page);
}

/* "40-memory.txt" → "memory" */
static char *dup_id(const char *name)
{
  const char *begin = name + strspn(name, "0123456789-");
  return g_strndup(begin, strcspn(begin, "."));
}

static OlHelpPart *add_part(OlHelpPage *page, OlHelpKind kind, const char *text)
{
  OlHelpPart *part = g_new0(OlHelpPart, 1);

  part->kind = kind;
  part->text = g_strstrip(g_strdup(text));
  g_ptr_array_add(page->parts, part);
  return part;
}

/* A line after the title. `open`: the paragraph that it may go on. FALSE: it has no words. */
static gboolean take_line(OlHelpPage *page, const char *line, OlHelpPart **open)
{
  const char *bar = strchr(line, '|');

  if (*line == '\0') {
    *open = NULL;
  } else if (g_str_has_prefix(line, "* ")) {
    *open = NULL;
    add_part(page, OL_HELP_POINT, line + 2);
  } else if (*line == '=') {
    *open = NULL;
    if (!bar || bar == line + 1)
      return FALSE;
    add_part(page, OL_HELP_KEYS, bar + 1)->keys = g_strstrip(g_strndup(line + 1, bar - line - 1));
  } else if (*open) {
    g_autofree char *before = (*open)->text;
    (*open)->text = g_strconcat(before, " ", line, NULL);
  } else {
    *open = add_part(page, OL_HELP_PARAGRAPH, line);
  }
  return TRUE;
}

OlHelpPage *ol_help_page_parse(const char *text, const char *name, GError **error)
{
  g_autoptr(OlHelpPage) page = g_new0(OlHelpPage, 1);
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  OlHelpPart *open = NULL;
  guint at = 0;

  page->parts = g_ptr_array_new_with_free_func((GDestroyNotify)part_free);
  page->id = dup_id(name);
  gboolean valid = lines[0] && g_str_has_prefix(lines[0], "# ");
  if (valid)
    page->title = g_strstrip(g_strdup(lines[0] + 2));
  while (valid && lines[at + 1])
    valid = take_line(page, g_strstrip(lines[++at]), &open);
  if (valid)
    return g_steal_pointer(&page);
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              at == 0 ? _("%s, line %u: a help page begins with “# Title”")
                      : _("%s, line %u: keys are “= KEYS | what they do”"),
              name, at + 1);
  return NULL;
}

static GPtrArray *list_names(const char *folder, GError **error)
{
  g_autoptr(GPtrArray) names = ol_folder_list(folder, ".txt", error);

  if (!names || names->len > 0)
    return g_steal_pointer(&names);
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("there is no help page in %s"), folder);
  return NULL;
}

GPtrArray *ol_help_pages_load(const char *data_folder, GError **error)
{
  g_autofree char *folder = g_build_filename(data_folder, "help", NULL);
  g_autoptr(GPtrArray) names = list_names(folder, error);
  g_autoptr(GPtrArray) pages = g_ptr_array_new_with_free_func((GDestroyNotify)ol_help_page_free);

  for (guint i = 0; names && i < names->len; i++) {
    const char *name = g_ptr_array_index(names, i);
    g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;
    OlHelpPage *page = g_file_get_contents(path, &text, NULL, error)
                           ? ol_help_page_parse(text, name, error)
                           : NULL;
    if (!page)
      return NULL;
    g_ptr_array_add(pages, page);
  }
  return names ? g_steal_pointer(&pages) : NULL;
}

guint ol_help_pages_find(GPtrArray *pages, const char *id)
{
  for (guint i = 0; i < pages->len; i++)
    if (g_strcmp0(((const OlHelpPage *)g_ptr_array_index(pages, i))->id, id) == 0)
      return i;
  return 0;
}
