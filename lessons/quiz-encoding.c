/* Bytes of unknown making as clean UTF-8 (quiz-private.h). */
#include "lessons/quiz-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/config/json-guard.h"

typedef struct {
  const char *name; /* as iconv knows it */
  const char *mark; /* the byte order mark */
  gsize mark_length;
} Encoding;

/* UTF-32's little-endian mark begins with that of UTF-16: it comes first. */
static const Encoding marked[] = {
    {"UTF-8", "\xef\xbb\xbf", 3}, {"UTF-32LE", "\xff\xfe\0\0", 4}, {"UTF-32BE", "\0\0\xfe\xff", 4},
    {"UTF-16LE", "\xff\xfe", 2},  {"UTF-16BE", "\xfe\xff", 2},
};

/* UTF-16 without a mark: of western text every other byte is 0. */
static const char *guess_utf16(const char *bytes, gsize length)
{
  gsize zeros[2] = {0, 0};
  gsize n = MIN(length, 4096) & ~(gsize)1;
  for (gsize i = 0; i < n; i++)
    zeros[i % 2] += bytes[i] == '\0';
  if (zeros[1] > n / 4 && zeros[0] < n / 16)
    return "UTF-16LE";
  return zeros[0] > n / 4 && zeros[1] < n / 16 ? "UTF-16BE" : NULL;
}

static guint line_at(const char *bytes, const char *at)
{
  guint line = 1;
  for (; bytes < at; bytes++)
    line += *bytes == '\n';
  return line;
}

static char *convert(const char *bytes, gsize length, const char *encoding, const char *where,
                     gsize *converted, GError **error)
{
  g_autoptr(GError) fault = NULL;
  char *text = g_convert(bytes, (gssize)length, "UTF-8", encoding, NULL, converted, &fault);
  if (text == NULL)
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: looks like %s and is not: save it as UTF-8 (%s)"), where, encoding,
                fault->message);
  return text;
}

/* Characters beyond ASCII that are whole UTF-8, against bytes that are not. */
static gboolean is_mostly_utf8(const char *bytes, gsize length)
{
  gsize whole = 0, broken = 0;
  const char *end = bytes + length;
  while (bytes < end) {
    gunichar c = g_utf8_get_char_validated(bytes, end - bytes);
    gboolean valid = c != (gunichar)-1 && c != (gunichar)-2;
    whole += valid && c >= 0x80;
    broken += !valid;
    bytes = valid ? g_utf8_next_char(bytes) : bytes + 1;
  }
  return whole >= broken;
}

/* UTF-8 with a few broken bytes: each becomes U+FFFD, told at its line. */
static char *mend(const char *bytes, gsize length, gsize *mended, GPtrArray *notes)
{
  GString *text = g_string_sized_new(length);
  const char *at = bytes, *end, *counted = bytes;
  guint line = 1, told = 0;
  while (!g_utf8_validate(at, (gssize)(length - (gsize)(at - bytes)), &end)) {
    line += line_at(counted, end) - 1;
    counted = end;
    if (told != line)
      ol_quiz_note(notes, line, _("a character is damaged (no UTF-8) and shown as �: correct it"));
    told = line;
    g_string_append_len(text, at, end - at);
    g_string_append(text, "\xef\xbf\xbd");
    at = end + 1;
  }
  g_string_append_len(text, at, (gssize)(length - (gsize)(at - bytes)));
  *mended = text->len;
  return g_string_free(text, FALSE);
}

/* 8-bit text: of the encodings that are still met, Windows-1252 holds Latin-1 too. */
static char *read_8_bit(const char *bytes, gsize length, const char *where, gsize *read,
                        GPtrArray *notes, GError **error)
{
  const char *broken;
  g_utf8_validate(bytes, (gssize)length, &broken);
  guint line = line_at(bytes, broken);
  char *text = g_convert(bytes, (gssize)length, "UTF-8", "WINDOWS-1252", NULL, read, NULL);
  if (text == NULL)
    g_set_error(
        error, OL_ERROR, OL_ERROR_BAD_INPUT,
        _("%s: line %u: byte 0x%02x: this is neither UTF-8, UTF-16 nor Windows-1252; save the "
          "file as UTF-8"),
        where, line, (guint)(guchar)*broken);
  else
    ol_quiz_note(notes, line,
                 _("this is no UTF-8; the file was read as Windows-1252: check accents "
                   "and quotes, or save it as UTF-8"));
  return text;
}

static char *decode(const char *bytes, gsize length, const char *where, gsize *decoded,
                    GPtrArray *notes, GError **error)
{
  const char *encoding = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(marked) && encoding == NULL; i++)
    if (length >= marked[i].mark_length && !memcmp(bytes, marked[i].mark, marked[i].mark_length)) {
      encoding = marked[i].name;
      bytes += marked[i].mark_length;
      length -= marked[i].mark_length;
    }
  if (encoding == NULL)
    encoding = guess_utf16(bytes, length);
  if (encoding != NULL && !g_str_equal(encoding, "UTF-8"))
    return convert(bytes, length, encoding, where, decoded, error);
  if (memchr(bytes, '\0', length) != NULL) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: line %u holds a NUL: this is no text file"), where,
                line_at(bytes, memchr(bytes, '\0', length)));
    return NULL;
  }
  *decoded = length;
  if (g_utf8_validate(bytes, (gssize)length, NULL))
    return g_strndup(bytes, length);
  return is_mostly_utf8(bytes, length) ? mend(bytes, length, decoded, notes)
                                       : read_8_bit(bytes, length, where, decoded, notes, error);
}

/* Ends of lines made alike, and other control characters, which a terminal would obey, made spaces.
 */
static char *dup_printable(const char *text, gsize length, GPtrArray *notes)
{
  GString *clean = g_string_sized_new(length);
  const char *end = text + length;
  guint line = 1, told = 0;
  for (const char *at = text; at < end; at = g_utf8_next_char(at)) {
    gunichar c = g_utf8_get_char(at);
    if (c == '\r' && at + 1 < end && at[1] == '\n')
      continue;
    if (c == '\r' || c == 0x2028 || c == 0x2029)
      c = '\n';
    line += c == '\n';
    gboolean stray_mark = c == 0xfeff; /* at the start of a file it would be taken for one */
    if (stray_mark || (g_unichar_iscntrl(c) && c != '\n' && c != '\t')) {
      if (told != line)
        ol_quiz_note(notes, line, _("a control character (U+%04X) became a space"), (guint)c);
      told = line;
      c = ' ';
    }
    g_string_append_unichar(clean, c);
  }
  return g_string_free(clean, FALSE);
}

char *ol_quiz_dup_clean_text(const char *bytes, gsize length, const char *where, GPtrArray *notes,
                             GError **error)
{
  if (length > OL_JSON_MAX_BYTES) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: larger than the %u MiB that are read"),
                where, OL_JSON_MAX_BYTES >> 20);
    return NULL;
  }
  gsize decoded = 0;
  g_autofree char *text = decode(bytes, length, where, &decoded, notes, error);
  return text != NULL ? dup_printable(text, decoded, notes) : NULL;
}
