/* Closed forms held against the papers' tables, and every plan against the closed forms. */
#include "tests/plan/rank-table.h"
#include "tests/suite.h"

#include "engine/plan/estimate.h"

#include <math.h>
#include <stdio.h>

/* ---- the papers ---- */

/* 1910.02054 table 1, unrounded: GB a device at stages 1, 2 and 3. */
START_TEST(test_zero_table)
{
  static const double billions[] = {7.5, 128, 1000};
  static const struct {
    guint ranks;
    double gb[3][3]; /* [model][stage - 1] */
  } rows[] = {
      {1, {{120, 120, 120}, {2048, 2048, 2048}, {16000, 16000, 16000}}},
      {4, {{52.5, 41.25, 30}, {896, 704, 512}, {7000, 5500, 4000}}},
      {16, {{35.625, 21.5625, 7.5}, {608, 368, 128}, {4750, 2875, 1000}}},
      {64, {{31.40625, 16.640625, 1.875}, {536, 284, 32}, {4187.5, 2218.75, 250}}},
      {256, {{30.3515625, 15.41015625, 0.46875}, {518, 263, 8}, {4046.875, 2054.6875, 62.5}}},
      {1024,
       {{30.087890625, 15.1025390625, 0.1171875},
        {513.5, 257.75, 2},
        {4011.71875, 2013.671875, 15.625}}},
  };
  for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
    for (guint model = 0; model < 3; model++) {
      double whole = ol_estimate_zero_bytes(billions[model] * 1e9, rows[i].ranks, 0);
      ck_assert_double_eq(whole, 16e9 * billions[model]);
      for (guint stage = 1; stage <= 3; stage++) {
        double bytes = ol_estimate_zero_bytes(billions[model] * 1e9, rows[i].ranks, stage);
        ck_assert_msg(bytes == 1e9 * rows[i].gb[model][stage - 1],
                      "%u ranks, %g B, stage %u: %.17g", rows[i].ranks, billions[model], stage,
                      bytes);
      }
    }
}
END_TEST

/* 1910.02054 section 7: twice the parameters, three times at stage 3, for many ranks. */
START_TEST(test_zero_traffic)
{
  static const double elements[] = {2, 2, 2, 3};
  for (guint zero = 0; zero < 4; zero++) {
    ck_assert_double_eq(ol_estimate_zero_traffic(1e9, 1, zero), 0);
    ck_assert_double_eq(ol_estimate_zero_traffic(1e9, 4, zero), 0.75e9 * elements[zero]);
    ck_assert_double_eq_tol(ol_estimate_zero_traffic(1, 1024, zero), elements[zero], 0.003);
  }
}
END_TEST

/* Idle over wall time, from 2104.04473's idle over ideal r: r / (1 + r). */
START_TEST(test_bubble)
{
  for (guint p = 1; p <= 8; p++)
    for (guint m = 1; m <= 32; m *= 2)
      for (guint v = 1; v <= 2; v++) {
        double over_ideal = (double)(p - 1) / (v * m);
        ck_assert_double_eq_tol(ol_estimate_bubble(p, m, v), over_ideal / (1 + over_ideal), 1e-12);
      }
  ck_assert_double_eq_tol(ol_estimate_bubble(4, 8, 1), 3.0 / 11, 1e-12);
}
END_TEST

/* ---- a config and the papers ---- */

static OlRunConfig *big_config(guint ranks, guint zero)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  g_autofree char *data = g_strdup_printf("parallel.data=%u", ranks);
  g_autofree char *stage = g_strdup_printf("parallel.zero=%u", zero);
  /* 12 · 40 · 3952² is 7.50 B. */
  const char *const set[] = {"model.layers=40",
                             "model.width=3952",
                             "model.heads=16",
                             "placement.optimizer=gpu",
                             "placement.gradients=gpu",
                             "optimizer.runs_on=gpu",
                             "hardware.stands_for=null",
                             data,
                             stage,
                             NULL};
  OlRunConfig *config = ol_run_config_with_assignments(base, set, &error);
  ck_assert_msg(config != NULL, "%s", error ? error->message : "");
  return config;
}

