/* What a learner is asked and shown: the prediction, what to look at, the question. */
#include "lessons/course-private.h"

#include "engine/base/intl.h"
#include "engine/trace/metrics.h"
#include "lessons/grading.h"
#include "lessons/quote.h"

#include <string.h>

#define FEWEST_CHOICES 2
#define MOST_CHOICES   8 /* A to H on the keyboard */
#define N_OPTIONS      4

/* What the prediction is compared with: a number that a run the learner makes will have. */
static void read_compared_with(OlReader *reader, JsonObject *object, const OlLesson *lesson,
                               OlPrediction *prediction)
{
  const OlLessonRun *run = ol_course_read_run(reader, object, "run", lesson, &prediction->run);
  if (run != NULL && run->hidden)
    ol_reader_fault(reader, "run", _("a learner never makes the hidden run “%s”"), run->name);
  prediction->metric = ol_course_read_metric(reader, object, "metric", OL_REQUIRED, run);
  if (prediction->metric == NULL)
    return;
  if (ol_course_is_text(prediction->metric, run)) {
    ol_reader_fault(reader, "metric", _("“%s” is a text; a number is wanted"), prediction->metric);
    return;
  }
  OlMeasure measure = ol_quote_setting(prediction->metric) != NULL
                          ? OL_MEASURE_NUMBER
                          : ol_metrics_measure(prediction->metric);
  if (prediction->unit != NULL && !ol_grading_unit_fits(prediction->unit, measure))
    ol_reader_fault(reader, "unit", _("“%s” is no unit of “%s”"), prediction->unit,
                    prediction->metric);
}

static void read_number(OlReader *reader, JsonObject *object, const OlLesson *lesson,
                        OlPrediction *prediction)
{
  prediction->unit = ol_reader_dup_text(reader, object, "unit", OL_REQUIRED);
  read_compared_with(reader, object, lesson, prediction);
  gboolean from = ol_reader_number(reader, object, "from", OL_REQUIRED, &prediction->from);
  gboolean to = ol_reader_number(reader, object, "to", OL_REQUIRED, &prediction->to);
  if (from && to && prediction->from >= prediction->to)
    ol_reader_fault(reader, "to", _("must be more than “from”"));
  ol_reader_number(reader, object, "step", OL_OPTIONAL, &prediction->step);
  if (prediction->step < 0 || (from && to && prediction->step > prediction->to - prediction->from))
    ol_reader_fault(reader, "step", _("must be from 0 (any value) to the whole range"));
}

static void read_choice(OlReader *reader, JsonObject *object, OlPrediction *prediction)
{
  prediction->choices = ol_reader_dup_texts(reader, object, "choices", OL_REQUIRED);
  for (char **choice = prediction->choices; *choice; choice++) {
    g_autofree char *text = *choice;
    *choice = g_strdup(_(text));
  }
  guint n = g_strv_length(prediction->choices);
  if (n < FEWEST_CHOICES || n > MOST_CHOICES)
    ol_reader_fault(reader, "choices", _("must be %d to %d texts"), FEWEST_CHOICES, MOST_CHOICES);
  double right = 0;
  if (!ol_reader_number(reader, object, "right_choice", OL_REQUIRED, &right))
    return;
  if (right < 0 || right >= n || right != (guint)right)
    ol_reader_fault(reader, "right_choice", _("must be the place of a choice, counted from 0"));
  else
    prediction->right_choice = (int)right;
}

void ol_course_read_prediction(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson)
{
  static const char *const kinds[] = {
      [OL_PREDICTION_NUMBER] = "number", [OL_PREDICTION_CHOICE] = "choice", NULL};
  static const char *const number[] = {"ask",  "kind", "run",  "metric", "unit",
                                       "from", "to",   "step", NULL};
  static const char *const choice[] = {"ask", "kind", "choices", "right_choice", NULL};
  JsonObject *object = ol_reader_object(reader, lesson_json, "prediction", OL_OPTIONAL);
  if (object == NULL)
    return;
  OlPrediction *prediction = lesson->prediction = g_new0(OlPrediction, 1);
  prediction->right_choice = -1;
  gsize mark = ol_reader_enter(reader, "prediction");
  prediction->ask = ol_reader_dup_words(reader, object, "ask", OL_REQUIRED);
  int kind = ol_reader_word(reader, object, "kind", kinds);
  if (kind >= 0) {
    prediction->kind = (OlPredictionKind)kind;
    ol_reader_refuse_unknown(reader, object, kind == OL_PREDICTION_NUMBER ? number : choice);
  }
  if (kind == OL_PREDICTION_NUMBER)
    read_number(reader, object, lesson, prediction);
  else if (kind == OL_PREDICTION_CHOICE)
    read_choice(reader, object, prediction);
  ol_reader_leave(reader, mark);
}

/* "embed", "block 3" or "head" as the unit's number in this run, or -1. */
static int unit_from_name(const char *name, const OlLessonRun *run)
{
  guint layers = run != NULL && run->config != NULL ? run->config->model.layers : 0;
  if (g_str_equal(name, "embed"))
    return 0;
  if (g_str_equal(name, "head"))
    return (int)layers + 1;
  guint64 block;
  if (!g_str_has_prefix(name, "block ") || layers == 0 ||
      !g_ascii_string_to_unsigned(name + strlen("block "), 10, 0, layers - 1, &block, NULL))
    return -1;
  return (int)block + 1;
}

