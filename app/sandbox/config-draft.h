/* A config while it is being edited: any text may stand at any key, and what is wrong is told by
 * key. Keys are numbered as in ol_fields_get(). */
#pragma once

#include "engine/config/fields.h"

G_BEGIN_DECLS

typedef struct OlConfigDraft OlConfigDraft;

/* `defaults` is copied: what ol_config_draft_reset() goes back to. */
OlConfigDraft *ol_config_draft_new(const OlRunConfig *defaults);
void ol_config_draft_free(OlConfigDraft *draft);

/* As it was typed; "" for null. Caller frees. */
char *ol_config_draft_dup_typed(const OlConfigDraft *draft, guint key);
/* A choice's index, a flag's 0 or 1, a number; NAN for null and for what is none of these. */
double ol_config_draft_get_number(const OlConfigDraft *draft, guint key);
gboolean ol_config_draft_is_default(const OlConfigDraft *draft, guint key);

/* Sets a key; "" is null where that is allowed. Changes of the same key in quick succession, as a
 * slider's, are undone as one. FALSE when nothing changed. */
gboolean ol_config_draft_set(OlConfigDraft *draft, guint key, const char *typed, gint64 now_us);
/* Several keys as one change. */
void ol_config_draft_set_many(OlConfigDraft *draft, const guint *keys, char **typed, guint n);
/* Takes a whole config in, as one change. */
void ol_config_draft_take(OlConfigDraft *draft, const OlRunConfig *config);
void ol_config_draft_reset(OlConfigDraft *draft);

gboolean ol_config_draft_can_undo(const OlConfigDraft *draft);
gboolean ol_config_draft_can_redo(const OlConfigDraft *draft);
gboolean ol_config_draft_undo(OlConfigDraft *draft); /* FALSE: there is nothing to undo */
gboolean ol_config_draft_redo(OlConfigDraft *draft);

/* The config, or NULL and its faults, see ol_run_config_try_assignments(). */
OlRunConfig *ol_config_draft_try(const OlConfigDraft *draft, GPtrArray **faults);

/* What a run of it is called: its name, else the keys that differ from `before` (NULL: the
 * defaults), else "As before". Caller frees. */
char *ol_config_draft_dup_title(const OlConfigDraft *draft, const OlRunConfig *before);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlConfigDraft, ol_config_draft_free)

G_END_DECLS
