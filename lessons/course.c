#include "lessons/course.h"

#include "engine/base/error.h"
#include "engine/base/folder.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "engine/config/json-guard.h"
#include "lessons/course-private.h"

#include <string.h>

static void clear_prediction(OlPrediction *prediction)
{
  g_free(prediction->ask);
  g_free(prediction->run);
  g_free(prediction->metric);
  g_free(prediction->unit);
  g_strfreev(prediction->choices);
}

static void clear_claim(OlClaim *claim)
{
  g_free(claim->run);
  g_free(claim->metric);
  g_free(claim->value_text);
  g_free(claim->than_run);
  g_free(claim->than_metric);
  g_free(claim->fails_on);
}

static void clear_lesson(OlLesson *lesson)
{
  for (guint i = 0; i < lesson->n_runs; i++) {
    g_free(lesson->runs[i].name);
    g_free(lesson->runs[i].title);
    g_free(lesson->runs[i].recipe_text);
    g_strfreev(lesson->runs[i].recipe_unused);
    g_clear_pointer(&lesson->runs[i].config, ol_run_config_free);
  }
  for (guint i = 0; i < lesson->n_observations; i++) {
    g_free(lesson->observations[i].text);
    g_free(lesson->observations[i].run);
  }
  for (guint i = 0; i < lesson->n_claims; i++)
    clear_claim(&lesson->claims[i]);
  for (guint i = 0; i < lesson->question.n_options; i++) {
    g_free(lesson->question.options[i].text);
    g_free(lesson->question.options[i].why);
    g_free(lesson->question.options[i].run);
  }
  if (lesson->prediction != NULL)
    clear_prediction(lesson->prediction);
  g_free(lesson->prediction);
  g_free(lesson->question.text);
  g_free(lesson->question.options);
  g_free(lesson->claims);
  g_free(lesson->observations);
  g_strfreev(lesson->controls);
  g_free(lesson->runs);
  g_free(lesson->id);
  g_free(lesson->title);
  g_free(lesson->goal);
}

void ol_course_free(OlCourse *course)
{
  if (course == NULL)
    return;
  for (guint i = 0; i < course->n_lessons; i++)
    clear_lesson(&course->lessons[i]);
  g_free(course->lessons);
  g_free(course->id);
  g_free(course->title);
  g_free(course);
}

typedef struct {
  const char *data_folder;
  GArray *faults; /* guint: how many each lesson has */
} Reading;

static void read_lesson(OlReader *reader, JsonObject *object, gpointer element, gpointer data)
{
  static const char *const known[] = {"id",      "title",    "goal",     "experiment", "controls",
                                      "observe", "evidence", "question", "prediction", NULL};
  OlLesson *lesson = element;
  Reading *reading = data;
  guint before = reader->n_faults;
  ol_reader_refuse_unknown(reader, object, known);
  lesson->id = ol_reader_dup_id(reader, object, "id");
  lesson->title = ol_reader_dup_words(reader, object, "title", OL_REQUIRED);
  lesson->goal = ol_reader_dup_words(reader, object, "goal", OL_REQUIRED);
  ol_course_read_experiment(reader, object, reading->data_folder, lesson);
  ol_course_read_prediction(reader, object, lesson);
  ol_course_read_observations(reader, object, lesson);
  ol_course_read_claims(reader, object, lesson);
  ol_course_read_question(reader, object, lesson);
  guint faults = reader->n_faults - before;
  g_array_append_val(reading->faults, faults);
}

static void refuse_repeated_ids(OlReader *reader, const OlCourse *course, Reading *reading)
{
  g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
  for (guint i = 0; i < course->n_lessons; i++) {
    char *id = course->lessons[i].id;
    if (id == NULL || g_hash_table_add(seen, id))
      continue;
    g_autofree char *key = g_strdup_printf("lessons[%u].id", i);
    ol_reader_fault(reader, key, _("another lesson is called “%s” already"), id);
    if (i < reading->faults->len)
      g_array_index(reading->faults, guint, i)++;
  }
}

static void read_course(OlReader *reader, JsonObject *object, Reading *reading, OlCourse *course)
{
  static const char *const known[] = {"format", "id", "title", "lessons", NULL};
  ol_reader_refuse_unknown(reader, object, known);
  double format = 0;
  if (ol_reader_number(reader, object, "format", OL_REQUIRED, &format) && format != 1) {
    ol_reader_fault(reader, "format", _("is %g; this lab reads format 1"), format);
    return;
  }
  course->id = ol_reader_dup_id(reader, object, "id");
  course->title = ol_reader_dup_words(reader, object, "title", OL_REQUIRED);
  course->lessons = ol_reader_list(reader, object, "lessons", OL_REQUIRED, sizeof(OlLesson),
                                   read_lesson, reading, &course->n_lessons);
  refuse_repeated_ids(reader, course, reading);
}

/* Takes the lessons away that are at fault, if nothing else is and others remain. */
static gboolean leave_out_faulty(const OlReader *reader, const Reading *reading, OlCourse *course)
{
  guint kept = 0, faults = 0;
  for (guint i = 0; i < reading->faults->len; i++)
    faults += g_array_index(reading->faults, guint, i);
  if (reader->n_faults != faults || course->n_lessons != reading->faults->len)
    return FALSE;
  for (guint i = 0; i < course->n_lessons; i++) {
    if (g_array_index(reading->faults, guint, i) > 0)
      clear_lesson(&course->lessons[i]);
    else
      course->lessons[kept++] = course->lessons[i];
  }
  course->n_lessons = kept;
  return kept > 0;
}

