/* Quizzes without an experiment: read from files of other programs, or taken from a course, asked
 * in the terminal, in class or in the window, and written again.
 *
 * Formats are rows of one table, a reader and a writer each:
 *   gift   Moodle's GIFT (docs.moodle.org, "GIFT format"): multiple choice, missing word and
 * true/false. Its other types (short answer, matching, numerical, essay, description) are left out.
 *   aiken  Moodle's Aiken (docs.moodle.org, "Aiken format"): "A) option" lines and "ANSWER: B".
 *   text   a title, numbered questions, bulleted options. The right option has the bullet ✓, and
 * what explains an option (or, before the first option, a question) follows on a line with →.
 *          Questions whose answer is not marked yet are read too.
 * Readers are lenient: one broken question is left out and the others stay. Writers are strict.
 * Whatever either leaves out or changes is told as a note. */
#pragma once

#include "lessons/course.h"

G_BEGIN_DECLS

#define OL_QUIZ_MOST_OPTIONS   26    /* A to Z */
#define OL_QUIZ_MOST_QUESTIONS 10000 /* of a file */

/* All texts are UTF-8 without control characters but newlines, and begin and end with none and with
 * no space. */
typedef struct {
  char *name;        /* a title of its own ("::name::" in GIFT), or NULL */
  char *category;    /* GIFT's, as it stands there, where the title does not say it all; or NULL */
  char *lesson;      /* the id of the lesson that asks it, or NULL */
  char *text;        /* never empty */
  char *feedback;    /* told after whichever option, or NULL */
  OlOption *options; /* [n_options]; `why` may be NULL here and quotes nothing */
  guint n_options;   /* 2 to OL_QUIZ_MOST_OPTIONS */
  guint line;        /* where it begins in its file, from 1; 0: from a course */
} OlQuizQuestion;

typedef struct {
  char *title;          /* never NULL; the file's name where it has none */
  GPtrArray *questions; /* OlQuizQuestion; owned */
} OlQuiz;

typedef struct {
  guint line; /* of the file that was read; 0: of none in particular */
  char *text; /* "the weight 50 % counts as wrong here" */
} OlQuizNote;

typedef struct {
  const char *nick; /* "gift" */
  const char *name; /* "GIFT", as people read it */
} OlQuizFormat;

OlQuiz *ol_quiz_new(const char *title);
void ol_quiz_free(OlQuiz *quiz);

/* How many options are right: 0 when the answer is not marked yet. With several, any one counts. */
guint ol_quiz_question_count_right(const OlQuizQuestion *question);
/* Makes this one the right one, and no other; -1: none. */
void ol_quiz_question_mark(OlQuizQuestion *question, int right);
guint ol_quiz_count_unmarked(const OlQuiz *quiz);
/* Marks the questions from a key such as "DBC-A": a letter each, in order; spaces, commas and line
 * breaks between them mean nothing, "-" leaves a question as it is. OL_ERROR_BAD_INPUT, and nothing
 * is marked, when letters are too many or too few, or one names no option. */
gboolean ol_quiz_mark_all(OlQuiz *quiz, const char *key, GError **error);

/* Editing. Space at the ends of texts is taken off, and an empty `why` is none. OL_ERROR_BAD_INPUT,
 * with nothing changed, when the question or an option has no text, or there are too few or too
 * many. */
gboolean ol_quiz_question_set(OlQuizQuestion *question, const char *text, const OlOption *options,
                              guint n_options, GError **error);
/* A question more, at the end; owned by the quiz. */
OlQuizQuestion *ol_quiz_add(OlQuiz *quiz, const char *text, const OlOption *options,
                            guint n_options, GError **error);

/* The questions of a course, named after their lessons. Settings that an explanation quotes are
 * filled in; what only a run can measure is "…", which is noted. */
OlQuiz *ol_quiz_new_from_course(const OlCourse *course, GPtrArray *notes);

/* Options of a course's questions in the order in which its lessons show them to the learner. */
void ol_quiz_shuffle(OlQuiz *quiz, GPtrArray *courses, const char *learner);

/* The one question of a lesson, its options in their order there; none when it has none. *complete:
 * no "…" stands in it. */
OlQuiz *ol_quiz_new_from_lesson(const OlLesson *lesson, gboolean *complete);

/* Notes: an array for the functions below, of OlQuizNote. Owned by the caller. */
GPtrArray *ol_quiz_notes_new(void);

/* NULL when there is no such format; the nicks of all, for messages: "gift, aiken, text". */
const OlQuizFormat *ol_quiz_format_find(const char *nick);
/* Whether the file's name says that it has a quiz: .gift, .aiken, .txt. */
gboolean ol_quiz_is_likely(const char *path);
/* The format that a file's name says by its end: .gift, .aiken; any other is text. */
const OlQuizFormat *ol_quiz_format_of_name(const char *path);
char *ol_quiz_format_dup_nicks(void);

/* Reads a quiz; `format` NULL: the one in which most questions are found; *found (may be NULL) is
 * told. Text may be UTF-8 or UTF-16, with or without a byte order mark, or Windows-1252 (noted).
 * OL_ERROR_BAD_INPUT with `where` when it is no text, too large (OL_JSON_MAX_BYTES), or no question
 * of it can be used; notes then say why. */
OlQuiz *ol_quiz_parse(const char *bytes, gsize length, const char *where,
                      const OlQuizFormat *format, const OlQuizFormat **found, GPtrArray *notes,
                      GError **error);
OlQuiz *ol_quiz_load(const char *path, const OlQuizFormat *format, const OlQuizFormat **found,
                     GPtrArray *notes, GError **error);

/* The quiz as a file of this format. What the format cannot carry is noted; OL_ERROR_BAD_INPUT when
 * that is every question, as with GIFT and Aiken as long as no answer is marked. Caller frees. */
char *ol_quiz_dup_text(const OlQuiz *quiz, const OlQuizFormat *format, GPtrArray *notes,
                       GError **error);
/* The same in a file, replaced whole, or on an error left as it is. OL_ERROR_STORAGE names the path
 * and says why. */
gboolean ol_quiz_save(const OlQuiz *quiz, const char *path, const OlQuizFormat *format,
                      GPtrArray *notes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlQuiz, ol_quiz_free)

G_END_DECLS
