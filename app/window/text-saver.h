/* Saves a text as a file that is asked for: the dialogs, and the words when it cannot be. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_TEXT_SAVER (ol_text_saver_get_type())
G_DECLARE_FINAL_TYPE(OlTextSaver, ol_text_saver, OL, TEXT_SAVER, GObject)

/* Signal "saved": (char *name, char *folder), as people read them. The parent must outlive it. */
OlTextSaver *ol_text_saver_new(GtkWindow *parent);
/* Asks where, beginning with `name`, which ends in `suffix` ("csv") as every file does that is
 * saved. The text is copied: what is saved is what it was when this was asked. */
void ol_text_saver_ask(OlTextSaver *saver, const char *title, const char *name, const char *suffix,
                       const char *text);

G_END_DECLS
