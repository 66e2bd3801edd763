/* The one table of a config's keys. Reading, --set, checking and writing all walk it, so that a
 * rule about one key stands in one place. Rules between keys are in rules.c. */
#pragma once

#include "engine/config/faults-private.h"
#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef enum {
  OL_FIELD_TEXT,   /* char *: any text; null is NULL */
  OL_FIELD_NAME,   /* char *: of a file in the data folder, so no '/' */
  OL_FIELD_CHOICE, /* an enum; in a nullable one null is value 0 */
  OL_FIELD_COUNT,  /* guint; null is 0 */
  OL_FIELD_SEED,   /* guint64 */
  OL_FIELD_NUMBER, /* double; null is 0 */
  OL_FIELD_FLAG,   /* gboolean */
} OlFieldKind;

typedef struct {
  const char *path; /* "overlap.prefetch" */
  OlFieldKind kind;
  gsize offset; /* in OlRunConfig, or in what another table of fields reads into */
  gboolean nullable;
  double least, most; /* both allowed; of a text: bytes */
  const char *const *nicks;
  guint n_nicks;
} OlField;

/* All fields; those of a group ("overlap.…") lie together. */
const OlField *ol_fields_get(guint *n);

/* The field with this key path, or NULL. */
const OlField *ol_field_find(const char *path);

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

/* The value as a number: a choice's index, a flag's 0 or 1. Not for texts. */
double ol_field_get_number(const OlField *field, const OlRunConfig *config);

/* `number` in this field's spelling: 2, true, gpu. Caller frees. */
char *ol_field_dup_spelling(const OlField *field, double number);

/* Appends the value as JSON. */
void ol_field_write(const OlField *field, const OlRunConfig *config, GString *json);

/* Where a text field keeps its string. */
char **ol_field_text(const OlField *field, gpointer record);
gboolean ol_field_is_text(const OlField *field);

/* Rules between keys, each with its reason. A rule about a key already at fault is left out. */
void ol_rules_check(const OlRunConfig *config, OlFaults *faults);

G_END_DECLS
