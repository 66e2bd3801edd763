/* The votes of a class: counted, taken back, and as a table. */
#include "lessons/class-session-private.h"

#include "engine/base/csv.h"

int ol_class_session_get_open_round(const OlClassSession *session)
{
  switch (ol_class_session_get_stage(session)) {
  case OL_CLASS_FIRST_VOTE:
    return 0;
  case OL_CLASS_SECOND_VOTE:
    return 1;
  default:
    return -1;
  }
}

static GArray *find_open(const OlClassSession *session)
{
  int round = ol_class_session_get_open_round(session);
  return round < 0 ? NULL : ol_class_session_get_entry(session)->votes[round];
}

gboolean ol_class_session_vote(OlClassSession *session, guint option)
{
  GArray *votes = find_open(session);
  if (votes == NULL || option >= ol_class_session_get_item(session)->n_options)
    return FALSE;
  g_array_append_val(votes, option);
  return TRUE;
}

gboolean ol_class_session_take_back(OlClassSession *session, guint option)
{
  GArray *votes = find_open(session);
  for (guint i = votes != NULL ? votes->len : 0; i > 0; i--)
    if (g_array_index(votes, guint, i - 1) == option) {
      g_array_remove_index(votes, i - 1);
      return TRUE;
    }
  return FALSE;
}

gboolean ol_class_session_undo_vote(OlClassSession *session)
{
  GArray *votes = find_open(session);
  if (votes == NULL || votes->len == 0)
    return FALSE;
  g_array_set_size(votes, votes->len - 1);
  return TRUE;
}

static guint count_votes(const OlClassEntry *entry, guint round, guint option)
{
  const GArray *votes = entry->votes[round];
  guint n = 0;
  for (guint i = 0; i < votes->len; i++)
    n += g_array_index(votes, guint, i) == option;
  return n;
}

guint ol_class_session_get_votes(const OlClassSession *session, guint round, guint option)
{
  return count_votes(ol_class_session_get_entry(session), round, option);
}

guint ol_class_session_get_total(const OlClassSession *session, guint round)
{
  return ol_class_session_get_entry(session)->votes[round]->len;
}

gboolean ol_class_session_shows_round(const OlClassSession *session, guint round)
{
  OlClassStage closed = round == 0 ? OL_CLASS_FIRST_TALLY : OL_CLASS_SECOND_TALLY;
  OlClassStage stage = ol_class_session_get_stage(session);
  /* While the class votes again nobody is to be swayed by the first tally. */
  return stage >= closed && stage != OL_CLASS_SECOND_VOTE &&
         ol_class_session_get_total(session, round) > 0;
}

static gboolean is_voted_on(const OlClassEntry *entry)
{
  return entry->votes[0]->len + entry->votes[1]->len > 0;
}

gboolean ol_class_session_has_votes(const OlClassSession *session)
{
  for (guint i = 0; i < session->entries->len; i++)
    if (is_voted_on(g_ptr_array_index(session->entries, i)))
      return TRUE;
  return FALSE;
}

static void put_heading(GString *text)
{
  static const char *const names[] = {"session", "group",  "lesson",   "title",      "question",
                                      "option",  "answer", "is right", "first vote", "second vote"};
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    ol_csv_put_text(text, i == 0, names[i]);
  ol_csv_end_line(text);
}

static void put_option(GString *text, const char *begin, const OlClassEntry *entry, guint option)
{
  const OlClassItem *item = &entry->item;
  const char letter[] = {'A' + (char)(option % OL_QUIZ_MOST_OPTIONS), '\0'};
  ol_csv_put_text(text, TRUE, begin);
  ol_csv_put_words(text, FALSE, item->group);
  ol_csv_put_words(text, FALSE, item->id);
  ol_csv_put_words(text, FALSE, item->title);
  ol_csv_put_words(text, FALSE, item->text);
  ol_csv_put_text(text, FALSE, letter);
  ol_csv_put_words(text, FALSE, item->options[option].text);
  ol_csv_put_text(text, FALSE, item->options[option].right ? "yes" : "no");
  ol_csv_put_number(text, FALSE, count_votes(entry, 0, option));
  if (entry->votes[1]->len > 0)
    ol_csv_put_number(text, FALSE, count_votes(entry, 1, option));
  else
    ol_csv_put_text(text, FALSE, NULL);
  ol_csv_end_line(text);
}

char *ol_class_session_dup_csv(const OlClassSession *session)
{
  GString *text = g_string_new(NULL);
  g_autofree char *begin = g_date_time_format_iso8601(session->begin);
  put_heading(text);
  for (guint i = 0; i < session->entries->len; i++) {
    const OlClassEntry *entry = g_ptr_array_index(session->entries, i);
    for (guint option = 0; is_voted_on(entry) && option < entry->item.n_options; option++)
      put_option(text, begin, entry, option);
  }
  return g_string_free(text, FALSE);
}
