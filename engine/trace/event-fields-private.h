/* The fields of one event line, read into a C structure by a table. */
#pragma once

#include "engine/trace/json-line-private.h"

G_BEGIN_DECLS

typedef enum {
  OL_FIELD_INTEGER, /* gint64 within [low, high] */
  OL_FIELD_DOUBLE,  /* double */
  OL_FIELD_BOOLEAN, /* gboolean */
  OL_FIELD_WORD,    /* int, by from_nick */
  OL_FIELD_TEXT,    /* GString *, there already: appended to */
  OL_FIELD_RAW,     /* OlJsonSlice: the JSON text itself */
} OlFieldKind;

typedef struct {
  const char *key;
  OlFieldKind kind;
  gboolean required;
  gsize offset; /* in the structure */
  gint64 low, high;
  int (*from_nick)(const char *nick, gssize length);
} OlField;

/* Largest time, in ns, and the largest sum of bytes that a stream may hold: far above any run, and
 * low enough that nobody's sums overflow. */
#define OL_EVENT_MAX_TIME  (G_GINT64_CONSTANT(1) << 53)
#define OL_EVENT_MAX_BYTES (G_GINT64_CONSTANT(1) << 60)

/* Reads members up to the closing brace. Unknown keys are skipped and so is null, which leaves a
 * field as it was; a key twice or a required one missing is a problem. At most 32 fields.
 * `*wrong` is the key that the problem belongs to, or NULL. */
gboolean ol_event_fields_read(OlJsonCursor *cursor, const OlField *fields, guint n_fields,
                              gpointer record, const char **wrong);

G_END_DECLS
