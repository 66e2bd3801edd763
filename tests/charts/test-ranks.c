/* The grid of ranks and the sliced matrices: who is where, in whose group, and holds what. */
#include "app/charts/ranks-layout.h"
#include "app/charts/slices-layout.h"
#include "tests/charts/rank-trace.h"
#include "tests/charts/views.h"
#include "tests/suite.h"

#include <string.h>

static const RankTraceOptions grids[] = {
    {2, 2, 2, 2, 1}, {1, 4, 1, 2, 1},  {4, 1, 1, 1, 1}, {1, 1, 4, 1, 1},  {2, 4, 1, 2, 1},
    {3, 1, 2, 1, 1}, {1, 2, 16, 1, 1}, {2, 1, 1, 1, 1}, {20, 1, 1, 1, 1}, {16, 2, 2, 1, 1},
};
#define N_GRIDS ((int)G_N_ELEMENTS(grids))

/* contracts.md: rank = (data · P + pipeline) · T + tensor. */
START_TEST(places_are_those_of_the_contract)
{
  const RankTraceOptions *grid = &grids[_i];
  g_autoptr(OlTrace) trace = rank_trace_new(grid);
  OlRanks ranks = ol_ranks_of_trace(trace);
  ck_assert(ranks.is_known);
  ck_assert_uint_eq(ranks.n, grid->data * grid->pipeline * grid->tensor);
  ck_assert_uint_eq(ranks.width, 128);
  for (guint d = 0; d < grid->data; d++)
    for (guint p = 0; p < grid->pipeline; p++)
      for (guint t = 0; t < grid->tensor; t++) {
        guint rank = (d * grid->pipeline + p) * grid->tensor + t;
        ck_assert_uint_eq(ol_ranks_place(&ranks, rank, OL_RANK_DATA), d);
        ck_assert_uint_eq(ol_ranks_place(&ranks, rank, OL_RANK_PIPELINE), p);
        ck_assert_uint_eq(ol_ranks_place(&ranks, rank, OL_RANK_TENSOR), t);
        ck_assert_uint_eq(ol_ranks_member(&ranks, rank, OL_RANK_DATA, 0), p * grid->tensor + t);
        ck_assert_uint_eq(ol_ranks_member(&ranks, rank, OL_RANK_TENSOR, grid->tensor - 1),
                          (d * grid->pipeline + p + 1) * grid->tensor - 1);
      }
}
END_TEST

/* A shared group is one place that differs, and no rank is in two groups of another. */
START_TEST(groups_differ_in_one_place)
{
  g_autoptr(OlTrace) trace = rank_trace_new(&grids[_i]);
  OlRanks ranks = ol_ranks_of_trace(trace);
  for (guint a = 0; a < ranks.n; a++)
    for (guint b = 0; b < ranks.n; b++) {
      int differing = -1;
      guint n = 0;
      for (int axis = 0; axis < OL_N_RANK_AXES; axis++)
        if (ol_ranks_place(&ranks, a, (OlRankAxis)axis) !=
            ol_ranks_place(&ranks, b, (OlRankAxis)axis)) {
          differing = axis;
          n++;
        }
      ck_assert_int_eq(ol_ranks_shared_axis(&ranks, a, b), n == 1 ? differing : -1);
    }
}
END_TEST

static void check_text(char *text, const char *expected)
{
  ck_assert_str_eq(text, expected);
  g_free(text);
}

START_TEST(names_tell_axes_longer_than_one)
{
  g_autoptr(OlTrace) three = rank_trace_new(&grids[0]), stages = rank_trace_new(&grids[1]);
  g_autoptr(OlTrace) many = rank_trace_new(&grids[8]),
                     unknown = sample_trace_new(&(SampleOptions){.ranks = 2});
  OlRanks ranks = ol_ranks_of_trace(three);
  check_text(ol_ranks_dup_name(&ranks, 5), "Rank 5 · data 1, stage 0, slice 1");
  check_text(ol_ranks_dup_group(&ranks, 5, OL_RANK_DATA), "ranks 1, 5");
  check_text(ol_ranks_dup_group(&ranks, 5, OL_RANK_PIPELINE), "ranks 5, 7");
  check_text(ol_ranks_dup_group(&ranks, 5, OL_RANK_TENSOR), "ranks 4, 5");
  ranks = ol_ranks_of_trace(stages);
  check_text(ol_ranks_dup_name(&ranks, 3), "Rank 3 · stage 3");
  ranks = ol_ranks_of_trace(many);
  check_text(ol_ranks_dup_group(&ranks, 0, OL_RANK_DATA), "ranks 0, 1, 2, 3, 4, 5 … 19");
  ranks = ol_ranks_of_trace(unknown); /* its config is of one rank */
  ck_assert(!ranks.is_known);
  check_text(ol_ranks_dup_name(&ranks, 1), "Rank 1");
  ck_assert_int_eq(ol_ranks_shared_axis(&ranks, 0, 1), -1);
}
END_TEST

