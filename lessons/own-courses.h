/* Courses of the user's own: course files (contracts.md) in the user's data folder, beside those of
 * the lab. One that cannot be used never stands in the way of the others, nor does a lesson. */
#pragma once

#include "lessons/course.h"

G_BEGIN_DECLS

/* <user data>/offload-lab/courses. Caller frees. */
char *ol_own_courses_dup_folder(void);

/* Adds those that lie in `folder` (NULL: the user's), by their files' names, to the lab's. Recipes
 * are the lab's. Each that cannot be used, and each lesson of one, is left out, and `faults` (of
 * char *, may be NULL) gets why: with file, line and key path. A folder that is not there has none.
 */
void ol_own_courses_add(GPtrArray *courses, const char *folder, const char *data_folder,
                        GPtrArray *faults);

/* Those of the lab, and the user's own behind them. NULL with an error when the lab's cannot be
 * read. */
GPtrArray *ol_own_courses_load_all(const char *data_folder, GPtrArray *faults, GError **error);

G_END_DECLS
