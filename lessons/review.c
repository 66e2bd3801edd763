#include "lessons/review.h"

#include "engine/base/intl.h"

#define HOUR ((gint64)3600)
#define DAY  (24 * HOUR)
/* Whoever learns each evening is not to find a question due an hour later than yesterday. */
#define EARLY (6 * HOUR)
/* How far ahead another computer's clock may be before its times are not believed. */
#define AHEAD DAY

static const guint days[] = {1, 3, 7, 16, 35, 80};

guint ol_review_days(guint level)
{
  return days[MIN(level, G_N_ELEMENTS(days) - 1)];
}

static gint64 find_due(guint level, gint64 time)
{
  return time + ol_review_days(level) * DAY - EARLY;
}

/* In the lesson: the first answer says where the question begins, later ones whether it was
 * forgotten. Right again, with the lesson's text at hand, proves nothing, but starts the wait anew.
 */
static void take_answer(OlReviewCard *card, const OlProgressEntry *entry, gboolean first)
{
  if (first)
    card->level = entry->right ? 1 : 0;
  else if (!entry->right)
    card->level = 0;
  card->due = find_due(card->level, entry->time);
}

/* One that was right before it was due, as when two computers asked it on the same day, counts but
 * moves nothing. */
static void take_review(OlReviewCard *card, const OlProgressEntry *entry)
{
  card->reviews++;
  card->right += entry->right;
  if (entry->right && entry->time < card->due)
    return;
  card->level = entry->right ? MIN(card->level + 1, G_N_ELEMENTS(days) - 1) : 0;
  card->due = find_due(card->level, entry->time);
}

/* A time that cannot be is taken for long ago: better too early than never. */
static void mend_times(GArray *entries, gint64 now)
{
  for (guint i = 0; i < entries->len; i++) {
    OlProgressEntry *entry = &g_array_index(entries, OlProgressEntry, i);
    if (entry->time > now + AHEAD)
      entry->time = 0;
  }
}

gboolean ol_review_look(const OlCourse *course, const OlLesson *lesson, const OlProgress *progress,
                        gint64 now, OlReviewCard *card)
{
  g_autoptr(GArray) answers = ol_progress_list_entries(progress, lesson->id, OL_ENTRY_ANSWER);
  g_autoptr(GArray) reviews = ol_progress_list_entries(progress, lesson->id, OL_ENTRY_REVIEW);
  guint a = 0, r = 0;
  *card = (OlReviewCard){.course = course, .lesson = lesson};
  mend_times(answers, now);
  mend_times(reviews, now);
  while (a < answers->len || r < reviews->len) {
    const OlProgressEntry *answer =
        a < answers->len ? &g_array_index(answers, OlProgressEntry, a) : NULL;
    const OlProgressEntry *review =
        r < reviews->len ? &g_array_index(reviews, OlProgressEntry, r) : NULL;
    /* The first answer comes before all; of one second, answers come before reviews. */
    gboolean answer_next =
        answer != NULL && (a == 0 || review == NULL || answer->time <= review->time);
    if (answer_next)
      take_answer(card, answer, a++ == 0);
    else if (a > 0)
      take_review(card, &g_array_index(reviews, OlProgressEntry, r++));
    else
      r++; /* a review of a lesson that has no answer any more */
    card->latest_right = answer_next ? answer->right : review->right;
  }
  return answers->len > 0;
}

gboolean ol_review_is_due(const OlReviewCard *card, gint64 now)
{
  return card->due <= now;
}

static int compare_cards(gconstpointer a, gconstpointer b, gpointer now)
{
  const OlReviewCard *left = a, *right = b;
  gboolean left_due = ol_review_is_due(left, *(gint64 *)now);
  gboolean right_due = ol_review_is_due(right, *(gint64 *)now);
  if (left_due != right_due)
    return left_due ? -1 : 1;
  if (left_due && left->level != right->level)
    return left->level < right->level ? -1 : 1;
  return (left->due > right->due) - (left->due < right->due);
}

/* In the order of the courses; only_due: those that are due at `now`. */
static GArray *gather(GPtrArray *courses, const OlProgress *progress, gint64 now, gboolean only_due)
{
  GArray *cards = g_array_new(FALSE, FALSE, sizeof(OlReviewCard));
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++) {
      OlReviewCard card;
      if (ol_review_look(course, &course->lessons[j], progress, now, &card) &&
          (!only_due || ol_review_is_due(&card, now)))
        g_array_append_val(cards, card);
    }
  }
  return cards;
}

GArray *ol_review_list(GPtrArray *courses, const OlProgress *progress, gint64 now)
{
  GArray *cards = gather(courses, progress, now, FALSE);
  g_array_sort_with_data(cards, compare_cards, &now); /* stable, as GLib promises of arrays */
  return cards;
}

GArray *ol_review_list_due(GPtrArray *courses, const OlProgress *progress, gint64 now)
{
  GArray *cards = gather(courses, progress, now, TRUE);
  g_array_sort_with_data(cards, compare_cards, &now);
  return cards;
}

guint ol_review_count_due(GPtrArray *courses, const OlProgress *progress, gint64 now)
{
  g_autoptr(GArray) cards = gather(courses, progress, now, TRUE);
  return cards->len;
}

char *ol_review_dup_when(gint64 due, gint64 now)
{
  gint64 wait = due - now;
  if (wait <= 0)
    return g_strdup(_("now"));
  guint hours = (guint)((wait + HOUR - 1) / HOUR);
  if (hours < 18) /* what comes back tomorrow at this time is due a little earlier */
    return g_strdup_printf(ol_ngettext("in %u hour", "in %u hours", hours), hours);
  guint n = (guint)((wait + EARLY + DAY / 2) / DAY);
  n = MAX(n, 1);
  return g_strdup_printf(ol_ngettext("in %u day", "in %u days", n), n);
}