/* At any width and text size: every cell is inside the chart, none lies on another, and each is
 * found in its middle. */
static void check_cells(const Scene *scene, double size, double width)
{
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, size, NULL);
  double height = ol_chart_height(OL_CHART_RANKS, &scene->view, style, width);
  g_autoptr(GArray) spots = ol_chart_spots(OL_CHART_RANKS, width, height, &scene->view, style);
  ck_assert_uint_eq(spots->len, scene->trace->graph->n_ranks);
  for (guint i = 0; i < spots->len; i++) {
    const OlChartSpot *spot = &g_array_index(spots, OlChartSpot, i);
    double x = spot->box.x + spot->box.width / 2, y = spot->box.y + spot->box.height / 2;
    ck_assert_uint_eq(spot->rank, i);
    ck_assert_int_eq(spot->on, i == scene->view.rank);
    ck_assert_double_ge(spot->box.x, 0);
    ck_assert_double_le(spot->box.x + spot->box.width, width);
    ck_assert_double_ge(spot->box.y, 0);
    ck_assert_double_le(spot->box.y + spot->box.height, height);
    OlChartHit hit = ol_chart_hit(OL_CHART_RANKS, x, y, width, height, &scene->view, style);
    ck_assert_int_eq(hit.rank, (int)i);
  }
  OlChartHit nothing = ol_chart_hit(OL_CHART_RANKS, 0.5, 0.5, width, height, &scene->view, style);
  ck_assert_int_eq(nothing.rank, -1);
  ol_chart_style_free(style);
}

START_TEST(cells_are_found_where_they_are)
{
  Scene scene = scene_new(rank_trace_new(&grids[_i]));
  scene.view.rank = scene.trace->graph->n_ranks - 1;
  for (double size = 9; size < 30; size += 7)
    for (double width = 26 * size; width < 100 * size; width += 9 * size)
      check_cells(&scene, size, width);
  scene_clear(&scene);
}
END_TEST

/* Arrow keys go where the cells are: one to the right begins where this one ends, one down lies
 * below, there and back leads home; and every rank but the first can be come to. */
