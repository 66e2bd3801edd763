/* A class under way: questions of lessons or of a quiz, one after the other, what the class voted
 * on each, and how far each has got. Nobody's progress has a part in it.
 *
 * Courses and quizzes that questions are of must outlive the session. */
#pragma once

#include "lessons/quiz.h"

G_BEGIN_DECLS

/* What is in sight, in this order. A question leaves out what it has nothing for. */
typedef enum {
  OL_CLASS_QUESTION,
  OL_CLASS_BENCH,       /* of a lesson */
  OL_CLASS_FIRST_VOTE,  /* counts are nobody's business yet */
  OL_CLASS_FIRST_TALLY, /* if anybody voted */
  OL_CLASS_SECOND_VOTE, /* if there is one, after discussion */
  OL_CLASS_SECOND_TALLY,
  OL_CLASS_REVEALED,  /* the tally with what is right, if that is known */
  OL_CLASS_EXPLAINED, /* if there is anything to say */
  OL_CLASS_N_STAGES
} OlClassStage;

/* A question of the session. Borrowed, all of it. */
typedef struct {
  const char *group;      /* the course's or the quiz's title */
  const char *title;      /* the lesson's, or a quiz question's own; or NULL */
  const char *id;         /* the lesson's, or NULL */
  const OlCourse *course; /* NULL: a question of a quiz */
  const OlLesson *lesson; /* of the course, which has a bench; or NULL */
  const char *text;
  const OlOption *options; /* `why` may be NULL, and quotes runs in a lesson alone */
  guint n_options;
  const char *feedback; /* or NULL */
} OlClassItem;

typedef struct OlClassSession OlClassSession;

/* Begins now. */
OlClassSession *ol_class_session_new(void);
void ol_class_session_free(OlClassSession *session);
void ol_class_session_add_lesson(OlClassSession *session, const OlCourse *course, guint lesson);
void ol_class_session_add_question(OlClassSession *session, const OlQuiz *quiz, guint question);
GDateTime *ol_class_session_get_begin(const OlClassSession *session); /* borrowed, local time */

guint ol_class_session_count(const OlClassSession *session);
guint ol_class_session_get_position(const OlClassSession *session);
/* What follows is about the question in sight; a session has at least one. */
const OlClassItem *ol_class_session_get_item(const OlClassSession *session);
const OlClassItem *ol_class_session_get_nth(const OlClassSession *session, guint position);
OlClassStage ol_class_session_get_stage(const OlClassSession *session);
gboolean ol_class_session_is_answer_known(const OlClassSession *session);

/* To the stage after this one, else to the next question, at the stage where that was left; and
 * back. FALSE at either end. */
gboolean ol_class_session_go_on(OlClassSession *session);
gboolean ol_class_session_go_back(OlClassSession *session);
/* What going on would come to; the stage in sight at the end. *question (may be NULL): whether it
 * is another one's. */
OlClassStage ol_class_session_peek(const OlClassSession *session, gboolean *question);
/* So many questions on or back. */
gboolean ol_class_session_go_question(OlClassSession *session, int by);
/* The bench while another stage is in sight, and back to that. FALSE: there is no bench. */
gboolean ol_class_session_turn_to_bench(OlClassSession *session, gboolean turn);
/* Opens a vote: the first, or after its tally the second one. FALSE where neither makes sense. */
gboolean ol_class_session_may_vote_again(const OlClassSession *session);
gboolean ol_class_session_open_vote(OlClassSession *session);

/* A round is 0 or 1. The one that is open, or -1. */
int ol_class_session_get_open_round(const OlClassSession *session);
/* One more for an option, one less, and the latest of the round back. FALSE, and nothing happens,
 * while no vote is open, or when there is none to take back. */
gboolean ol_class_session_vote(OlClassSession *session, guint option);
gboolean ol_class_session_take_back(OlClassSession *session, guint option);
gboolean ol_class_session_undo_vote(OlClassSession *session);
guint ol_class_session_get_votes(const OlClassSession *session, guint round, guint option);
guint ol_class_session_get_total(const OlClassSession *session, guint round);
/* Whether the tally in sight has this round: it was closed, and somebody voted. */
gboolean ol_class_session_shows_round(const OlClassSession *session, guint round);

/* Of any question. */
gboolean ol_class_session_has_votes(const OlClassSession *session);
/* CSV (engine/base/csv.h) with a heading and a row an option of every question that was voted on,
 * in the order of the session. Where a question had no second vote, that is empty. No cell is taken
 * for a formula by a spreadsheet. Caller frees. */
char *ol_class_session_dup_csv(const OlClassSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlClassSession, ol_class_session_free)

G_END_DECLS
