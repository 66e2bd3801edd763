/* What reading, --set, checking and writing do with the table of fields. Rules between keys are in
 * rules.c. */
#pragma once

#include "engine/config/faults-private.h"
#include "engine/config/fields.h"

G_BEGIN_DECLS

/* TRUE when some key path begins with `name` and a point. */
gboolean ol_field_is_group(const char *name);

/* The key path (or group) that `path` may have been meant to be, or NULL. Caller frees. */
char *ol_field_dup_near_miss(const char *path);

/* The keys that may stand where `path` stands: those of its group, or the outermost ones, as
 * "prefetch, write_back, pinned". Caller frees. */
char *ol_field_dup_known(const char *path);

/* Reads one value into `record`, the struct of the field's table (an OlRunConfig for the one
 * above), or adds a fault that says what is allowed. */
void ol_field_read(const OlField *field, JsonNode *value, gpointer record, OlFaults *faults);

/* Where a text field keeps its string. */
char **ol_field_text(const OlField *field, gpointer record);

/* Rules between keys, each with its reason. A rule about a key already at fault is left out. */
void ol_rules_check(const OlRunConfig *config, OlFaults *faults);

G_END_DECLS