START_TEST(arrows_follow_the_cells)
{
  Scene scene = scene_new(rank_trace_new(&grids[_i]));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  double height = ol_chart_height(OL_CHART_RANKS, &scene.view, style, 900);
  g_autoptr(GArray) spots = ol_chart_spots(OL_CHART_RANKS, 900, height, &scene.view, style);
  g_autofree gboolean *reached = g_new0(gboolean, spots->len);
  for (guint rank = 0; rank < spots->len; rank++) {
    const cairo_rectangle_t *from = &g_array_index(spots, OlChartSpot, rank).box;
    scene.view.rank = rank;
    int right = ol_chart_step_rank(&scene.view, 1, 0), down = ol_chart_step_rank(&scene.view, 0, 1);
    if (right >= 0) {
      const cairo_rectangle_t *to = &g_array_index(spots, OlChartSpot, right).box;
      ck_assert_double_eq(to->y, from->y);
      ck_assert_double_ge(to->x, from->x + from->width);
      scene.view.rank = (guint)right;
      ck_assert_int_eq(ol_chart_step_rank(&scene.view, -1, 0), (int)rank);
      reached[right] = TRUE;
    }
    if (down >= 0) {
      const cairo_rectangle_t *to = &g_array_index(spots, OlChartSpot, down).box;
      ck_assert_double_eq(to->x, from->x);
      ck_assert_double_ge(to->y, from->y + from->height);
      scene.view.rank = (guint)down;
      ck_assert_int_eq(ol_chart_step_rank(&scene.view, 0, -1), (int)rank);
      reached[down] = TRUE;
    }
  }
  scene.view.rank = 0;
  ck_assert_int_eq(ol_chart_step_rank(&scene.view, -1, 0), -1);
  ck_assert_int_eq(ol_chart_step_rank(&scene.view, 0, -1), -1);
  for (guint rank = 1; rank < spots->len; rank++)
    ck_assert(reached[rank]);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

START_TEST(one_rank_has_no_grid)
{
  Scene alone = scene_new(sample_trace_new(NULL)), empty = scene_new(NULL);
  Scene stages = scene_new(rank_trace_new(&grids[1])),
        slices = scene_new(rank_trace_new(&grids[3]));
  ck_assert(!ol_chart_is_there(OL_CHART_RANKS, &alone.view));
  ck_assert(!ol_chart_is_there(OL_CHART_RANKS, &empty.view));
  ck_assert(ol_chart_is_there(OL_CHART_RANKS, &stages.view));
  ck_assert(!ol_chart_is_there(OL_CHART_SLICES, &stages.view));
  ck_assert(ol_chart_is_there(OL_CHART_SLICES, &slices.view));
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 13, NULL);
  ck_assert_double_eq(ol_chart_height(OL_CHART_RANKS, &alone.view, style, 900), 0);
  ck_assert_double_eq(ol_chart_height(OL_CHART_SLICES, &stages.view, style, 900), 0);
  for (int chart = 0; chart < OL_N_CHARTS; chart++) {
    g_autoptr(GArray) spots = ol_chart_spots((OlChart)chart, 900, 400, &alone.view, style);
    for (guint i = 0; i < spots->len; i++) /* numbers alone */
      ck_assert_int_ne(g_array_index(spots, OlChartSpot, i).number.kind, OL_NUMBER_NONE);
  }
  ol_chart_style_free(style);
  scene_clear(&alone);
  scene_clear(&empty);
  scene_clear(&stages);
  scene_clear(&slices);
}
END_TEST

/* The slices of all ranks of the group make up each matrix, and none has what another has: of the
 * twelve widths squared of a block each holds one in t. */
START_TEST(slices_make_up_the_matrices)
{
  Scene scene = scene_new(rank_trace_new(&grids[_i]));
  guint t = grids[_i].tensor;
  guint64 held = 0;
  for (int m = 0; m < OL_N_MATRICES && t > 1; m++) {
    guint next = 0;
    for (guint slice = 0; slice < t; slice++) {
      OlSlicedMatrix matrix;
      scene.view.rank = slice;
      ol_sliced_matrix_init(&matrix, &scene.view, (OlMatrix)m);
      ck_assert_uint_eq(matrix.first, next);
      next = matrix.last + 1;
      held += (guint64)(matrix.last - matrix.first + 1) * matrix.bands *
              (matrix.by_rows ? matrix.columns : matrix.rows);
      if (slice + 1 == t)
        ck_assert_uint_eq(next * matrix.bands, matrix.by_rows ? matrix.rows : matrix.columns);
    }
  }
  if (t > 1)
    ck_assert_uint_eq(held, 12 * 128 * 128);
  scene_clear(&scene);
}
END_TEST

static OlSlicesLayout lay_out_slices(const Scene *scene, double em, double width, double *height)
{
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, em, NULL);
  OlCanvas canvas;
  OlSlicesLayout layout;
  ol_canvas_init(&canvas, NULL, &scene->view, style, width, 0);
  canvas.height = *height = ol_slices_layout_height(&canvas);
  ol_slices_layout_init(&layout, &canvas);
  ol_canvas_clear(&canvas);
  ol_chart_style_free(style);
  return layout;
}