/* A real model's bytes differ from the formula's by the padding of its shards alone. */
START_TEST(test_a_big_model)
{
  static const guint ranks[] = {1, 4, 16, 64, 256, 1024};
  for (guint i = 0; i < G_N_ELEMENTS(ranks); i++)
    for (guint zero = 0; zero < 4; zero++) {
      g_autoptr(OlRunConfig) config = big_config(ranks[i], zero);
      g_autoptr(OlShape) shape = ol_shape_new(config);
      OlEstimate estimate = ol_estimate(config, 0);
      double bytes = 0, padding = 0;
      for (guint payload = 0; payload < OL_PAYLOAD_ACTIVATIONS; payload++) {
        bytes += (double)estimate.home[OL_TIER_GPU][payload];
        padding += (double)estimate.padding[OL_TIER_GPU][payload];
      }
      double formula = ol_estimate_zero_bytes((double)shape->parameters, ranks[i], zero);
      /* The first rank's part is a whole number of chunks: at most one more in each unit. */
      double most = 16.0 * OL_SHARD_ALIGNMENT * shape->n_units;
      ck_assert_double_eq(padding, 0);
      ck_assert_double_ge(bytes, formula);
      ck_assert_double_le(bytes - formula, most);
      double traffic = (double)estimate.data / 2;
      ck_assert_double_eq_tol(traffic,
                              ol_estimate_zero_traffic((double)shape->parameters, ranks[i], zero),
                              (double)ranks[i] * OL_SHARD_ALIGNMENT * shape->n_units);
    }
}
END_TEST

/* ---- the plan ---- */

static void hold_homes(const RankPlan *f, guint rank, const OlEstimate *estimate)
{
  guint64 home[OL_N_TIERS][OL_N_PAYLOADS] = {{0}};
  for (guint i = 0; i < f->plan->graph->buffers->len; i++) {
    const OlGraphBuffer *buffer = ol_graph_buffer(f->plan->graph, i);
    if (buffer->rank == rank && buffer->kind == OL_BUFFER_HOME)
      home[buffer->tier][buffer->payload] += buffer->bytes;
  }
  for (guint tier = 0; tier < OL_N_TIERS; tier++)
    for (guint payload = 0; payload < OL_N_PAYLOADS; payload++)
      ck_assert_msg(home[tier][payload] == estimate->home[tier][payload],
                    "%s: rank %u has %" G_GUINT64_FORMAT
                    " of %s at home on %s, not %" G_GUINT64_FORMAT,
                    f->words, rank, home[tier][payload], ol_payload_nick(payload),
                    ol_tier_nick(tier), estimate->home[tier][payload]);
}

typedef struct {
  guint64 data, stages, slices, norms;
} Traffic;

/* Over the peer lane in an even step; an odd one does the same. */
static Traffic planned_traffic(const OlPlan *plan, guint rank)
{
  Traffic traffic = {0};
  for (guint i = 0; i < plan->graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(plan->graph, i);
    if (node->rank != rank || node->lane != OL_LANE_PEER || !ol_graph_node_is_in_step(node, 0))
      continue;
    if (node->op == OL_OP_SEND || node->op == OL_OP_RECEIVE)
      traffic.stages += node->bytes;
    else if (node->group == OL_GROUP_TENSOR)
      traffic.slices += node->bytes;
    else if (ol_plan_operands(plan, i).buffer[OL_OPERAND_NORMS] != OL_NONE)
      traffic.norms += node->bytes;
    else
      traffic.data += node->bytes;
  }
  return traffic;
}