static void read_show(OlReader *reader, JsonObject *object, const OlLessonRun *run,
                      OlShowKind *show, int *target)
{
  static const char *const keys[] = {"lane", "payload", "tier", "unit", NULL};
  static const OlShowKind kinds[] = {OL_SHOW_LANE, OL_SHOW_PAYLOAD, OL_SHOW_TIER, OL_SHOW_UNIT};
  gsize mark = ol_reader_enter(reader, "show");
  ol_reader_refuse_unknown(reader, object, keys);
  if (json_object_get_size(object) != 1)
    ol_reader_fault(reader, NULL, _("wants one of: lane, payload, tier, unit"));
  for (guint i = 0; keys[i] != NULL; i++) {
    g_autofree char *name = ol_reader_dup_text(reader, object, keys[i], OL_OPTIONAL);
    if (name == NULL)
      continue;
    *show = kinds[i];
    *target = kinds[i] == OL_SHOW_LANE      ? ol_lane_from_nick(name, -1)
              : kinds[i] == OL_SHOW_PAYLOAD ? ol_payload_from_nick(name, -1)
              : kinds[i] == OL_SHOW_TIER    ? ol_tier_from_nick(name, -1)
                                            : unit_from_name(name, run);
    if (*target < 0)
      ol_reader_fault(reader, keys[i], _("there is no %s “%s”"), keys[i], name);
  }
  ol_reader_leave(reader, mark);
}

/* `run` and `show`: which run of the learner's is looked at, and what in it. */
static void read_place(OlReader *reader, JsonObject *object, const OlLesson *lesson, char **name,
                       OlShowKind *kind, int *target)
{
  const OlLessonRun *run = ol_course_read_run(reader, object, "run", lesson, name);
  if (run != NULL && run->hidden)
    ol_reader_fault(reader, "run", _("a learner never makes the hidden run “%s”"), run->name);
  JsonObject *show = ol_reader_object(reader, object, "show", OL_OPTIONAL);
  if (show != NULL)
    read_show(reader, show, run, kind, target);
}

static void read_observation(OlReader *reader, JsonObject *object, gpointer element, gpointer data)
{
  static const char *const known[] = {"text", "run", "show", NULL};
  const OlLesson *lesson = data;
  OlObservation *observation = element;
  ol_reader_refuse_unknown(reader, object, known);
  observation->text = ol_course_read_quoting(reader, object, "text", lesson);
  read_place(reader, object, lesson, &observation->run, &observation->show, &observation->target);
}

void ol_course_read_observations(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson)
{
  lesson->observations =
      ol_reader_list(reader, lesson_json, "observe", OL_REQUIRED, sizeof(OlObservation),
                     read_observation, lesson, &lesson->n_observations);
}

static void read_option(OlReader *reader, JsonObject *object, gpointer element, gpointer data)
{
  static const char *const known[] = {"text", "why", "right", "run", "show", NULL};
  OlOption *option = element;
  ol_reader_refuse_unknown(reader, object, known);
  option->text = ol_reader_dup_words(reader, object, "text", OL_REQUIRED);
  option->why = ol_course_read_quoting(reader, object, "why", data);
  option->right = ol_reader_boolean(reader, object, "right", FALSE);
  if (json_object_has_member(object, "run") || json_object_has_member(object, "show"))
    read_place(reader, object, data, &option->run, &option->show, &option->target);
  ol_course_derive_show(data, option);
}

static void check_options(OlReader *reader, const OlQuestion *question)
{
  guint right = 0;
  for (guint i = 0; i < question->n_options; i++) {
    right += question->options[i].right;
    for (guint j = 0; j < i; j++)
      if (question->options[i].text != NULL &&
          g_strcmp0(question->options[i].text, question->options[j].text) == 0)
        ol_reader_fault(reader, "options", _("options %u and %u have the same text"), j, i);
  }
  if (question->n_options != N_OPTIONS)
    ol_reader_fault(reader, "options", _("are %u; a question has exactly %d"), question->n_options,
                    N_OPTIONS);
  else if (right != 1)
    ol_reader_fault(reader, "options", _("%u are right; exactly one must be"), right);
}

void ol_course_read_question(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson)
{
  static const char *const known[] = {"text", "options", NULL};
  JsonObject *object = ol_reader_object(reader, lesson_json, "question", OL_REQUIRED);
  if (object == NULL)
    return;
  gsize mark = ol_reader_enter(reader, "question");
  ol_reader_refuse_unknown(reader, object, known);
  OlQuestion *question = &lesson->question;
  question->text = ol_reader_dup_words(reader, object, "text", OL_REQUIRED);
  question->options = ol_reader_list(reader, object, "options", OL_REQUIRED, sizeof(OlOption),
                                     read_option, lesson, &question->n_options);
  check_options(reader, question);
  ol_reader_leave(reader, mark);
}
