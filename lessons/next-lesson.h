/* Which lesson a learner should take next, over all courses. */
#pragma once

#include "lessons/course.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* The first lesson after `after` (NULL: from the beginning) that the learner has not done, over all
 * courses in their order, and once round: what was left out earlier comes last. `after` itself is
 * never next. NULL when all others are done. Borrowed; `course` may be NULL. */
const OlLesson *ol_courses_find_next(GPtrArray *courses, const OlProgress *progress,
                                     const OlLesson *after, const OlCourse **course);

G_END_DECLS
