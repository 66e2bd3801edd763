/* The one table of a config's keys: what reading, --set, checking, writing and a form to fill in
 * all walk, so that a rule about one key stands in one place. */
#pragma once

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

/* The value as a number: a choice's index, a flag's 0 or 1. Not for texts. */
double ol_field_get_number(const OlField *field, const OlRunConfig *config);

/* `number` in this field's spelling: 2, true, gpu. Caller frees. */
char *ol_field_dup_spelling(const OlField *field, double number);

/* Appends the value as JSON. */
void ol_field_write(const OlField *field, const OlRunConfig *config, GString *json);

gboolean ol_field_is_text(const OlField *field);

G_END_DECLS
