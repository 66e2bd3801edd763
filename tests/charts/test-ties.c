/* What belongs to a selection, told apart on paper: waits, buffers and their places in a layer; the
 * node that comes next; queues; held time; and the way back through ranges. */
#include "app/charts/chart-text.h"
#include "app/charts/held-time.h"
#include "app/charts/held.h"
#include "app/charts/next-node.h"
#include "app/charts/queue.h"
#include "app/charts/ties.h"
#include "app/charts/view-history.h"
#include "tests/charts/views.h"
#include "tests/suite.h"
#include "tests/trace/hand-trace.h"

#include <string.h>

/* Three blocks of activations: a below b below c; a goes first, then c, then b. */
typedef struct {
  Scene scene;
  guint a, b, c;
} Stack;

static Stack make_stack(void)
{
  OlGraph *graph = ol_graph_new(1);
  Stack stack = {
      .a = hand_buffer(graph, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 100)};
  stack.b = hand_buffer(graph, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 30);
  stack.c = hand_buffer(graph, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 5);
  OlTrace *trace = hand_trace(graph);
  hand_change(trace, 0, stack.a, 100);
  hand_change(trace, 10, stack.b, 30);
  hand_change(trace, 20, stack.c, 5);
  hand_change(trace, 30, stack.a, -100);
  hand_change(trace, 40, stack.c, -5);
  hand_change(trace, 50, stack.b, -30);
  hand_change(trace, 60, stack.b, 30); /* once more */
  stack.scene = scene_new(trace);
  return stack;
}

static void check_at(const Stack *stack, gint64 ms, gint64 offset, guint buffer, gint64 begin_ms,
                     gint64 end_ms)
{
  OlHeld held;
  ck_assert(
      ol_held_at(&stack->scene.view, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, ms * MS, offset, &held));
  ck_assert_uint_eq(held.buffer, buffer);
  ck_assert_int_eq(held.begin_ns, begin_ms * MS);
  ck_assert_int_eq(held.end_ns, end_ms < 0 ? G_MAXINT64 : end_ms * MS);
}

START_TEST(buffers_lie_in_the_order_of_acquiring)
{
  Stack stack = make_stack();
  OlHeld held;
  check_at(&stack, 25, 0, stack.a, 0, 30);
  check_at(&stack, 25, 99, stack.a, 0, 30);
  check_at(&stack, 25, 100, stack.b, 10, 50);
  check_at(&stack, 25, 132, stack.c, 20, 40);
  check_at(&stack, 35, 0, stack.b, 10, 50); /* slid down */
  check_at(&stack, 70, 12, stack.b, 60, -1);
  ck_assert(!ol_held_at(&stack.scene.view, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, 55 * MS, 0, &held));
  ck_assert(
      !ol_held_at(&stack.scene.view, OL_TIER_HOST, OL_PAYLOAD_ACTIVATIONS, 25 * MS, 0, &held));
  scene_clear(&stack.scene);
}
END_TEST

START_TEST(a_buffer_slides_down_when_one_below_goes)
{
  Stack stack = make_stack();
  OlHeld held;
  ck_assert(ol_held_find(stack.scene.trace, stack.b, 45 * MS, &held));
  g_autoptr(GArray) pieces = ol_held_pieces_new(stack.scene.trace, &held);
  ck_assert_uint_eq(pieces->len, 2);
  const OlHeldPiece *high = &g_array_index(pieces, OlHeldPiece, 0), *low = high + 1;
  ck_assert_int_eq(high->begin_ns, 10 * MS);
  ck_assert_int_eq(high->end_ns, 30 * MS);
  ck_assert_int_eq(high->offset, 100);
  ck_assert_int_eq(low->end_ns, 50 * MS);
  ck_assert_int_eq(low->offset, 0);
  ck_assert(!ol_held_find(stack.scene.trace, stack.b, 5 * MS, &held));
  scene_clear(&stack.scene);
}
END_TEST

START_TEST(neighbours_come_in_the_order_of_acquiring)
{
  Stack stack = make_stack();
  OlHeld held, other;
  ck_assert(ol_held_find(stack.scene.trace, stack.b, 15 * MS, &held));
  ck_assert(ol_held_neighbour(stack.scene.trace, &held, 1, &other));
  ck_assert_uint_eq(other.buffer, stack.c);
  ck_assert(ol_held_neighbour(stack.scene.trace, &held, -1, &other));
  ck_assert_uint_eq(other.buffer, stack.a);
  ck_assert_int_eq(other.end_ns, 30 * MS);
  held = other;
  ck_assert(!ol_held_neighbour(stack.scene.trace, &held, -1, &other));
  ck_assert(ol_held_find(stack.scene.trace, stack.b, 65 * MS, &held));
  ck_assert(!ol_held_neighbour(stack.scene.trace, &held, 1, &other));
  scene_clear(&stack.scene);
}
END_TEST

