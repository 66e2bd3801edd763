#include "app/window/quiz-open.h"

#include "app/window/ask.h"
#include "app/window/quiz-notes.h"
#include "engine/base/intl.h"

void ol_quiz_open_ask(GtkWindow *window, OlFileChosen chosen, gpointer owner)
{
  static const char *const patterns[] = {"*.gift", "*.aiken", "*.txt", NULL};
  OlFileQuestion question = {_("Open a quiz"), NULL, _("Quizzes (GIFT, Aiken, text)"), patterns};

  ol_file_ask(window, &question, chosen, owner);
}

OlQuiz *ol_quiz_open_read(GtkWindow *window, const char *path, GPtrArray *notes)
{
  g_autoptr(GError) error = NULL;
  OlQuiz *quiz = ol_quiz_load(path, NULL, NULL, notes, &error);

  if (!quiz) {
    AdwMessageDialog *dialog =
        ol_ask_nothing(window, _("This quiz cannot be opened"), error->message);
    g_autofree char *lines = ol_quiz_notes_dup_words(notes);
    if (*lines)
      ol_ask_list(dialog, lines);
  }
  return quiz;
}
