#include "lessons/sureness.h"

#include "engine/base/intl.h"

static const struct {
  const char *words;
  double share;
  double least; /* from which on a share is called so */
} levels[OL_N_SURENESSES] = {
    [OL_SURE_GUESS] = {N_("A guess"), 0.25, 0},
    [OL_SURE_FAIRLY] = {N_("Fairly sure"), 0.7, 0.5},
    [OL_SURE_CERTAIN] = {N_("Certain"), 0.95, 0.85},
};

OlSureness ol_sureness_of(double sure)
{
  int level = OL_N_SURENESSES - 1;
  while (level > OL_SURE_GUESS && !(sure >= levels[level].least))
    level--;
  return (OlSureness)level;
}

double ol_sureness_get_share(OlSureness sureness)
{
  g_return_val_if_fail(sureness < OL_N_SURENESSES, 0);
  return levels[sureness].share;
}

const char *ol_sureness_get_words(OlSureness sureness)
{
  g_return_val_if_fail(sureness < OL_N_SURENESSES, "");
  return _(levels[sureness].words);
}
