#include "app/window/quiz-notes.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define FEW 8u /* that are told without being asked for */

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

GtkWidget *ol_quiz_notes_fold_new(void)
{
  GtkWidget *fold = gtk_expander_new(NULL);

  gtk_expander_set_child(GTK_EXPANDER(fold), GTK_WIDGET(ol_words_label_new(NULL, "quiz-notes")));
  gtk_widget_set_visible(fold, FALSE);
  return fold;
}

void ol_quiz_notes_fold_show(GtkWidget *fold, const GPtrArray *notes)
{
  g_autofree char *words = ol_quiz_notes_dup_words(notes);
  g_autofree char *heading =
      g_strdup_printf(ol_ngettext("%u thing was skipped or changed while reading",
                                  "%u things were skipped or changed while reading", notes->len),
                      notes->len);

  gtk_expander_set_label(GTK_EXPANDER(fold), heading);
  gtk_expander_set_expanded(GTK_EXPANDER(fold), notes->len > 0 && notes->len < FEW);
  gtk_label_set_text(GTK_LABEL(gtk_expander_get_child(GTK_EXPANDER(fold))), words);
  gtk_widget_set_visible(fold, notes->len > 0);
}
