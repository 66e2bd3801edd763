/* The two ways of offload-lab-cli lesson: one for people, one that proves the courses. */
#pragma once

#include "app/cli/cli.h"
#include "lessons/course.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* Goal, prediction, runs, observations, question, and which lesson of `courses` comes next. Asks
 * only where standard input and output are a terminal; elsewhere it prints everything with the
 * explanations. */
OlExit ol_lesson_in_terminal(const OlLesson *lesson, GPtrArray *courses, OlProgress *progress);

/* The lessons with these ids, or of the courses with these ids, in that order. FALSE when one is
 * unknown, which is then told. */
gboolean ol_lessons_add_named(GPtrArray *courses, char **ids, int n, GPtrArray *lessons);

/* Runs a lesson's experiment and prints a line a claim. *holds is set to FALSE when a claim does
 * not hold, or is not false on its counter-run. */
gboolean ol_lesson_check(const OlLesson *lesson, gboolean *holds, GError **error);

G_END_DECLS
