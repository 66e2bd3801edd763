/* Task `text`: the characters of a file of the user's. A character (Unicode code point) is a token;
 * ids follow the code points' order. Sample i of step t begins at a place that is a function of
 * (seed, t, global i). */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct OlText OlText;

/* OL_ERROR_BAD_INPUT: no such file, not UTF-8, over 64 MiB, shorter than sequence + 1 characters,
 * or with more different characters than `vocabulary`. */
OlText *ol_text_load(const char *path, guint vocabulary, guint sequence, GError **error);
void ol_text_free(OlText *text);
/* What it consists of: two texts that add the same are alike. */
void ol_text_add_to_checksum(const OlText *text, GChecksum *checksum);

/* inputs and targets: [sequence], targets one ahead. */
void ol_text_sample(const OlText *text, guint64 seed, guint step, guint64 sample, guint sequence,
                    int32_t *inputs, int32_t *targets);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlText, ol_text_free)

G_END_DECLS
