/* Whose progress a subcommand keeps, where several people learn on one computer. */
#pragma once

#include "engine/base/intl.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

/* name: char **, which the option fills. */
#define OL_LEARNER_OPTION(name)                                                                    \
  {                                                                                                \
    "learner", 'L', 0, G_OPTION_ARG_STRING, (name),                                                \
        N_("Whose progress it is (default: yours, by the name you are logged in with)"),           \
        N_("NAME")                                                                                 \
  }

/* FALSE, and it is told, when it can be nobody's name. NULL can: not given. */
gboolean ol_learner_check(const char *name);

/* The learner's progress; what is wrong with the file is told. Caller frees. */
OlProgress *ol_learner_progress(const char *name);

G_END_DECLS
