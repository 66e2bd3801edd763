/* How sure a learner is of a prediction: asked in words, kept as a share (progress.h). */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { OL_SURE_GUESS, OL_SURE_FAIRLY, OL_SURE_CERTAIN, OL_N_SURENESSES } OlSureness;

/* Nearest in meaning to a share from 0 to 1. */
OlSureness ol_sureness_of(double sure);
/* What is kept when a learner says so: 0.25 (one of four choices, blindly), 0.7, 0.95. */
double ol_sureness_get_share(OlSureness sureness);
/* "A guess", "Fairly sure", "Certain". */
const char *ol_sureness_get_words(OlSureness sureness);

G_END_DECLS
