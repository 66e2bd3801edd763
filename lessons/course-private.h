/* The parts of the course loader: each reads one part of a lesson and faults what is wrong there.
 * The lesson's runs come first: everything else names them. */
#pragma once

#include "lessons/course.h"
#include "lessons/reader.h"

G_BEGIN_DECLS

/* `data_folder` holds recipes/; NULL: ol_data_folder(). */
void ol_course_read_experiment(OlReader *reader, JsonObject *lesson_json, const char *data_folder,
                               OlLesson *lesson);
/* Reads a run's `deepspeed`: the name of a file in recipes/, or the recipe itself as an object. A
 * copy of `base` (which may be NULL) with the keys that the recipe means, and text and unused keys
 * in `run`. NULL when there was a fault, or no base. */
OlRunConfig *ol_course_read_recipe(OlReader *reader, JsonObject *run_json, const char *data_folder,
                                   const OlRunConfig *base, OlLessonRun *run);
void ol_course_read_prediction(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson);
void ol_course_read_observations(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson);
void ol_course_read_claims(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson);
void ol_course_read_question(OlReader *reader, JsonObject *lesson_json, OlLesson *lesson);

/* Fills in what an option leads to, where its file does not say. */
void ol_course_derive_show(const OlLesson *lesson, OlOption *option);

/* The run that `key` names, which must be one of the lesson's, or NULL. */
const OlLessonRun *ol_course_read_run(OlReader *reader, JsonObject *object, const char *key,
                                      const OlLesson *lesson, char **name);
/* A metric path, or a setting of that run ("config.model.layers"). */
char *ol_course_read_metric(OlReader *reader, JsonObject *object, const char *key, OlNeed need,
                            const OlLessonRun *run);
/* A text that may quote runs the learner can make. */
char *ol_course_read_quoting(OlReader *reader, JsonObject *object, const char *key,
                             const OlLesson *lesson);
/* Whether a metric or setting of this run is a text and not a number. */
gboolean ol_course_is_text(const char *metric, const OlLessonRun *run);

G_END_DECLS
