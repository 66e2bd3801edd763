/* A lesson's claims. A claim that could not be false, or that no run shows false, proves nothing:
 * it is refused here. */
#include "lessons/course-private.h"

#include "engine/base/intl.h"

static const char *const comparisons[] = {
    [OL_IS_AT_LEAST] = "at least",   [OL_IS_AT_MOST] = "at most",     [OL_IS_EXACTLY] = "exactly",
    [OL_IS_LESS_THAN] = "less than", [OL_IS_MORE_THAN] = "more than", NULL,
};

static void read_than(OlReader *reader, JsonObject *object, const OlLesson *lesson, OlClaim *claim)
{
  static const char *const known[] = {"run", "metric", "times", NULL};
  gsize mark = ol_reader_enter(reader, "than");
  ol_reader_refuse_unknown(reader, object, known);
  const OlLessonRun *run = ol_course_read_run(reader, object, "run", lesson, &claim->than_run);
  claim->than_metric = ol_course_read_metric(reader, object, "metric", OL_OPTIONAL, run);
  if (claim->than_metric == NULL)
    claim->than_metric = g_strdup(claim->metric);
  claim->than_times = 1;
  ol_reader_number(reader, object, "times", OL_OPTIONAL, &claim->than_times);
  ol_reader_leave(reader, mark);
}

/* The right side: a number or text in `value`, or another run's metric in `than`. */
static void read_right_side(OlReader *reader, JsonObject *object, const OlLesson *lesson,
                            gboolean text, OlClaim *claim)
{
  JsonObject *than = ol_reader_object(reader, object, "than", OL_OPTIONAL);
  if ((than != NULL) == json_object_has_member(object, "value"))
    ol_reader_fault(reader, NULL, _("wants either “value” or “than”, not both and not neither"));
  else if (than != NULL)
    read_than(reader, than, lesson, claim);
  else if (text)
    claim->value_text = ol_reader_dup_text(reader, object, "value", OL_REQUIRED);
  else
    ol_reader_number(reader, object, "value", OL_REQUIRED, &claim->value);
}

static void check_claim(OlReader *reader, const OlLesson *lesson, gboolean text,
                        const OlClaim *claim)
{
  if (text && claim->is != OL_IS_EXACTLY)
    ol_reader_fault(reader, "is", _("“%s” is a text: it can only be “exactly” something"),
                    claim->metric);
  if (text && claim->than_times != 0 && claim->than_times != 1)
    ol_reader_fault(reader, "than.times", _("a text has no multiples"));
  if (claim->than_run != NULL && claim->than_metric != NULL && claim->metric != NULL) {
    const OlLessonRun *than = ol_lesson_find_run(lesson, claim->than_run);
    if (ol_course_is_text(claim->than_metric, than) != text)
      ol_reader_fault(reader, "than", _("a text and a number cannot be compared"));
  }
  if (claim->fails_on == NULL)
    return;
  if (g_strcmp0(claim->fails_on, claim->run) == 0)
    ol_reader_fault(reader, "fails_on",
                    _("is the claim's own run: it cannot be true and false there"));
  else if (g_strcmp0(claim->fails_on, claim->than_run) == 0 &&
           g_strcmp0(claim->metric, claim->than_metric) == 0)
    ol_reader_fault(reader, "fails_on",
                    _("would compare “%s” with itself, which proves nothing; name another run"),
                    claim->fails_on);
}

static void read_claim(OlReader *reader, JsonObject *object, gpointer element, gpointer data)
{
  static const char *const known[] = {"run", "metric", "is", "value", "than", "fails_on", NULL};
  const OlLesson *lesson = data;
  OlClaim *claim = element;
  ol_reader_refuse_unknown(reader, object, known);
  const OlLessonRun *run = ol_course_read_run(reader, object, "run", lesson, &claim->run);
  claim->metric = ol_course_read_metric(reader, object, "metric", OL_REQUIRED, run);
  int is = ol_reader_word(reader, object, "is", comparisons);
  claim->is = is >= 0 ? (OlComparison)is : OL_IS_EXACTLY;
  gboolean text = claim->metric != NULL && ol_course_is_text(claim->metric, run);
  read_right_side(reader, object, lesson, text, claim);
  ol_course_read_run(reader, object, "fails_on", lesson, &claim->fails_on);
  check_claim(reader, lesson, text, claim);
}

void ol_course_read_claims(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson)
{
  lesson->claims = ol_reader_list(reader, lesson_json, "evidence", OL_REQUIRED, sizeof(OlClaim),
                                  read_claim, lesson, &lesson->n_claims);
}
