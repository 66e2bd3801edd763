#include "lessons/class-session-private.h"

static void free_entry(gpointer data)
{
  OlClassEntry *entry = data;
  for (guint i = 0; i < OL_CLASS_ROUNDS; i++)
    g_array_unref(entry->votes[i]);
  g_free(entry);
}

OlClassSession *ol_class_session_new(void)
{
  OlClassSession *session = g_new0(OlClassSession, 1);
  session->begin = g_date_time_new_now_local();
  session->entries = g_ptr_array_new_with_free_func(free_entry);
  return session;
}

void ol_class_session_free(OlClassSession *session)
{
  if (session == NULL)
    return;
  g_ptr_array_unref(session->entries);
  g_date_time_unref(session->begin);
  g_free(session);
}

static void add(OlClassSession *session, OlClassItem item)
{
  OlClassEntry *entry = g_new0(OlClassEntry, 1);
  entry->item = item;
  for (guint i = 0; i < OL_CLASS_ROUNDS; i++)
    entry->votes[i] = g_array_new(FALSE, FALSE, sizeof(guint));
  g_ptr_array_add(session->entries, entry);
}

void ol_class_session_add_lesson(OlClassSession *session, const OlCourse *course, guint lesson)
{
  const OlLesson *of = &course->lessons[lesson];
  add(session, (OlClassItem){.group = course->title,
                             .title = of->title,
                             .id = of->id,
                             .course = course,
                             .lesson = of,
                             .text = of->question.text,
                             .options = of->question.options,
                             .n_options = of->question.n_options});
}

void ol_class_session_add_question(OlClassSession *session, const OlQuiz *quiz, guint question)
{
  const OlQuizQuestion *of = g_ptr_array_index(quiz->questions, question);
  add(session, (OlClassItem){.group = quiz->title,
                             .title = of->name,
                             .id = of->lesson,
                             .text = of->text,
                             .options = of->options,
                             .n_options = of->n_options,
                             .feedback = of->feedback});
}

GDateTime *ol_class_session_get_begin(const OlClassSession *session)
{
  return session->begin;
}

guint ol_class_session_count(const OlClassSession *session)
{
  return session->entries->len;
}

guint ol_class_session_get_position(const OlClassSession *session)
{
  return session->position;
}

const OlClassItem *ol_class_session_get_item(const OlClassSession *session)
{
  return &ol_class_session_get_entry(session)->item;
}

const OlClassItem *ol_class_session_get_nth(const OlClassSession *session, guint position)
{
  return &((OlClassEntry *)g_ptr_array_index(session->entries, position))->item;
}

OlClassStage ol_class_session_get_stage(const OlClassSession *session)
{
  return session->at_bench ? OL_CLASS_BENCH : ol_class_session_get_entry(session)->stage;
}

static gboolean is_answer_known(const OlClassItem *item)
{
  for (guint i = 0; i < item->n_options; i++)
    if (item->options[i].right)
      return TRUE;
  return FALSE;
}

gboolean ol_class_session_is_answer_known(const OlClassSession *session)
{
  return is_answer_known(ol_class_session_get_item(session));
}

static gboolean is_explained(const OlClassItem *item)
{
  gboolean said = item->feedback != NULL;
  for (guint i = 0; i < item->n_options; i++)
    said = said || item->options[i].why != NULL;
  return said && is_answer_known(item);
}

static gboolean has_stage(const OlClassEntry *entry, OlClassStage stage)
{
  switch (stage) {
  case OL_CLASS_BENCH:
    return entry->item.lesson != NULL;
  case OL_CLASS_FIRST_TALLY:
    return entry->votes[0]->len > 0;
  case OL_CLASS_SECOND_VOTE:
    return entry->voted_again;
  case OL_CLASS_SECOND_TALLY:
    return entry->voted_again && entry->votes[1]->len > 0;
  case OL_CLASS_REVEALED:
    return is_answer_known(&entry->item);
  case OL_CLASS_EXPLAINED:
    return is_explained(&entry->item);
  default:
    return TRUE;
  }
}

/* The nearest stage that the question has, `by` 1 on or -1 back; -1: none. */
static int find_stage(const OlClassEntry *entry, int by)
{
  int stage = (int)entry->stage + by;
  while (stage >= 0 && stage < OL_CLASS_N_STAGES && !has_stage(entry, (OlClassStage)stage))
    stage += by;
  return stage < OL_CLASS_N_STAGES ? stage : -1;
}

gboolean ol_class_session_go_question(OlClassSession *session, int by)
{
  gint64 to = (gint64)session->position + by;
  if (to < 0 || to >= session->entries->len)
    return FALSE;
  session->position = (guint)to;
  session->at_bench = FALSE;
  return TRUE;
}

static gboolean go(OlClassSession *session, int by)
{
  OlClassEntry *entry = ol_class_session_get_entry(session);
  int stage = find_stage(entry, by);
  if (session->at_bench) {
    session->at_bench = FALSE;
    return TRUE;
  }
  if (stage < 0)
    return ol_class_session_go_question(session, by);
  entry->stage = (OlClassStage)stage;
  return TRUE;
}

gboolean ol_class_session_go_on(OlClassSession *session)
{
  return go(session, 1);
}

gboolean ol_class_session_go_back(OlClassSession *session)
{
  return go(session, -1);
}

OlClassStage ol_class_session_peek(const OlClassSession *session, gboolean *question)
{
  const OlClassEntry *entry = ol_class_session_get_entry(session);
  int stage = session->at_bench ? (int)entry->stage : find_stage(entry, 1);
  gboolean other = stage < 0 && session->position + 1 < session->entries->len;
  if (question != NULL)
    *question = other;
  if (other)
    return ((OlClassEntry *)g_ptr_array_index(session->entries, session->position + 1))->stage;
  return stage < 0 ? entry->stage : (OlClassStage)stage;
}

gboolean ol_class_session_turn_to_bench(OlClassSession *session, gboolean turn)
{
  const OlClassEntry *entry = ol_class_session_get_entry(session);
  if (entry->item.lesson == NULL)
    return FALSE;
  session->at_bench = turn && entry->stage != OL_CLASS_BENCH;
  return TRUE;
}

gboolean ol_class_session_may_vote_again(const OlClassSession *session)
{
  return !session->at_bench && ol_class_session_get_entry(session)->stage == OL_CLASS_FIRST_TALLY;
}

gboolean ol_class_session_open_vote(OlClassSession *session)
{
  OlClassEntry *entry = ol_class_session_get_entry(session);
  gboolean first = entry->stage < OL_CLASS_FIRST_VOTE;
  if (!first && !ol_class_session_may_vote_again(session))
    return FALSE;
  session->at_bench = FALSE;
  entry->voted_again = entry->voted_again || !first;
  entry->stage = first ? OL_CLASS_FIRST_VOTE : OL_CLASS_SECOND_VOTE;
  return TRUE;
}