/* Every tie of every span of a made-up run, by looking at everything. */
START_TEST(ties_of_spans_are_those_of_the_graph)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 3}));
  const OlTrace *trace = scene.trace;
  for (guint s = 0; s < trace->spans->len; s++) {
    const OlSpan *span = ol_trace_span(trace, s);
    const OlGraphNode *node = ol_graph_node(trace->graph, span->node);
    const OlWait *waits = ol_graph_waits(trace->graph, node->waits);
    g_autoptr(OlTies) ties = ol_ties_new_of_span(&scene.view, (int)s);
    guint expected = 0;
    for (guint o = 0; o < trace->spans->len; o++)
      for (guint i = 0; i < node->waits.n; i++)
        expected += ol_trace_span(trace, o)->node == waits[i].node &&
                    ol_trace_span(trace, o)->step + (int)waits[i].steps_back == span->step;
    ck_assert_uint_eq(ties->waits->len, expected);
    for (guint i = 0; i < ties->waiters->len; i++) { /* both ways */
      guint waiter = g_array_index(ties->waiters, guint, i);
      g_autoptr(OlTies) back = ol_ties_new_of_span(&scene.view, (int)waiter);
      gboolean found = FALSE;
      for (guint j = 0; j < back->waits->len; j++)
        found = found || g_array_index(back->waits, guint, j) == s;
      ck_assert(found);
    }
  }
  scene_clear(&scene);
}
END_TEST

/* From a buffer to the spans that made and freed it, and back to the buffer. */
START_TEST(a_layer_knows_who_made_and_freed_it)
{
  Scene scene = scene_new(sample_trace_new(&(SampleOptions){.steps = 2}));
  const OlTrace *trace = scene.trace;
  guint seen = 0;
  for (guint s = 0; s < trace->spans->len; s++) {
    const OlGraphNode *node = ol_graph_node(trace->graph, ol_trace_span(trace, s)->node);
    if (node->acquires.n == 0)
      continue;
    OlHeld held;
    guint buffer = ol_graph_buffer_list(trace->graph, node->acquires)[0];
    gint64 begin_ns = ol_trace_span(trace, s)->begin_ns;
    ck_assert(ol_held_find(trace, buffer, begin_ns, &held));
    g_autoptr(OlTies) ties = ol_ties_new_of_layer(&scene.view, &held, begin_ns);
    ck_assert_int_eq(ties->made, (int)s);
    if (ties->freed >= 0) {
      g_autoptr(OlTies) of_span = ol_ties_new_of_span(&scene.view, ties->freed);
      gboolean found = FALSE;
      for (guint i = 0; i < of_span->held->len; i++)
        found = found || g_array_index(of_span->held, OlHeld, i).buffer == buffer;
      ck_assert(found);
    }
    seen++;
  }
  ck_assert_uint_gt(seen, 4);
  scene_clear(&scene);
}
END_TEST

/* The node that comes next is the first of the plan whose span has not come. */
START_TEST(next_is_the_first_without_a_span)
{
  g_autoptr(OlTrace) whole = sample_trace_new(&(SampleOptions){.steps = 2, .serial = TRUE});
  for (guint s = 0; s + 1 < whole->spans->len; s += 3) {
    Scene scene = scene_new(sample_trace_until(whole, ol_trace_span(whole, s)->end_ns));
    OlNextNode next;
    ck_assert_uint_eq(scene.trace->spans->len, s + 1);
    ck_assert(ol_next_node_find(&scene.view, &next));
    ck_assert_uint_eq(next.node, ol_trace_span(whole, s + 1)->node);
    ck_assert_int_eq(next.step, ol_trace_span(whole, s + 1)->step);
    g_autofree char *words = ol_next_node_dup_words(&scene.view, &next);
    ck_assert_ptr_null(strstr(words, "not yet"));
    scene_clear(&scene);
  }
}
END_TEST

/* Three copies made ready at once: one runs, two wait; then one; then none. */
START_TEST(a_queue_is_what_is_ready_and_has_not_begun)
{
  OlGraph *graph = ol_graph_new(1);
  guint make = hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_BACKWARD, AT_ONCE);
  guint first = hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER((int)make));
  guint second = hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER((int)make));
  guint third = hand_node(graph, 0, OL_LANE_GPU_TO_HOST, OL_OP_COPY, AFTER((int)make));
  OlTrace *trace = hand_trace(graph);
  hand_span(trace, make, 0, 0, 10, 0);
  hand_span(trace, first, 0, 10, 20, 8);
  hand_span(trace, second, 0, 20, 30, 8);
  hand_span(trace, third, 0, 30, 40, 8);
  hand_step(trace, 0, 0, 40, 1);
  Scene scene = scene_new(trace);
  static const guint expected[] = {2, 1, 0};
  for (gint64 i = 0; i < 3; i++) {
    scene.view.cursor_ns = (15 + 10 * i) * MS;
    ck_assert_uint_eq(ol_queue_at_moment(&scene.view, OL_LANE_GPU_TO_HOST).n, expected[i]);
  }
  scene.view.cursor_ns = 5 * MS;
  ck_assert_uint_eq(ol_queue_at_moment(&scene.view, OL_LANE_GPU_TO_HOST).n, 0);
  scene_clear(&scene);
}
END_TEST

