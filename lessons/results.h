/* What a learner has done in the courses, as a table for a teacher. */
#pragma once

#include "lessons/course.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* CSV (engine/base/csv.h) with a heading and a row a lesson, all courses in their order; what there
 * is nothing of is empty. An answer's letter is its option's place in the course file, which is the
 * same for every learner of a class, and not the place that this learner saw. No cell is taken for
 * a formula by a spreadsheet. Caller frees. */
char *ol_results_dup_csv(GPtrArray *courses, const OlProgress *progress);

/* Of one course: lessons answered, answered right the first time, and done. */
typedef struct {
  guint answered, first_right, done;
} OlScore;
OlScore ol_results_score(const OlCourse *course, const OlProgress *progress);

G_END_DECLS
