/* The table of formats: finds the one that a file is written in, reads and writes. */
#include "lessons/quiz-private.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"
#include "engine/config/json-guard.h"

static const OlQuizWays formats[] = {
    {{"gift", "GIFT"}, ".gift", ol_quiz_read_gift, ol_quiz_write_gift, ol_quiz_is_gift_line},
    {{"aiken", "Aiken"}, ".aiken", ol_quiz_read_aiken, ol_quiz_write_aiken, ol_quiz_is_aiken_line},
    {{"text", N_("plain text")}, NULL, ol_quiz_read_text, ol_quiz_write_text, ol_quiz_is_text_line},
};

static const OlQuizWays *ways_of(const OlQuizFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
    if (&formats[i].format == format)
      return &formats[i];
  g_return_val_if_reached(NULL);
}

const OlQuizFormat *ol_quiz_format_find(const char *nick)
{
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
    if (g_str_equal(formats[i].format.nick, nick))
      return &formats[i].format;
  return NULL;
}

gboolean ol_quiz_is_likely(const char *path)
{
  gboolean likely = g_str_has_suffix(path, ".txt");
  for (guint i = 0; !likely && formats[i].suffix != NULL; i++)
    likely = g_str_has_suffix(path, formats[i].suffix);
  return likely;
}

const OlQuizFormat *ol_quiz_format_of_name(const char *path)
{
  guint i = 0;
  while (formats[i].suffix != NULL && !g_str_has_suffix(path, formats[i].suffix))
    i++;
  return &formats[i].format;
}

char *ol_quiz_format_dup_nicks(void)
{
  GString *nicks = g_string_new(NULL);
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
    g_string_append_printf(nicks, "%s%s", i > 0 ? ", " : "", formats[i].format.nick);
  return g_string_free(nicks, FALSE);
}

/* What the file is called, without folder and end: the title of a quiz that has none. */
static char *dup_name_of(const char *where)
{
  g_autofree char *base = g_path_get_basename(where);
  char *dot = strrchr(base, '.');
  if (dot != NULL && dot != base)
    *dot = '\0';
  for (char *c = base; *c != '\0'; c++)
    if (g_ascii_iscntrl(*c))
      *c = ' '; /* a terminal would obey it */
  g_strstrip(base);
  return *base != '\0' ? g_utf8_make_valid(base, -1) : g_strdup(_("Quiz"));
}

/* A text as one format reads it. */
typedef struct {
  OlQuiz *quiz;
  GPtrArray *notes;
  guint telling; /* lines that only this format would have */
} Reading;

static void clear_reading(Reading *reading)
{
  g_clear_pointer(&reading->quiz, ol_quiz_free);
  g_clear_pointer(&reading->notes, g_ptr_array_unref);
}

static guint count_telling(const OlQuizWays *ways, const char *text)
{
  OlQuizLines lines = {text, 0};
  guint n = 0;
  for (char *line; (line = ol_quiz_lines_dup_next(&lines)) != NULL; g_free(line))
    n += ways->is_telling(line);
  return n;
}

static Reading read_as(const OlQuizWays *ways, const char *text, const char *title)
{
  Reading reading = {ol_quiz_new(title), ol_quiz_notes_new(), 0};
  ways->read(text, reading.quiz, reading.notes);
  if (reading.quiz->questions->len == 0)
    reading.telling = count_telling(ways, text);
  return reading;
}

static gboolean is_better(const Reading *a, const Reading *b)
{
  if (a->quiz->questions->len != b->quiz->questions->len)
    return a->quiz->questions->len > b->quiz->questions->len;
  return a->telling > b->telling;
}

/* The way in which most questions are found. */
static Reading read_best(const char *text, const char *title, const OlQuizWays **ways)
{
  Reading best = read_as(&formats[0], text, title);
  *ways = &formats[0];
  for (guint i = 1; i < G_N_ELEMENTS(formats); i++) {
    Reading other = read_as(&formats[i], text, title);
    if (is_better(&other, &best)) {
      Reading worse = best;
      best = other;
      other = worse;
      *ways = &formats[i];
    }
    clear_reading(&other);
  }
  return best;
}

OlQuiz *ol_quiz_parse(const char *bytes, gsize length, const char *where,
                      const OlQuizFormat *format, const OlQuizFormat **found, GPtrArray *notes,
                      GError **error)
{
  g_autofree char *text = ol_quiz_dup_clean_text(bytes, length, where, notes, error);
  if (text == NULL)
    return NULL;
  g_autofree char *title = dup_name_of(where);
  const OlQuizWays *ways = format != NULL ? ways_of(format) : NULL;
  Reading reading = ways != NULL ? read_as(ways, text, title) : read_best(text, title, &ways);
  g_ptr_array_extend_and_steal(notes, g_steal_pointer(&reading.notes));
  if (reading.quiz->questions->len == 0) {
    gboolean known = format != NULL || reading.telling > 0;
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: no question here can be used%s%s; it may hold GIFT, Aiken, or a title and "
                  "numbered questions with bulleted options"),
                where, known ? _(", read as ") : "", known ? ways->format.name : "");
    clear_reading(&reading);
    return NULL;
  }
  if (found != NULL)
    *found = &ways->format;
  return g_steal_pointer(&reading.quiz);
}

OlQuiz *ol_quiz_load(const char *path, const OlQuizFormat *format, const OlQuizFormat **found,
                     GPtrArray *notes, GError **error)
{
  gsize length;
  g_autofree char *bytes = ol_json_read_file(path, &length, error);
  return bytes != NULL ? ol_quiz_parse(bytes, length, path, format, found, notes, error) : NULL;
}

char *ol_quiz_dup_text(const OlQuiz *quiz, const OlQuizFormat *format, GPtrArray *notes,
                       GError **error)
{
  GString *text = g_string_new(NULL);
  guint written = ways_of(format)->write(quiz, text, notes);
  if (written == 0)
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: none of its questions can be written as %s"), quiz->title, _(format->name));
  return g_string_free(text, written == 0);
}

gboolean ol_quiz_save(const OlQuiz *quiz, const char *path, const OlQuizFormat *format,
                      GPtrArray *notes, GError **error)
{
  g_autofree char *text = ol_quiz_dup_text(quiz, format, notes, error);
  return text != NULL && ol_whole_file_replace(path, text, strlen(text), error);
}