/* Two nodes of 10 ms with 5 s between: held, the second follows the first at once. */
START_TEST(held_time_is_left_out)
{
  OlGraph *graph = ol_graph_new(1);
  guint one = hand_node(graph, 0, OL_LANE_COMPUTE, OL_OP_FORWARD, AT_ONCE);
  guint buffer = hand_buffer(graph, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, OL_BUFFER_TRANSIENT, 9);
  g_autoptr(OlTrace) trace = hand_trace(graph);
  OlHeldTime held;
  ol_held_time_init(&held);
  hand_span(trace, one, 0, 0, 10, 0);
  ol_held_time_cut(&held, trace, TRUE);
  hand_change(trace, 5010, buffer, 9); /* comes before its span, as it does */
  ol_held_time_cut(&held, trace, TRUE);
  hand_span(trace, one, 1, 5010, 5020, 0);
  ol_held_time_cut(&held, trace, TRUE);
  hand_span(trace, one, 2, 9020, 9030, 0); /* goes on: what was held until then goes, too */
  ol_held_time_cut(&held, trace, FALSE);
  hand_span(trace, one, 3, 9050, 9060, 0); /* an idle lane of a run that is not held stays so */
  hand_step(trace, 0, 5010, 9030, 1);
  ol_held_time_cut(&held, trace, FALSE);
  static const gint64 begins[] = {0, 10, 20, 50};
  for (guint i = 0; i < 4; i++) {
    ck_assert_int_eq(ol_trace_span(trace, i)->begin_ns, begins[i] * MS);
    ck_assert_int_eq(ol_trace_span(trace, i)->end_ns, (begins[i] + 10) * MS);
  }
  ck_assert_int_eq(ol_trace_change(trace, 0)->time_ns, 10 * MS);
  ck_assert_int_eq(ol_trace_step(trace, 0)->begin_ns, 10 * MS);
  ck_assert_int_eq(ol_trace_step(trace, 0)->end_ns, 30 * MS);
  ol_held_time_clear(&held);
}
END_TEST

START_TEST(history_goes_back_and_forward)
{
  OlViewHistory history;
  OlSight a = {0, 10}, b = {2, 5}, c = {3, 4}, to;
  ol_view_history_init(&history);
  ck_assert(!ol_view_history_go_back(&history, a, &to));
  ol_view_history_note(&history, a, 0);
  ol_view_history_note(&history, (OlSight){1, 9}, 100000); /* the same turn of the wheel */
  ol_view_history_note(&history, b, 5000000);
  ck_assert(ol_view_history_go_back(&history, c, &to));
  ck_assert_int_eq(to.begin_ns, b.begin_ns);
  ck_assert(ol_view_history_go_back(&history, b, &to));
  ck_assert_int_eq(to.end_ns, a.end_ns);
  ck_assert(!ol_view_history_go_back(&history, a, &to));
  ck_assert(ol_view_history_go_forward(&history, a, &to));
  ck_assert_int_eq(to.begin_ns, b.begin_ns);
  ol_view_history_note(&history, b, 9000000); /* another way: no forward any more */
  ck_assert(!ol_view_history_go_forward(&history, a, &to));
  ol_view_history_clear(&history);
}
END_TEST

/* Copied text is title, sentences and a table whose lines have the same columns. */
START_TEST(text_has_whole_rows)
{
  Scene scene = scene_new(sample_trace_new(NULL));
  for (int chart = OL_CHART_TIERS; chart < OL_N_CHARTS; chart++) {
    g_autofree char *text = ol_chart_dup_text((OlChart)chart, &scene.view);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint tabs = 0, rows = 0;
    ck_assert(g_str_has_prefix(text, ol_chart_title((OlChart)chart)));
    for (guint i = 0; lines[i] != NULL; i++) {
      g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);
      guint here = g_strv_length(cells);
      if (here > 1 && tabs > 1)
        ck_assert_uint_eq(here, tabs);
      tabs = here;
      rows += here > 1;
    }
    ck_assert_uint_gt(rows, 3);
  }
  scene_clear(&scene);
}
END_TEST

int main(void)
{
  TCase *cases = tcase_create("ties");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, buffers_lie_in_the_order_of_acquiring);
  tcase_add_test(cases, a_buffer_slides_down_when_one_below_goes);
  tcase_add_test(cases, neighbours_come_in_the_order_of_acquiring);
  tcase_add_test(cases, ties_of_spans_are_those_of_the_graph);
  tcase_add_test(cases, a_layer_knows_who_made_and_freed_it);
  tcase_add_test(cases, next_is_the_first_without_a_span);
  tcase_add_test(cases, a_queue_is_what_is_ready_and_has_not_begun);
  tcase_add_test(cases, held_time_is_left_out);
  tcase_add_test(cases, history_goes_back_and_forward);
  tcase_add_test(cases, text_has_whole_rows);
  return run_suite("ties", cases);
}
