/* What the readers and writers of quiz files share. */
#pragma once

#include "lessons/quiz.h"

#include <string.h>

G_BEGIN_DECLS

/* A format with its two ways. `text` is clean (ol_quiz_dup_clean_text()); a reader adds what it can
 * use to `quiz`, and may set the title. */
typedef struct {
  OlQuizFormat format;
  const char *suffix; /* ".gift"; NULL: any other */
  void (*read)(const char *text, OlQuiz *quiz, GPtrArray *notes);
  guint (*write)(const OlQuiz *quiz, GString *text, GPtrArray *notes); /* how many questions */
  /* Whether only this format would have such a line: which complaints to show when no reader found
   * a question. */
  gboolean (*is_telling)(const char *line);
} OlQuizWays;

void ol_quiz_read_gift(const char *text, OlQuiz *quiz, GPtrArray *notes);
guint ol_quiz_write_gift(const OlQuiz *quiz, GString *text, GPtrArray *notes);
gboolean ol_quiz_is_gift_line(const char *line);
void ol_quiz_read_aiken(const char *text, OlQuiz *quiz, GPtrArray *notes);
guint ol_quiz_write_aiken(const OlQuiz *quiz, GString *text, GPtrArray *notes);
gboolean ol_quiz_is_aiken_line(const char *line);
void ol_quiz_read_text(const char *text, OlQuiz *quiz, GPtrArray *notes);
guint ol_quiz_write_text(const OlQuiz *quiz, GString *text, GPtrArray *notes);
gboolean ol_quiz_is_text_line(const char *line);

void ol_quiz_note(GPtrArray *notes, guint line, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Bytes of a file as UTF-8: no byte order mark, lines end in \n, and of the control characters only
 * \n and \t are left; what is changed for that is noted. OL_ERROR_BAD_INPUT names `where`. */
char *ol_quiz_dup_clean_text(const char *bytes, gsize length, const char *where, GPtrArray *notes,
                             GError **error);

/* HTML as plain text: tags taken out, those of blocks as line breaks, entities replaced. *changed
 * is set when there were any; *lost when a picture, sound or the like is gone. */
char *ol_quiz_dup_html_text(const char *html, gboolean *changed, gboolean *lost);

/* Lines of a file that may make one text, so that joining them stays quick whatever the file. */
#define OL_QUIZ_MOST_JOINED 100

/* Goes on with a text, which may be NULL or empty, after a space. */
void ol_quiz_join(char **text, const char *more);

void ol_quiz_option_clear(OlOption *option);

/* A question under way: what a reader has of it. */
typedef struct {
  OlQuizQuestion *question;
  GArray *options; /* OlOption */
} OlQuizDraft;

void ol_quiz_draft_begin(OlQuizDraft *draft, guint line);
void ol_quiz_draft_drop(OlQuizDraft *draft);
/* Takes both texts; `why` may be NULL. */
void ol_quiz_draft_option(OlQuizDraft *draft, char *text, char *why, gboolean right);
/* Adds it to the quiz if it can be used, else notes why it is left out; the draft is empty then. */
void ol_quiz_draft_end(OlQuizDraft *draft, OlQuiz *quiz, GPtrArray *notes);

/* Lines of a clean text, one by one. */
typedef struct {
  const char *next;
  guint line; /* of the line given last, from 1 */
} OlQuizLines;

/* strspn() and strcspn(), which look no further than they must: where strings are checked, the
 * library's go through all the rest of a text each time. */
gsize ol_quiz_span(const char *text, const char *set);
gsize ol_quiz_span_until(const char *text, const char *set);

/* The next line, without its newline; NULL at the end. Caller frees. */
char *ol_quiz_lines_dup_next(OlQuizLines *lines);

/* Writers of one line a text: newlines become spaces. */
void ol_quiz_append_line(GString *out, const char *text);

/* The letter of a line such as "Answer: B", A as 0; -1 when it is none. */
int ol_quiz_answer_of_line(const char *line);

/* What formats of one line a text lose of all questions: names, categories and line breaks. */
void ol_quiz_note_flat_losses(const OlQuiz *quiz, const char *format, GPtrArray *notes);
/* "explanations of 3 questions are not kept: Aiken has no place for them"; nothing for 0. */
void ol_quiz_note_loss(GPtrArray *notes, const char *what, guint n_questions, const char *format);
/* The question as notes of writers call it: "question 3". */
void ol_quiz_note_left_out(GPtrArray *notes, guint question, const char *why);

G_END_DECLS