static void hold_traffic(const RankPlan *f, guint rank, const OlEstimate *estimate)
{
  Traffic planned = planned_traffic(f->plan, rank);
  ck_assert_msg(planned.data == estimate->data && planned.stages == estimate->stages &&
                    planned.slices == estimate->slices && planned.norms == estimate->norms,
                "%s: rank %u, data %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                ", stages %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT ", slices %" G_GUINT64_FORMAT
                " of %" G_GUINT64_FORMAT ", norms %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT,
                f->words, rank, planned.data, estimate->data, planned.stages, estimate->stages,
                planned.slices, estimate->slices, planned.norms, estimate->norms);
}

/* The most that is held just after the last forward of a chunk, in transients: what is kept. */
static guint64 planned_kept(const OlPlan *plan, guint rank)
{
  const OlGraph *graph = plan->graph;
  guint64 now = 0, most = 0;
  g_autofree gboolean *computes = g_new0(gboolean, plan->shape->n_units + 1);
  for (guint u = 0; u < plan->shape->n_units; u++)
    computes[u] = rank_plan_computes(plan, rank, u);
  for (guint i = 0; i < graph->nodes->len; i++) {
    const OlGraphNode *node = ol_graph_node(graph, i);
    if (node->rank != rank)
      continue;
    for (guint k = 0; k < node->acquires.n; k++) {
      const OlGraphBuffer *buffer =
          ol_graph_buffer(graph, ol_graph_buffer_list(graph, node->acquires)[k]);
      now += buffer->payload == OL_PAYLOAD_ACTIVATIONS ? buffer->bytes : 0;
    }
    for (guint k = 0; k < node->releases.n; k++) {
      const OlGraphBuffer *buffer =
          ol_graph_buffer(graph, ol_graph_buffer_list(graph, node->releases)[k]);
      now -= buffer->payload == OL_PAYLOAD_ACTIVATIONS ? buffer->bytes : 0;
    }
    gboolean whole = node->piece == OL_PIECE_WHOLE || node->piece == OL_PIECE_JOIN;
    if (node->op == OL_OP_FORWARD && whole && !computes[node->unit + 1])
      most = MAX(most, now);
  }
  return most;
}

static void hold_kept(const RankPlan *f, guint rank, const OlEstimate *estimate)
{
  guint64 planned = planned_kept(f->plan, rank);
  ck_assert_msg(planned == estimate->kept,
                "%s: rank %u keeps %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, f->words, rank,
                planned, estimate->kept);
}

static void hold_all(const RankPlan *f)
{
  for (guint rank = 0; rank < f->plan->graph->n_ranks; rank++) {
    OlEstimate estimate = ol_estimate(f->config, rank);
    hold_homes(f, rank, &estimate);
    hold_traffic(f, rank, &estimate);
    hold_kept(f, rank, &estimate);
  }
}

START_TEST(test_plans)
{
  guint held = 0;
  for (guint i = 0; i < rank_table_size(); i += rank_table_stride(11)) {
    RankPlan f;
    if (!rank_plan_open(&f, i, NULL))
      continue;
    hold_all(&f);
    rank_plan_close(&f);
    held++;
  }
  printf("held for %u plans\n", held);
  ck_assert_uint_gt(held, 500);
}
END_TEST

