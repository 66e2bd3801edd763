#include "tests/trace/compare-traces.h"

#include <check.h>
#include <math.h>

static void doubles_are_equal(double a, double b)
{
  ck_assert_msg((isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)),
                "%.17g is not %.17g", a, b);
}

/* Field by field, since structures have holes. */
static void graphs_are_equal(const OlGraph *a, const OlGraph *b)
{
  ck_assert_uint_eq(a->n_ranks, b->n_ranks);
  ck_assert_uint_eq(a->units->len, b->units->len);
  ck_assert_uint_eq(a->buffers->len, b->buffers->len);
  ck_assert_uint_eq(a->nodes->len, b->nodes->len);
  ck_assert_uint_eq(a->waits->len, b->waits->len);
  ck_assert_uint_eq(a->buffer_lists->len, b->buffer_lists->len);
  for (guint i = 0; i < a->units->len; i++) {
    ck_assert_str_eq(ol_graph_unit(a, i)->name, ol_graph_unit(b, i)->name);
    ck_assert_uint_eq(ol_graph_unit(a, i)->parameters, ol_graph_unit(b, i)->parameters);
  }
  for (guint i = 0; i < a->buffers->len; i++) {
    const OlGraphBuffer *x = ol_graph_buffer(a, i), *y = ol_graph_buffer(b, i);
    ck_assert_uint_eq(x->rank, y->rank);
    ck_assert_int_eq(x->tier, y->tier);
    ck_assert_int_eq(x->payload, y->payload);
    ck_assert_int_eq(x->kind, y->kind);
    ck_assert_uint_eq(x->bytes, y->bytes);
  }
  for (guint i = 0; i < a->waits->len; i++) {
    const OlWait *x = &g_array_index(a->waits, OlWait, i), *y = &g_array_index(b->waits, OlWait, i);
    ck_assert_uint_eq(x->node, y->node);
    ck_assert_uint_eq(x->steps_back, y->steps_back);
  }
  for (guint i = 0; i < a->buffer_lists->len; i++)
    ck_assert_uint_eq(g_array_index(a->buffer_lists, guint, i),
                      g_array_index(b->buffer_lists, guint, i));
}

static void ranges_are_equal(OlRange a, OlRange b)
{
  ck_assert_uint_eq(a.first, b.first);
  ck_assert_uint_eq(a.n, b.n);
}

static void nodes_are_equal(const OlGraph *a, const OlGraph *b)
{
  for (guint i = 0; i < a->nodes->len; i++) {
    const OlGraphNode *x = ol_graph_node(a, i), *y = ol_graph_node(b, i);
    ck_assert_uint_eq(x->rank, y->rank);
    ck_assert_int_eq(x->lane, y->lane);
    ck_assert_int_eq(x->op, y->op);
    ck_assert_int_eq(x->part, y->part);
    ck_assert_int_eq(x->piece, y->piece);
    ck_assert_int_eq(x->group, y->group);
    ck_assert_int_eq(x->steps, y->steps);
    ck_assert_uint_eq(x->meeting, y->meeting);
    ck_assert_uint_eq(x->steps_behind, y->steps_behind);
    ck_assert_int_eq(x->payload, y->payload);
    ck_assert_int_eq(x->unit, y->unit);
    ck_assert_int_eq(x->micro_batch, y->micro_batch);
    ck_assert_uint_eq(x->bytes, y->bytes);
    doubles_are_equal(x->flops, y->flops);
    ranges_are_equal(x->waits, y->waits);
    ranges_are_equal(x->acquires, y->acquires);
    ranges_are_equal(x->releases, y->releases);
  }
}

static void headers_are_equal(const OlTraceHeader *a, const OlTraceHeader *b)
{
  ck_assert_pstr_eq(a->config, b->config);
  doubles_are_equal(a->mu, b->mu);
  doubles_are_equal(a->kappa, b->kappa);
  doubles_are_equal(a->slowdown, b->slowdown);
  ck_assert_int_eq(!a->capacities, !b->capacities);
  if (!a->capacities)
    return;
  ck_assert_uint_eq(a->capacities->len, b->capacities->len);
  for (guint i = 0; i < a->capacities->len; i++)
    ck_assert_uint_eq(g_array_index(a->capacities, guint64, i),
                      g_array_index(b->capacities, guint64, i));
}

static void records_are_equal(const OlTrace *a, const OlTrace *b)
{
  ck_assert_uint_eq(a->spans->len, b->spans->len);
  ck_assert_uint_eq(a->changes->len, b->changes->len);
  ck_assert_uint_eq(a->steps->len, b->steps->len);
  for (guint i = 0; i < a->spans->len; i++) {
    const OlSpan *x = ol_trace_span(a, i), *y = ol_trace_span(b, i);
    ck_assert_uint_eq(x->node, y->node);
    ck_assert_int_eq(x->step, y->step);
    ck_assert_int_eq(x->begin_ns, y->begin_ns);
    ck_assert_int_eq(x->end_ns, y->end_ns);
    ck_assert_uint_eq(x->bytes, y->bytes);
  }
  for (guint i = 0; i < a->changes->len; i++) {
    const OlMemoryChange *x = ol_trace_change(a, i), *y = ol_trace_change(b, i);
    ck_assert_int_eq(x->time_ns, y->time_ns);
    ck_assert_int_eq(x->bytes, y->bytes);
    ck_assert_uint_eq(x->buffer, y->buffer);
  }
  for (guint i = 0; i < a->steps->len; i++) {
    const OlStep *x = ol_trace_step(a, i), *y = ol_trace_step(b, i);
    ck_assert_uint_eq(x->step, y->step);
    ck_assert_int_eq(x->begin_ns, y->begin_ns);
    ck_assert_int_eq(x->end_ns, y->end_ns);
    doubles_are_equal(x->loss, y->loss);
    doubles_are_equal(x->gradient_norm, y->gradient_norm);
  }
}

static void facts_are_equal(const OlTrace *a, const OlTrace *b)
{
  GHashTableIter iter;
  gpointer path, value;
  double number;
  ck_assert_uint_eq(g_hash_table_size(a->numbers), g_hash_table_size(b->numbers));
  ck_assert_uint_eq(g_hash_table_size(a->texts), g_hash_table_size(b->texts));
  g_hash_table_iter_init(&iter, a->numbers);
  while (g_hash_table_iter_next(&iter, &path, &value)) {
    ck_assert_msg(ol_trace_get_number(b, path, &number), "%s", (char *)path);
    doubles_are_equal(*(double *)value, number);
  }
  g_hash_table_iter_init(&iter, a->texts);
  while (g_hash_table_iter_next(&iter, &path, &value))
    ck_assert_pstr_eq(value, ol_trace_get_text(b, path));
}

void traces_are_equal(const OlTrace *a, const OlTrace *b)
{
  ck_assert_ptr_nonnull(a);
  ck_assert_ptr_nonnull(b);
  ck_assert_int_eq(a->source, b->source);
  headers_are_equal(&a->header, &b->header);
  graphs_are_equal(a->graph, b->graph);
  nodes_are_equal(a->graph, b->graph);
  records_are_equal(a, b);
  ck_assert_int_eq(a->ended, b->ended);
  ck_assert_int_eq(a->outcome, b->outcome);
  ck_assert_pstr_eq(a->message, b->message);
  ck_assert_pstr_eq(a->table, b->table);
  ck_assert_int_eq(a->touched, b->touched);
  facts_are_equal(a, b);
}
