/* What the parts of the GIFT reader and writer share: blocks of lines, the answers in their braces,
 * categories. The format: docs.moodle.org, "GIFT format". Private to lessons/. */
#pragma once

#include "lessons/quiz-private.h"

G_BEGIN_DECLS

typedef enum { OL_GIFT_MOODLE, OL_GIFT_PLAIN, OL_GIFT_HTML, OL_GIFT_MARKDOWN } OlGiftMarkup;

/* One question's lines, comments taken out but counted, and what goes for the whole of it. */
typedef struct {
  const char *text;
  guint line;          /* of its first character */
  OlGiftMarkup markup; /* of the question's text, and so of all others that name none */
  GPtrArray *notes;
  gboolean told_markup; /* once a question is enough */
} OlGiftBlock;

/* The first unescaped character of `set` from `at` on, or `end`. */
const char *ol_gift_find(const char *at, const char *end, const char *set);

/* Resolves the escapes of the documentation; before any other character a backslash is one.
 * `lines`: line breaks of the file stay, else each is a space. Caller frees. */
char *ol_gift_dup_unescaped(const char *at, const char *end, gboolean lines);
/* A part of the block as plain text: a leading [html] or the like obeyed, then unescaped,
 * markup removed. Caller frees. */
char *ol_gift_dup_text(OlGiftBlock *block, const char *at, const char *end, gboolean lines);
/* The markup that a part names itself, else the block's. */
OlGiftMarkup ol_gift_markup_of(const OlGiftBlock *block, const char **at, const char *end);

guint ol_gift_line_of(const OlGiftBlock *block, const char *at);

/* Options and feedback of the braces' content. FALSE when the question has to be left out, which is
 * then noted. */
gboolean ol_gift_read_answers(OlGiftBlock *block, const char *at, const char *end,
                              OlQuizDraft *draft);

/* `$course$/top/On // off` as people read it, "On / off"; and a title as a category of one level.
 * Callers free. */
char *ol_gift_dup_category_title(const char *category);
char *ol_gift_dup_title_category(const char *title);
/* The category that all questions have, or NULL. Borrowed. */
const char *ol_gift_find_category(const OlQuiz *quiz);

G_END_DECLS
