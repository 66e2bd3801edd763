#include "app/window/quiz-notes.h"

#include "engine/base/intl.h"

static void append_note(GString *words, const OlQuizNote *note)
{
  if (words->len > 0)
    g_string_append_c(words, '\n');
  if (note->line > 0)
    g_string_append_printf(words, _("Line %u: %s"), note->line, note->text);
  else
    g_string_append(words, note->text);
}

char *ol_quiz_notes_dup_words(const GPtrArray *notes)
{
  GString *words = g_string_new(NULL);

  for (guint i = 0; i < notes->len; i++)
    append_note(words, notes->pdata[i]);
  return g_string_free(words, FALSE);
}
