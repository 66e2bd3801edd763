#include "tests/plan/rank-table.h"

#include <check.h>

#define MOST_VALUES 14
#define MOST_KEYS   5

/* What varies: each value is some assignments. Counts are 14, 4, 3, 3, 6 and 12. */
static const char *const table[][MOST_VALUES][MOST_KEYS] = {
    {{"parallel.data=2"},
     {"parallel.data=3"},
     {"parallel.data=8"},
     {"parallel.pipeline=2"},
     {"parallel.pipeline=4"},
     {"parallel.data=2", "parallel.pipeline=2"},
     {"parallel.data=3", "parallel.pipeline=2"},
     {"parallel.data=2", "parallel.pipeline=3"},
     {"parallel.data=4", "parallel.pipeline=2"},
     {"parallel.data=2", "parallel.pipeline=4"},
     {"parallel.tensor=2"},
     {"parallel.tensor=2", "parallel.data=3"},
     {"parallel.tensor=4", "parallel.pipeline=2"},
     {"parallel.tensor=2", "parallel.pipeline=2", "parallel.data=2"}},
    {{"parallel.zero=0"}, {"parallel.zero=1"}, {"parallel.zero=2"}, {"parallel.zero=3"}},
    {{"batch.micro_batches=1"}, {"batch.micro_batches=2"}, {"batch.micro_batches=5"}},
    /* The last needs micro-batches by the group: a row of another count takes this one. */
    {{"parallel.schedule=gpipe"},
     {"parallel.schedule=1f1b"},
     {"parallel.schedule=interleaved", "parallel.chunks=2", "batch.micro_batches=4",
      "model.layers=8"}},
    {{"placement.optimizer=gpu", "placement.gradients=gpu", "optimizer.runs_on=gpu"},
     {"placement.optimizer=host", "placement.gradients=gpu"},
     {"placement.optimizer=host", "placement.gradients=host"},
     {"placement.optimizer=nvme", "placement.gradients=host", "placement.weights=host"},
     {"placement.optimizer=nvme", "placement.gradients=gpu", "placement.weights=nvme",
      "optimizer.runs_on=gpu"},
     {"placement.optimizer=host", "placement.gradients=gpu", "optimizer.gpu_fraction=0.4"}},
    {{"name=plain"},
     {"overlap.prefetch=0"},
     {"overlap.prefetch=7"},
     {"overlap.write_back=false"},
     {"recompute=full"},
     {"recompute=selective", "placement.activations=host"},
     {"recompute=full", "placement.activations=host", "overlap.prefetch=1"},
     {"optimizer.clip_norm=1"},
     {"optimizer.delayed=true", "optimizer.clip_norm=1", "overlap.pinned=false"},
     {"overlap.order=alternate"},
     {"overlap.order=alternate", "optimizer.delayed=true"},
     {"precision=fp32", "optimizer.clip_norm=1"}},
};

/* No unit is a whole number of chunks, so there is padding. */
static const char *const small[] = {"model.layers=4",
                                    "model.width=40",
                                    "model.heads=4",
                                    "model.sequence=16",
                                    "model.vocabulary=50",
                                    "batch.micro_batch=2",
                                    "hardware.stands_for=null",
                                    NULL};

static guint count_values(guint key)
{
  guint n = 0;
  while (n < MOST_VALUES && table[key][n][0])
    n++;
  return n;
}

guint rank_table_size(void)
{
  guint size = 1;
  for (guint key = 0; key < G_N_ELEMENTS(table); key++)
    size *= count_values(key);
  return size;
}

guint rank_table_stride(guint stride)
{
  for (guint key = 0; key < G_N_ELEMENTS(table); key++)
    for (guint common = 2; common <= stride; common++)
      ck_assert_msg(stride % common != 0 || count_values(key) % common != 0,
                    "rows %u apart leave out values of key %u", stride, key);
  return g_getenv("OFFLOAD_LAB_LONG") ? 1 : stride;
}

static void add_all(GPtrArray *set, const char *const *more)
{
  for (guint i = 0; more && more[i]; i++)
    g_ptr_array_add(set, (gpointer)more[i]);
}

static void add_row(GPtrArray *set, guint i)
{
  for (guint key = 0; key < G_N_ELEMENTS(table); key++) {
    guint n = count_values(key);
    for (guint k = 0; k < MOST_KEYS && table[key][i % n][k]; k++)
      g_ptr_array_add(set, (gpointer)table[key][i % n][k]);
    i /= n;
  }
}

/* Takes the list. */
static OlRunConfig *dup_config(GPtrArray *set, char **words)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_ptr_array_add(set, NULL);
  OlRunConfig *config = ol_run_config_with_assignments(base, (const char *const *)set->pdata, NULL);
  *words = config ? g_strjoinv(" ", (char **)set->pdata) : NULL;
  g_ptr_array_unref(set);
  return config;
}

OlRunConfig *rank_table_dup_config(guint i, const char *const *more, char **words)
{
  GPtrArray *set = g_ptr_array_new();
  add_all(set, small);
  add_row(set, i);
  add_all(set, more);
  return dup_config(set, words);
}

static void open_plan(RankPlan *fixture)
{
  g_autoptr(GError) error = NULL;
  fixture->machine = ol_machine_new(fixture->config, NULL, &error);
  ck_assert_msg(fixture->machine != NULL, "%s", error ? error->message : "");
  fixture->plan = ol_plan_new(fixture->config, fixture->machine);
  ck_assert_msg(!fixture->plan->refusal.refused, "%s: no room", fixture->words);
}

gboolean rank_plan_open(RankPlan *fixture, guint i, const char *const *more)
{
  fixture->config = rank_table_dup_config(i, more, &fixture->words);
  if (fixture->config)
    open_plan(fixture);
  return fixture->config != NULL;
}

void rank_plan_open_set(RankPlan *fixture, const char *const *set)
{
  GPtrArray *all = g_ptr_array_new();
  add_all(all, set);
  fixture->config = dup_config(all, &fixture->words);
  ck_assert_ptr_nonnull(fixture->config);
  open_plan(fixture);
}

void rank_plan_close(RankPlan *fixture)
{
  ol_plan_free(fixture->plan);
  ol_machine_free(fixture->machine);
  ol_run_config_free(fixture->config);
  g_free(fixture->words);
}

gboolean rank_plan_computes(const OlPlan *plan, guint rank, guint unit)
{
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->rank == rank && node->op == OL_OP_FORWARD && node->unit == (int)unit)
      return TRUE;
  }
  return FALSE;
}

void rank_plan_units(const OlPlan *plan, guint rank, guint *first, guint *end)
{
  *first = plan->shape->n_units;
  *end = 0;
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->rank != rank || node->op != OL_OP_FORWARD)
      continue;
    *first = MIN(*first, (guint)node->unit);
    *end = MAX(*end, (guint)node->unit + 1);
  }
}

guint64 rank_plan_bytes(const OlPlan *plan)
{
  const OlGraph *graph = plan->graph;
  guint64 sum = 0;
  GArray *arrays[] = {graph->nodes,        graph->waits,   graph->buffers,
                      graph->buffer_lists, plan->operands, plan->operands_of};
  for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
    sum += (guint64)arrays[i]->len * g_array_get_element_size(arrays[i]);
  return sum + graph->buffers->len * sizeof(guint64) +
         graph->nodes->len * (sizeof(double) + 2 * sizeof(gint64));
}
