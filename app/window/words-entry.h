/* Where words are typed: as many lines as they need, in a frame like an entry's. Tab leaves it.
 * Undo is its owner's, who knows what else was changed. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_WORDS_ENTRY (ol_words_entry_get_type())
G_DECLARE_FINAL_TYPE(OlWordsEntry, ol_words_entry, OL, WORDS_ENTRY, AdwBin)

/* Signal "changed", by the learner. `label` is read to who cannot see it, `hint` stands there while
 * it is empty; it may be NULL. */
GtkWidget *ol_words_entry_new(const char *label, const char *hint);
void ol_words_entry_set_label(OlWordsEntry *entry, const char *label);
/* Emits nothing. The cursor stays where it is when only space at the ends differs. NULL: empty. */
void ol_words_entry_set_text(OlWordsEntry *entry, const char *text);
char *ol_words_entry_dup_text(OlWordsEntry *entry);

G_END_DECLS
