#include "engine/model/text.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/model/task.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES (64u << 20)
#define CHUNK      (1u << 20) /* bytes read at once */

struct OlText {
  glong length; /* characters */
  int32_t *ids;
};

static void refuse(const char *path, const char *reason, GError **error)
{
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("task.file: %s cannot be read: %s"), path,
              reason);
}

/* Ordinary files only: a pipe or a device may have no end, or nothing to read for ever. -1:
 * refused. */
static int open_file(const char *path, GError **error)
{
  struct stat kind;
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &kind) != 0)
    refuse(path, g_strerror(errno), error);
  else if (S_ISDIR(kind.st_mode))
    refuse(path, _("it is a folder, not an ordinary file; name a text file in it"), error);
  else if (!S_ISREG(kind.st_mode))
    refuse(path, _("it is not an ordinary file"), error);
  else
    return descriptor;
  if (descriptor >= 0)
    close(descriptor);
  return -1;
}

/* To its end, or just past what is allowed. Read, not mapped: a mapped file that somebody shortens
 * meanwhile ends the process. */
static GString *read_bytes(const char *path, GError **error)
{
  int descriptor = open_file(path, error);
  if (descriptor < 0)
    return NULL;
  GString *text = g_string_new(NULL);
  gssize got;
  do {
    gsize before = text->len;
    g_string_set_size(text, before + CHUNK);
    while ((got = read(descriptor, text->str + before, CHUNK)) < 0 && errno == EINTR)
      ;
    g_string_truncate(text, before + (gsize)MAX(got, 0));
  } while (got > 0 && text->len <= MOST_BYTES);
  if (got < 0) {
    refuse(path, g_strerror(errno), error);
    g_string_free(text, TRUE);
    text = NULL;
  }
  close(descriptor);
  return text;
}

static gboolean read_characters(const char *path, gunichar **characters, glong *length,
                                GError **error)
{
  g_autoptr(GString) text = read_bytes(path, error);
  if (text == NULL)
    return FALSE;
  if (text->len > MOST_BYTES) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("task.file: %s is too long; the lab reads at most 64 MiB of text"), path);
    return FALSE;
  }
  const char *bad = NULL;
  if (!g_utf8_validate(text->str, (gssize)text->len, &bad)) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("task.file: %s is not UTF-8 text (byte %zu); convert it first"), path,
                (gsize)(bad - text->str));
    return FALSE;
  }
  *characters = g_utf8_to_ucs4_fast(text->str, (glong)text->len, length);
  return TRUE;
}

static int by_code_point(gconstpointer a, gconstpointer b)
{
  gunichar left = *(const gunichar *)a, right = *(const gunichar *)b;
  return (left > right) - (left < right);
}

/* The different characters, in order: a character's id is its place. */
static GArray *list_alphabet(const gunichar *characters, glong length)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  GArray *alphabet = g_array_new(FALSE, FALSE, sizeof(gunichar));
  for (glong i = 0; i < length; i++)
    if (g_hash_table_add(seen, GUINT_TO_POINTER(characters[i])))
      g_array_append_val(alphabet, characters[i]);
  g_array_sort(alphabet, by_code_point);
  return alphabet;
}

static int32_t *map_to_ids(const gunichar *characters, glong length, GArray *alphabet)
{
  g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
  for (guint i = 0; i < alphabet->len; i++)
    g_hash_table_insert(places, GUINT_TO_POINTER(g_array_index(alphabet, gunichar, i)),
                        GUINT_TO_POINTER(i));
  int32_t *ids = g_new(int32_t, length);
  for (glong i = 0; i < length; i++)
    ids[i] = GPOINTER_TO_INT(g_hash_table_lookup(places, GUINT_TO_POINTER(characters[i])));
  return ids;
}

OlText *ol_text_load(const char *path, guint vocabulary, guint sequence, GError **error)
{
  g_autofree gunichar *characters = NULL;
  glong length = 0;
  if (!read_characters(path, &characters, &length, error))
    return NULL;
  if (length < (glong)sequence + 1) {
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                ol_ngettext("task.file: %s has %ld character; model.sequence %u needs at least %u",
                            "task.file: %s has %ld characters; model.sequence %u needs at least %u",
                            (gulong)length),
                path, length, sequence, sequence + 1);
    return NULL;
  }
  g_autoptr(GArray) alphabet = list_alphabet(characters, length);
  if (alphabet->len > vocabulary) {
    g_set_error(
        error, OL_ERROR, OL_ERROR_BAD_INPUT,
        _("model.vocabulary: %s has %u different characters, so it must be at least that; it "
          "is %u"),
        path, alphabet->len, vocabulary);
    return NULL;
  }
  OlText *text = g_new0(OlText, 1);
  text->length = length;
  text->ids = map_to_ids(characters, length, alphabet);
  return text;
}

void ol_text_add_to_checksum(const OlText *text, GChecksum *checksum)
{
  g_checksum_update(checksum, (const guchar *)text->ids,
                    (gssize)((gsize)text->length * sizeof *text->ids));
}

void ol_text_free(OlText *text)
{
  if (text == NULL)
    return;
  g_free(text->ids);
  g_free(text);
}

void ol_text_sample(const OlText *text, guint64 seed, guint step, guint64 sample, guint sequence,
                    int32_t *inputs, int32_t *targets)
{
  guint64 places = (guint64)text->length - sequence;
  guint64 start = ol_task_random(seed, "text", step, sample) % places;
  memcpy(inputs, text->ids + start, sequence * sizeof *inputs);
  memcpy(targets, text->ids + start + 1, sequence * sizeof *targets);
}
