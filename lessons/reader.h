/* Reads a JSON object strictly and remembers where it is, so that a fault can name file, line and
 * key path. Faults are gathered: a course author sees all of them at once. Private to lessons/. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *where; /* "offloading.json" */
  const char *text;
  gsize length;
  GString *path;   /* of the object being read: "lessons[0].evidence[2]" */
  GString *faults; /* one a line */
  guint n_faults;
} OlReader;

void ol_reader_init(OlReader *reader, const char *where, const char *text, gsize length);
/* FALSE with OL_ERROR_BAD_INPUT and every fault when there was any. Clears the reader. */
gboolean ol_reader_end(OlReader *reader, GError **error);

/* Notes "where:line: path.key: message"; `key` NULL is the object itself. */
void ol_reader_fault(OlReader *reader, const char *key, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* Takes an error whose lines begin with whole key paths, as the config's do. */
void ol_reader_take_error(OlReader *reader, const char *key, GError *error);

/* The whole path of `key` of the object being read. Caller frees. */
char *ol_reader_dup_path(const OlReader *reader, const char *key);

/* Goes into a member, and back with what was returned. */
gsize ol_reader_enter(OlReader *reader, const char *key);
void ol_reader_leave(OlReader *reader, gsize mark);

typedef enum { OL_OPTIONAL, OL_REQUIRED } OlNeed;

/* Faults each key that is not in `known` (NULL-terminated). */
void ol_reader_refuse_unknown(OlReader *reader, JsonObject *object, const char *const *known);

/* Each gives NULL, FALSE or -1 when the key is absent or (a fault) of the wrong kind. */
char *ol_reader_dup_text(OlReader *reader, JsonObject *object, const char *key, OlNeed need);
/* Words that people read, in their language (engine/base/intl.h). */
char *ol_reader_dup_words(OlReader *reader, JsonObject *object, const char *key, OlNeed need);
/* Lower-case letters, digits and hyphens: what may stand on a command line or in a file name. */
char *ol_reader_dup_id(OlReader *reader, JsonObject *object, const char *key);
gboolean ol_reader_number(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                          double *value);
gboolean ol_reader_boolean(OlReader *reader, JsonObject *object, const char *key, gboolean unset);
JsonObject *ol_reader_object(OlReader *reader, JsonObject *object, const char *key, OlNeed need);
/* The place of a word in `words` (NULL-terminated). Required. */
int ol_reader_word(OlReader *reader, JsonObject *object, const char *key, const char *const *words);
/* A list of texts, NULL-terminated; empty when absent. */
char **ol_reader_dup_texts(OlReader *reader, JsonObject *object, const char *key, OlNeed need);

/* A list of objects: `read` is called on each with the path inside it and a zeroed element of
 * `size` bytes. The elements, which the caller frees; *n how many. */
typedef void (*OlReadItem)(OlReader *reader, JsonObject *item, gpointer element, gpointer data);
gpointer ol_reader_list(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                        gsize size, OlReadItem read, gpointer data, guint *n);

G_END_DECLS
