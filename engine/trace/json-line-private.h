/* One line of JSON, read in place and written in place: what the event stream needs and no more.
 *
 * Reading: a cursor walks the text once. The first thing it does not understand is kept in
 * `problem`; from then on every call fails. Nesting is bounded, nothing recurses. */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

#define OL_JSON_LINE_MAX_DEPTH 64

typedef struct {
  const char *at, *end;
  const char *problem; /* static string, NULL while all is well */
} OlJsonCursor;

/* A stretch of the line. */
typedef struct {
  const char *text;
  gsize length;
} OlJsonSlice;

static inline gboolean ol_json_slice_is(OlJsonSlice slice, const char *word, gsize length)
{
  return slice.length == length && memcmp(slice.text, word, length) == 0;
}

/* Keeps the first problem; always FALSE, so that callers can return it. */
gboolean ol_json_fail(OlJsonCursor *cursor, const char *problem);

/* `{` or `[`, or a problem. */
gboolean ol_json_open(OlJsonCursor *cursor, char bracket);
/* Whether another member follows, past its comma; FALSE at the closing bracket, which it steps
 * over, and after a problem. `*first` is TRUE before the first member; it is cleared. */
gboolean ol_json_more(OlJsonCursor *cursor, char closing, gboolean *first);
/* A member's key and its colon. Keys with escapes are given as they are written: none of ours
 * has any. */
gboolean ol_json_key(OlJsonCursor *cursor, OlJsonSlice *key);
/* The same with escapes resolved; replaces what `key` holds. */
gboolean ol_json_key_text(OlJsonCursor *cursor, GString *key);

/* Steps over `null` if that is next. */
gboolean ol_json_null(OlJsonCursor *cursor);
gboolean ol_json_boolean(OlJsonCursor *cursor, gboolean *value);
/* Whole numbers only, within [low, high]. */
gboolean ol_json_integer(OlJsonCursor *cursor, gint64 low, gint64 high, gint64 *value);
/* Finite numbers only; what a double cannot hold is a problem. */
gboolean ol_json_double(OlJsonCursor *cursor, double *value);
/* Appends the text of a string, escapes resolved. */
gboolean ol_json_text(OlJsonCursor *cursor, GString *text);
/* A string without escapes, in place: for words that come from a list. */
gboolean ol_json_word(OlJsonCursor *cursor, OlJsonSlice *word);
/* Steps over any value and gives where it was; slice may be NULL. */
gboolean ol_json_skip(OlJsonCursor *cursor, OlJsonSlice *slice);
/* Only white space may be left. */
gboolean ol_json_ended(OlJsonCursor *cursor);

/* Writing: append to a line. Doubles in the shortest form that reads back equal, in every locale;
 * the caller leaves out what is not finite. */
void ol_json_put_integer(GString *line, gint64 value);
void ol_json_put_double(GString *line, double value);
/* Quoted and escaped; what is not UTF-8 is replaced. */
void ol_json_put_text(GString *line, const char *text);
/* JSON text as it is, less the white space between its words: it must stay on one line. What is
 * not JSON is written as a text. */
void ol_json_put_json(GString *line, const char *json);

G_END_DECLS
