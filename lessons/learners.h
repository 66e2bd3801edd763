/* Who learns on this computer: each learner's progress is a file of its own. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *name; /* NULL: the file cannot be used, so nobody knows whose it is */
  char *path;
} OlLearner;

/* The learner's name as it is kept: NULL is who is logged in, and nobody is "learner". Caller
 * frees.
 */
char *ol_learner_dup_name(const char *learner);
/* <user data>/offload-lab/progress-<learner>.json, the name made safe; two names never share a
 * file. Caller frees. */
char *ol_learner_dup_path(const char *learner);

/* Everybody who has a file, by name, those without one last: OlLearner, freed with the array. A
 * file is the learner's whom it names if it lies where that learner's would. */
GPtrArray *ol_learners_list(void);

G_END_DECLS
