/* What reading or writing a quiz skipped or changed, as lines for people. */
#pragma once

#include "lessons/quiz.h"

G_BEGIN_DECLS

/* "" when there is none. */
char *ol_quiz_notes_dup_words(const GPtrArray *notes);

G_END_DECLS
