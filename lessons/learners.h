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
/* The learner of the list whom a person means who types this name: letters' case and spaces around
 * it do not count. Borrowed from the list, or NULL. */
const char *ol_learners_find(GPtrArray *learners, const char *typed);

typedef enum { OL_NAME_FINE, OL_NAME_EMPTY, OL_NAME_UNREADABLE } OlNameFault;
/* Whether it can be a learner's name: it needs a letter that is seen, and has no line breaks or
 * other control characters. */
OlNameFault ol_learner_check_name(const char *name);

/* The file lies where those of learners do: it is no place for anything else. */
gboolean ol_learner_owns_path(const char *path);

G_END_DECLS
