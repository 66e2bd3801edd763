/* A quiz file: asked for, and read or told why it cannot be. */
#pragma once

#include "app/window/file-ask.h"
#include "lessons/quiz.h"

G_BEGIN_DECLS

void ol_quiz_open_ask(GtkWindow *window, OlFileChosen chosen, gpointer owner);
/* Caller frees. NULL: a dialog says why. notes: OlQuizNote, of what was skipped or changed. */
OlQuiz *ol_quiz_open_read(GtkWindow *window, const char *path, GPtrArray *notes);

G_END_DECLS
