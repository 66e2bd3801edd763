/* The numbers of a big model of data/models/, as they stand on the planner's form. */
#pragma once

#include "app/sandbox/config-draft.h"

G_BEGIN_DECLS

/* Sets layers, width, heads, sequence and vocabulary of a draft to those of the named model, as one
 * change. FALSE with OL_ERROR_BAD_INPUT when there is no such model. */
gboolean ol_big_model_set(OlConfigDraft *draft, const char *name, const char *data_folder,
                          GError **error);

/* What the planner begins with: the default config at full size, with the numbers of the model that
 * it stands for. Caller frees. */
OlRunConfig *ol_big_model_new_config(const char *data_folder);

/* The name in `names` (NULL-terminated) of the model whose numbers stand in the draft, or -1. */
int ol_big_model_find(const OlConfigDraft *draft, char **names, const char *data_folder);

/* What a simulation of a config at full size is called: its name, else "GPT 175 B on 512 × an A100,
 * PCIe 4". Caller frees. */
char *ol_big_model_dup_title(const OlRunConfig *config, const char *data_folder);

/* The key's number as in ol_fields_get(); `path` must be one. */
guint ol_config_key(const char *path);

G_END_DECLS
