#include "app/charts/ranks.h"

#include "engine/base/intl.h"
#include "engine/config/run-config.h"

/* A group longer than this is told by its first ranks and its last. */
#define MOST_NAMED 8

static const struct {
  const char *place, *group, *work;
} axes[OL_N_RANK_AXES] = {
    [OL_RANK_DATA] = {N_("data"), N_("data group"), N_("sum gradients")},
    [OL_RANK_PIPELINE] = {N_("stage"), N_("stages of its pipeline"), N_("pass activations on")},
    [OL_RANK_TENSOR] = {N_("slice"), N_("tensor group"), N_("add up partial products")},
};

OlRanks ol_ranks_of_trace(const OlTrace *trace)
{
  OlRanks ranks = {.n = MAX(trace->graph->n_ranks, 1)};
  g_autoptr(OlRunConfig) config =
      trace->header.config != NULL
          ? ol_run_config_parse(trace->header.config, -1, "the trace's config", NULL)
          : NULL;
  if (config != NULL) {
    ranks.width = config->model.width;
    ranks.steps = config->steps;
    ranks.lengths[OL_RANK_DATA] = config->parallel.data;
    ranks.lengths[OL_RANK_PIPELINE] = config->parallel.pipeline;
    ranks.lengths[OL_RANK_TENSOR] = config->parallel.tensor;
    ranks.is_known =
        (guint64)config->parallel.data * config->parallel.pipeline * config->parallel.tensor ==
        ranks.n;
  }
  if (!ranks.is_known) {
    ranks.lengths[OL_RANK_DATA] = ranks.n;
    ranks.lengths[OL_RANK_PIPELINE] = ranks.lengths[OL_RANK_TENSOR] = 1;
  }
  return ranks;
}

/* Ranks from one place on the axis to the next. */
static guint stride(const OlRanks *ranks, OlRankAxis axis)
{
  guint ranks_apart = 1;
  for (guint i = axis + 1; i < OL_N_RANK_AXES; i++)
    ranks_apart *= ranks->lengths[i];
  return ranks_apart;
}

guint ol_ranks_place(const OlRanks *ranks, guint rank, OlRankAxis axis)
{
  return rank / stride(ranks, axis) % ranks->lengths[axis];
}

guint ol_ranks_member(const OlRanks *ranks, guint rank, OlRankAxis axis, guint place)
{
  return rank - ol_ranks_place(ranks, rank, axis) * stride(ranks, axis) +
         place * stride(ranks, axis);
}

int ol_ranks_shared_axis(const OlRanks *ranks, guint rank, guint other)
{
  int shared = -1;
  for (int axis = 0; axis < OL_N_RANK_AXES; axis++) {
    if (ol_ranks_place(ranks, rank, (OlRankAxis)axis) ==
        ol_ranks_place(ranks, other, (OlRankAxis)axis))
      continue;
    if (shared >= 0)
      return -1;
    shared = axis;
  }
  return ranks->is_known ? shared : -1;
}

char *ol_ranks_dup_name(const OlRanks *ranks, guint rank)
{
  GString *name = g_string_new(NULL);
  const char *before = " · ";
  g_string_printf(name, _("Rank %u"), rank);
  for (int axis = 0; axis < OL_N_RANK_AXES && ranks->is_known; axis++) {
    if (ranks->lengths[axis] <= 1)
      continue;
    g_string_append_printf(name, "%s%s %u", before, _(axes[axis].place),
                           ol_ranks_place(ranks, rank, (OlRankAxis)axis));
    before = ", ";
  }
  return g_string_free(name, FALSE);
}

char *ol_ranks_dup_group(const OlRanks *ranks, guint rank, OlRankAxis axis)
{
  guint n = ranks->lengths[axis];
  GString *text = g_string_new(n == 1 ? _("rank") : _("ranks"));
  for (guint i = 0; i < n; i++) {
    if (n > MOST_NAMED && i == MOST_NAMED - 2) {
      g_string_append(text, " …");
      i = n - 1;
    } else if (i > 0) {
      g_string_append_c(text, ',');
    }
    g_string_append_printf(text, " %u", ol_ranks_member(ranks, rank, axis, i));
  }
  return g_string_free(text, FALSE);
}

const char *ol_rank_axis_place(OlRankAxis axis)
{
  return _(axes[axis].place);
}

const char *ol_rank_axis_group(OlRankAxis axis)
{
  return _(axes[axis].group);
}

const char *ol_rank_axis_work(OlRankAxis axis)
{
  return _(axes[axis].work);
}
