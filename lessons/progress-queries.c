/* What progress says when it is asked. */
#include "lessons/progress-private.h"

#include "lessons/stamp.h"

#include <math.h>

/* The newest prediction, or NULL. */
static JsonObject *find_prediction(const OlProgress *progress, const char *lesson)
{
  JsonArray *array = ol_progress_find_list(progress, lesson, "predictions");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  return n > 0 ? json_array_get_object_element(array, n - 1) : NULL;
}

gboolean ol_progress_get_prediction(const OlProgress *progress, const char *lesson, double *value)
{
  JsonObject *prediction = find_prediction(progress, lesson);
  if (prediction == NULL)
    return FALSE;
  *value = json_object_get_double_member(prediction, "value");
  return TRUE;
}

gboolean ol_progress_get_sure(const OlProgress *progress, const char *lesson, double *sure)
{
  JsonObject *prediction = find_prediction(progress, lesson);
  if (prediction == NULL || !json_object_has_member(prediction, "sure"))
    return FALSE;
  *sure = json_object_get_double_member(prediction, "sure");
  return TRUE;
}

gboolean ol_progress_has_run(const OlProgress *progress, const char *lesson, const char *run)
{
  JsonArray *array = ol_progress_find_list(progress, lesson, "runs");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  for (guint i = 0; i < n; i++) {
    JsonObject *entry = json_array_get_object_element(array, i);
    if (g_str_equal(json_object_get_string_member(entry, "run"), run))
      return TRUE;
  }
  return FALSE;
}

gboolean ol_progress_get_answers(const OlProgress *progress, const char *lesson, OlAnswers *answers)
{
  JsonArray *array = ol_progress_find_list(progress, lesson, "answers");
  *answers = (OlAnswers){.n = array != NULL ? json_array_get_length(array) : 0};
  if (answers->n == 0)
    return FALSE;
  JsonObject *first = json_array_get_object_element(array, 0);
  JsonObject *latest = json_array_get_object_element(array, answers->n - 1);
  answers->first_option = (guint)json_object_get_int_member(first, "option");
  answers->first_right = json_object_get_boolean_member(first, "right");
  answers->first_time = json_object_get_string_member(first, "time");
  answers->latest_option = (guint)json_object_get_int_member(latest, "option");
  answers->latest_right = json_object_get_boolean_member(latest, "right");
  answers->latest_time = json_object_get_string_member(latest, "time");
  return TRUE;
}

gboolean ol_progress_get_answer(const OlProgress *progress, const char *lesson, guint *option,
                                gboolean *latest_right, gboolean *first_right)
{
  OlAnswers answers;
  if (!ol_progress_get_answers(progress, lesson, &answers))
    return FALSE;
  if (option != NULL)
    *option = answers.latest_option;
  if (latest_right != NULL)
    *latest_right = answers.latest_right;
  if (first_right != NULL)
    *first_right = answers.first_right;
  return TRUE;
}

gboolean ol_progress_is_done(const OlProgress *progress, const char *lesson)
{
  JsonArray *array = ol_progress_find_list(progress, lesson, "answers");
  guint n = array != NULL ? json_array_get_length(array) : 0;
  for (guint i = 0; i < n; i++)
    if (json_object_get_boolean_member(json_array_get_object_element(array, i), "right"))
      return TRUE;
  return FALSE;
}

static double get_number(JsonObject *object, const char *key)
{
  return json_object_has_member(object, key) ? json_object_get_double_member(object, key) : NAN;
}

static OlProgressEntry read_entry(JsonObject *object, OlEntryKind kind)
{
  OlProgressEntry entry = {.kind = kind, .value = NAN, .sure = NAN};
  entry.time = ol_stamp_to_seconds(json_object_get_string_member(object, "time"));
  switch (kind) {
  case OL_ENTRY_PREDICTION:
    entry.value = get_number(object, "value");
    entry.sure = get_number(object, "sure");
    break;
  case OL_ENTRY_RUN:
    entry.value = get_number(object, "measured");
    entry.run = json_object_get_string_member(object, "run");
    break;
  default:
    entry.option = (guint)json_object_get_int_member(object, "option");
    entry.right = json_object_get_boolean_member(object, "right");
    break;
  }
  return entry;
}

GArray *ol_progress_list_entries(const OlProgress *progress, const char *lesson, OlEntryKind kind)
{
  static const char *const lists[] = {
      [OL_ENTRY_PREDICTION] = "predictions",
      [OL_ENTRY_RUN] = "runs",
      [OL_ENTRY_ANSWER] = "answers",
      [OL_ENTRY_REVIEW] = "reviews",
  };
  JsonArray *list = ol_progress_find_list(progress, lesson, lists[kind]);
  GArray *entries = g_array_new(FALSE, FALSE, sizeof(OlProgressEntry));
  for (guint i = 0; list != NULL && i < json_array_get_length(list); i++) {
    OlProgressEntry entry = read_entry(json_array_get_object_element(list, i), kind);
    g_array_append_val(entries, entry);
  }
  return entries;
}