/* To one scale, inside the chart, in one line or in two; parts tile their matrix. */
START_TEST(matrices_are_drawn_to_scale)
{
  const double em = 12;
  Scene scene = scene_new(rank_trace_new(&grids[3]));
  scene.view.rank = 1;
  for (double width = 38 * em; width < 110 * em; width += 3 * em) {
    double height, scale = 0;
    OlSlicesLayout layout = lay_out_slices(&scene, em, width, &height);
    for (int m = 0; m < OL_N_MATRICES; m++) {
      const OlMatrixPlace *place = &layout.matrices[m];
      double area = 0;
      scale = m == 0 ? place->box.width / place->matrix.columns : scale;
      ck_assert_double_eq_tol(place->box.width / place->matrix.columns, scale, 1e-9);
      ck_assert_double_eq_tol(place->box.height / place->matrix.rows, scale, 1e-9);
      ck_assert_double_ge(place->box.x, 0);
      ck_assert_double_le(place->box.x + place->box.width, width);
      ck_assert_double_le(place->caption_y + 3 * layout.line, height);
      for (guint band = 0; band < place->matrix.bands; band++)
        for (guint slice = 0; slice < place->matrix.slices; slice++) {
          OlBox part = ol_slices_layout_part(&layout, (OlMatrix)m, band, slice);
          area += part.width * part.height;
        }
      ck_assert_double_eq_tol(area, place->box.width * place->box.height, 1e-6);
    }
    for (guint half = 0; half < OL_N_SUMS; half++)
      ck_assert_double_le(layout.sum_x[half] + layout.sum_radius, width);
    ck_assert_double_le(layout.note.y + layout.note.height, height);
  }
  scene_clear(&scene);
}
END_TEST

START_TEST(slices_say_what_is_held)
{
  Scene scene = scene_new(rank_trace_new(&(RankTraceOptions){1, 1, 2, 1, 1}));
  static const char *const held[] = {"1/2: rows 64–127 of q, k, v", "1/2: columns 64–127",
                                     "1/2: rows 256–511", "1/2: columns 256–511"};
  scene.view.rank = 1;
  for (int m = 0; m < OL_N_MATRICES; m++) {
    OlSlicedMatrix matrix;
    ol_sliced_matrix_init(&matrix, &scene.view, (OlMatrix)m);
    check_text(ol_sliced_matrix_dup_held(&matrix), held[m]);
  }
  g_autofree char *words = ol_chart_dup_description(OL_CHART_SLICES, &scene.view);
  ck_assert_ptr_nonnull(strstr(words, "expand, 512 by 128, 1/2: rows 256–511"));
  /* Pressing the other slice's part says whose it is. */
  OlChartStyle *style = ol_chart_style_new(OL_LOOK_LIGHT, FALSE, 12, NULL);
  double height;
  OlSlicesLayout layout = lay_out_slices(&scene, 12, 900, &height);
  OlBox part = ol_slices_layout_part(&layout, OL_MATRIX_CONTRACT, 0, 0);
  OlChartHit hit = ol_chart_hit(OL_CHART_SLICES, part.x + part.width / 2, part.y + part.height / 2,
                                900, height, &scene.view, style);
  ck_assert_int_eq(hit.rank, 0);
  ck_assert_int_eq(hit.payload, OL_PAYLOAD_WEIGHTS);
  ol_chart_style_free(style);
  scene_clear(&scene);
}
END_TEST

START_TEST(description_names_the_groups)
{
  Scene scene = scene_new(rank_trace_new(&grids[0]));
  scene.view.rank = 3;
  g_autofree char *words = ol_chart_dup_description(OL_CHART_RANKS, &scene.view);
  ck_assert_ptr_nonnull(
      strstr(words, "Rank 3 · data 0, stage 1, slice 1 is selected, of 8 ranks."));
  ck_assert_ptr_nonnull(strstr(words, "data group: ranks 3, 7, which sum gradients."));
  ck_assert_ptr_nonnull(strstr(words, "stages of its pipeline: ranks 1, 3"));
  ck_assert_ptr_nonnull(strstr(words, "tensor group: ranks 2, 3"));
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("ranks");
  tcase_set_timeout(cases, 60);
  tcase_add_loop_test(cases, places_are_those_of_the_contract, 0, N_GRIDS);
  tcase_add_loop_test(cases, groups_differ_in_one_place, 0, N_GRIDS);
  tcase_add_test(cases, names_tell_axes_longer_than_one);
  tcase_add_loop_test(cases, cells_are_found_where_they_are, 0, N_GRIDS);
  tcase_add_loop_test(cases, arrows_follow_the_cells, 0, N_GRIDS);
  tcase_add_test(cases, one_rank_has_no_grid);
  tcase_add_loop_test(cases, slices_make_up_the_matrices, 0, N_GRIDS);
  tcase_add_test(cases, matrices_are_drawn_to_scale);
  tcase_add_test(cases, slices_say_what_is_held);
  tcase_add_test(cases, description_names_the_groups);
  return run_suite("ranks", cases);
}