/* Units that are not alike, in chunks of unlike size; each grid with another of these. */
START_TEST(test_interleaved_plans)
{
  static const char *const rows[][5] = {
      {"recompute=full", "placement.activations=host"},
      {"parallel.data=2", "parallel.zero=3", "optimizer.clip_norm=1"},
      {"recompute=selective", "placement.activations=host", "overlap.prefetch=0"},
      {"optimizer.gpu_fraction=0.3", "overlap.prefetch=1"},
      {"recompute=full", "placement.gradients=host", "parallel.data=2", "parallel.zero=2"},
      {"placement.optimizer=nvme", "overlap.order=alternate", "model.vocabulary=400"},
      {"optimizer.delayed=true", "optimizer.clip_norm=1", "placement.activations=host"},
  };
  guint row = 0;
  for (guint ranks = 2; ranks <= 5; ranks++)
    for (guint chunks = 2; chunks <= 4; chunks++)
      for (guint groups = 1; groups <= 4; groups++) {
        g_autofree char *pipeline = g_strdup_printf("parallel.pipeline=%u", ranks);
        g_autofree char *v = g_strdup_printf("parallel.chunks=%u", chunks);
        g_autofree char *m = g_strdup_printf("batch.micro_batches=%u", groups * ranks);
        const char *set[16] = {"model.layers=22",
                               "model.width=32",
                               "model.heads=2",
                               "model.sequence=16",
                               "model.vocabulary=100",
                               "hardware.stands_for=null",
                               pipeline,
                               v,
                               m,
                               "parallel.schedule=interleaved"};
        for (guint n = 10, k = 0; k < 5 && rows[row][k]; k++)
          set[n++] = rows[row][k];
        row = (row + 1) % G_N_ELEMENTS(rows);
        RankPlan f;
        rank_plan_open_set(&f, set);
        hold_all(&f);
        rank_plan_close(&f);
      }
}
END_TEST

/* 2104.04473 section 2.2: v times the messages, but for the two ends of the model. */
START_TEST(test_interleaved_traffic)
{
  for (guint chunks = 2; chunks <= 4; chunks++) {
    g_autofree char *v = g_strdup_printf("parallel.chunks=%u", chunks);
    RankPlan f;
    rank_plan_open_set(&f, (const char *const[]){
                               "model.layers=12", "model.width=40", "model.heads=2",
                               "model.sequence=16", "batch.micro_batch=3", "batch.micro_batches=6",
                               "parallel.pipeline=3", "parallel.schedule=interleaved", v, NULL});
    const guint64 boundary = 2 * 3 * 16 * 40;
    ck_assert_uint_eq(planned_traffic(f.plan, 0).stages, (2 * chunks - 1) * 6 * boundary);
    ck_assert_uint_eq(planned_traffic(f.plan, 1).stages, 2 * chunks * 6 * boundary);
    ck_assert_uint_eq(planned_traffic(f.plan, 2).stages, (2 * chunks - 1) * 6 * boundary);
    rank_plan_close(&f);
  }
}
END_TEST

/* Padding counted apart: what is left are the elements themselves, once over all ranks. */
START_TEST(test_shards_are_the_whole)
{
  for (guint zero = 1; zero < 4; zero++) {
    g_autofree char *stage = g_strdup_printf("parallel.zero=%u", zero);
    RankPlan f;
    rank_plan_open_set(&f, (const char *const[]){"model.layers=3", "model.width=40",
                                                 "model.heads=2", "parallel.data=8", stage, NULL});
    guint64 states = 0, padding = 0;
    for (guint rank = 0; rank < 8; rank++) {
      OlEstimate estimate = ol_estimate(f.config, rank);
      states += estimate.home[OL_TIER_HOST][OL_PAYLOAD_MASTER];
      padding += estimate.padding[OL_TIER_HOST][OL_PAYLOAD_MASTER];
    }
    ck_assert_uint_gt(padding, 0);
    ck_assert_uint_eq(states - padding, 4 * f.plan->shape->parameters);
    rank_plan_close(&f);
  }
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("estimate");
  tcase_set_timeout(tests, 600);
  tcase_add_test(tests, test_zero_table);
  tcase_add_test(tests, test_zero_traffic);
  tcase_add_test(tests, test_bubble);
  tcase_add_test(tests, test_a_big_model);
  tcase_add_test(tests, test_shards_are_the_whole);
  tcase_add_test(tests, test_plans);
  tcase_add_test(tests, test_interleaved_plans);
  tcase_add_test(tests, test_interleaved_traffic);
  return run_suite("estimate", tests);
}
