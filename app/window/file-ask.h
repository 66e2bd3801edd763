/* Asks where a file is, or is to be. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  const char *title; /* of the dialog */
  const char *name;  /* what to propose for a file that is to be written; NULL: one to open */
  const char *kind;  /* "Configs (JSON)"; all files can be chosen as well */
  const char *const *patterns; /* "*.json", …, NULL */
} OlFileQuestion;

/* `path` is borrowed; not called when the learner thinks better of it. */
typedef void (*OlFileChosen)(const char *path, gpointer owner);

/* owner: an object; once it is gone `chosen` is not called any more. What `question` points to is
 * not kept. */
void ol_file_ask(GtkWindow *window, const OlFileQuestion *question, OlFileChosen chosen,
                 gpointer owner);

G_END_DECLS
