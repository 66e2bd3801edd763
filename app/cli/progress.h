/* The table of offload-lab-cli progress. */
#pragma once

#include "app/cli/cli.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* Every lesson of the courses: what was answered first, whether it is done; the score of each
 * course; over all of them how sure and how right, what to look at again, and the time spent; what
 * is due for review and what comes next. */
OlExit ol_progress_print_table(GPtrArray *courses, const OlProgress *progress);

G_END_DECLS
