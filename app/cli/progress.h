/* The table of offload-lab-cli progress. */
#pragma once

#include "app/cli/cli.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* Every lesson of the courses: what was answered first, whether it is done; the score of each
 * course, and what comes next. */
OlExit ol_progress_print_table(GPtrArray *courses, const OlProgress *progress);

G_END_DECLS
