/* The lines of the plain-text format, as its reader and its writer see them. Private to lessons/.
 */
#pragma once

#include "lessons/quiz-private.h"

G_BEGIN_DECLS

#define OL_QUIZ_BULLET  "•"
#define OL_QUIZ_RIGHT   "✓" /* in the place of the right option's bullet */
#define OL_QUIZ_EXPLAIN "→"

#define OL_QUIZ_HEADING "# " /* before a title that would look like another line without it */

typedef enum {
  OL_QUIZ_LINE_BLANK,
  OL_QUIZ_LINE_NUMBERED, /* "3. Which …?" */
  OL_QUIZ_LINE_OPTION,   /* "• This" */
  OL_QUIZ_LINE_RIGHT,    /* "✓ That" */
  OL_QUIZ_LINE_EXPLAIN,  /* "→ Because …" */
  OL_QUIZ_LINE_OTHER
} OlQuizLineKind;

/* What a line is; *text is what it says, behind number or bullet. */
OlQuizLineKind ol_quiz_text_line_kind(const char *line, const char **text);

G_END_DECLS
