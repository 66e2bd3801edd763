/* Explanations that quote the learner's own runs. */
#include "lessons/experiment.h"

#include "lessons/quote.h"

typedef struct {
  const OlExperiment *experiment;
  gboolean complete;
} Filling;

static char *quote_run(const char *run, const char *metric, gpointer data)
{
  Filling *filling = data;
  char *words = run != NULL ? ol_experiment_dup_words(filling->experiment, run, metric) : NULL;
  if (words != NULL)
    return words;
  if (run == NULL)
    return NULL; /* a brace that quotes nothing stays */
  filling->complete = FALSE;
  return g_strdup("…");
}

char *ol_experiment_fill(const OlExperiment *experiment, const char *text, gboolean *complete)
{
  Filling filling = {experiment, TRUE};
  char *filled = ol_quotes_replace(text, quote_run, &filling);
  if (complete != NULL)
    *complete = filling.complete;
  return filled;
}