/* left_out: gets what is wrong with lessons that are left out, a line each, else NULL; NULL: none
 * is left out. */
static OlCourse *parse(const char *text, gssize length, const char *where, const char *data_folder,
                       char **left_out, GError **error)
{
  gsize n = length < 0 ? strlen(text) : (gsize)length;
  JsonObject *root = NULL;
  g_autoptr(JsonParser) parser = ol_json_parse_object(text, (gssize)n, where, &root, error);
  if (parser == NULL)
    return NULL;
  g_autoptr(OlCourse) course = g_new0(OlCourse, 1);
  g_autoptr(GArray) faults = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autoptr(GError) wrong = NULL;
  Reading reading = {data_folder, faults};
  OlReader reader;
  ol_reader_init(&reader, where, text, n);
  read_course(&reader, root, &reading, course);
  gboolean usable = left_out != NULL && leave_out_faulty(&reader, &reading, course);
  if (ol_reader_end(&reader, &wrong))
    return g_steal_pointer(&course);
  if (usable) {
    *left_out = g_strdup(wrong->message);
    return g_steal_pointer(&course);
  }
  g_propagate_error(error, g_steal_pointer(&wrong));
  return NULL;
}

OlCourse *ol_course_parse(const char *text, gssize length, const char *where, GError **error)
{
  return parse(text, length, where, NULL, NULL, error);
}

static OlCourse *load(const char *path, const char *data_folder, char **left_out, GError **error)
{
  gsize length;
  g_autofree char *text = ol_json_read_file(path, &length, error);
  return text != NULL ? parse(text, (gssize)length, path, data_folder, left_out, error) : NULL;
}

OlCourse *ol_course_load(const char *path, GError **error)
{
  return load(path, NULL, NULL, error);
}

/* The names of the course files of a folder. NULL with an error when there is none. */
static GPtrArray *list_courses(const char *folder, GError **error)
{
  g_autoptr(GError) fault = NULL;
  g_autoptr(GPtrArray) names = ol_folder_list(folder, ".json", &fault);
  if (names != NULL && names->len > 0)
    return g_steal_pointer(&names);
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT, _("%s: no course found here (*.json)%s%s"),
              folder, fault != NULL ? ": " : "", fault != NULL ? fault->message : "");
  return NULL;
}

/* Refuses a course that repeats an id of `courses`: progress is kept by lesson id alone. */
static gboolean ids_are_new(GPtrArray *courses, const OlCourse *course, const char *path,
                            GError **error)
{
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *other = g_ptr_array_index(courses, i);
    if (g_str_equal(other->id, course->id)) {
      g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                  _("%s: id: another course is called “%s” already"), path, course->id);
      return FALSE;
    }
  }
  for (guint i = 0; i < course->n_lessons; i++) {
    const OlCourse *other = NULL;
    if (ol_courses_find(courses, course->lessons[i].id, &other) == NULL)
      continue;
    g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
                _("%s: lessons[%u].id: the course “%s” has a lesson “%s” already"), path, i,
                other->id, course->lessons[i].id);
    return FALSE;
  }
  return TRUE;
}

gboolean ol_courses_add(GPtrArray *courses, const char *folder, const char *name,
                        const char *data_folder, char **left_out, GError **error)
{
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_autoptr(OlCourse) course = load(path, data_folder, left_out, error);
  if (course == NULL || !ids_are_new(courses, course, path, error))
    return FALSE;
  g_ptr_array_add(courses, g_steal_pointer(&course));
  return TRUE;
}

GPtrArray *ol_courses_load(const char *data_folder, GError **error)
{
  g_autofree char *folder =
      g_build_filename(data_folder != NULL ? data_folder : ol_data_folder(), "courses", NULL);
  g_autoptr(GPtrArray) names = list_courses(folder, error);
  if (names == NULL)
    return NULL;
  g_autoptr(GPtrArray) courses = g_ptr_array_new_with_free_func((GDestroyNotify)ol_course_free);
  for (guint i = 0; i < names->len; i++)
    if (!ol_courses_add(courses, folder, g_ptr_array_index(names, i), data_folder, NULL, error))
      return NULL;
  return g_steal_pointer(&courses);
}

const OlLesson *ol_courses_find(GPtrArray *courses, const char *lesson_id, const OlCourse **course)
{
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *candidate = g_ptr_array_index(courses, i);
    for (guint j = 0; j < candidate->n_lessons; j++) {
      if (!g_str_equal(candidate->lessons[j].id, lesson_id))
        continue;
      if (course != NULL)
        *course = candidate;
      return &candidate->lessons[j];
    }
  }
  return NULL;
}

const OlOption *ol_options_find_right(const OlOption *options, guint n)
{
  guint i = 0;
  while (i + 1 < n && !options[i].right)
    i++;
  return &options[i];
}

const OlLessonRun *ol_lesson_find_run(const OlLesson *lesson, const char *name)
{
  for (guint i = 0; i < lesson->n_runs; i++)
    if (g_strcmp0(lesson->runs[i].name, name) == 0)
      return &lesson->runs[i];
  return NULL;
}
