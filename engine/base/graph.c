#include "engine/base/graph.h"

#include "engine/base/intl.h"
#include <string.h>

static const char *const kind_nicks[OL_N_BUFFER_KINDS] = {"home", "slot", "transient"};

const char *ol_buffer_kind_nick(OlBufferKind kind)
{
  g_return_val_if_fail(kind < OL_N_BUFFER_KINDS, "?");
  return kind_nicks[kind];
}

int ol_buffer_kind_from_nick(const char *nick, gssize length)
{
  gsize len = length < 0 ? strlen(nick) : (gsize)length;
  for (int i = 0; i < OL_N_BUFFER_KINDS; i++)
    if (strlen(kind_nicks[i]) == len && memcmp(kind_nicks[i], nick, len) == 0)
      return i;
  return -1;
}

static void clear_unit(gpointer data)
{
  OlGraphUnit *unit = data;
  g_free(unit->name);
}

OlGraph *ol_graph_new(guint n_ranks)
{
  OlGraph *graph = g_new0(OlGraph, 1);
  g_atomic_ref_count_init(&graph->ref_count);
  graph->n_ranks = n_ranks;
  graph->units = g_array_new(FALSE, FALSE, sizeof(OlGraphUnit));
  g_array_set_clear_func(graph->units, clear_unit);
  graph->buffers = g_array_new(FALSE, FALSE, sizeof(OlGraphBuffer));
  graph->nodes = g_array_new(FALSE, FALSE, sizeof(OlGraphNode));
  graph->waits = g_array_new(FALSE, FALSE, sizeof(OlWait));
  graph->buffer_lists = g_array_new(FALSE, FALSE, sizeof(guint));
  return graph;
}

OlGraph *ol_graph_ref(OlGraph *graph)
{
  g_atomic_ref_count_inc(&graph->ref_count);
  return graph;
}

void ol_graph_unref(OlGraph *graph)
{
  if (!g_atomic_ref_count_dec(&graph->ref_count))
    return;
  g_array_unref(graph->units);
  g_array_unref(graph->buffers);
  g_array_unref(graph->nodes);
  g_array_unref(graph->waits);
  g_array_unref(graph->buffer_lists);
  g_free(graph);
}

guint ol_graph_add_unit(OlGraph *graph, const char *name, guint64 parameters)
{
  OlGraphUnit unit = {g_strdup(name), parameters};
  g_array_append_val(graph->units, unit);
  return graph->units->len - 1;
}

guint ol_graph_add_buffer(OlGraph *graph, const OlGraphBuffer *buffer)
{
  g_array_append_vals(graph->buffers, buffer, 1);
  return graph->buffers->len - 1;
}

static OlRange append_range(GArray *array, gconstpointer items, guint n)
{
  OlRange range = {array->len, n};
  if (n > 0)
    g_array_append_vals(array, items, n);
  return range;
}

guint ol_graph_add_node(OlGraph *graph, const OlGraphNode *node, const OlWait *waits, guint n_waits,
                        const guint *acquires, guint n_acquires, const guint *releases,
                        guint n_releases)
{
  OlGraphNode added = *node;
  added.waits = append_range(graph->waits, waits, n_waits);
  added.acquires = append_range(graph->buffer_lists, acquires, n_acquires);
  added.releases = append_range(graph->buffer_lists, releases, n_releases);
  g_array_append_val(graph->nodes, added);
  return graph->nodes->len - 1;
}

/* "B3" for block 3; the embedding and the head by name, since there is one of each. */
static char *dup_unit_tag(const OlGraph *graph, int unit)
{
  if (unit == OL_NONE)
    return g_strdup("");
  if (unit == 0)
    return g_strdup("E");
  if ((guint)unit + 1 == graph->units->len)
    return g_strdup("H");
  return g_strdup_printf("%d", unit - 1);
}

char *ol_graph_dup_node_label(const OlGraph *graph, guint id)
{
  static const char *const letters[OL_N_OPS] = {"fill ", "F", "B", "R", "+", "≈", "",     "N",
                                                "U",     "Σ", "Σ", "",  "→", "←", "hash "};
  const OlGraphNode *node = ol_graph_node(graph, id);
  g_autofree char *tag = dup_unit_tag(graph, node->unit);
  return g_strchomp(g_strconcat(letters[node->op], tag, NULL));
}

/* Whether the op alone does not say what it is about. */
static gboolean names_payload(OlOp op)
{
  return op == OL_OP_COPY || op == OL_OP_FILL || op == OL_OP_HASH || op == OL_OP_ALL_REDUCE ||
         op == OL_OP_REDUCE_SCATTER || op == OL_OP_ALL_GATHER;
}

static const char *const piece_names[OL_N_PIECES] = {"", N_("attention"), N_("MLP"),
                                                     N_("after the sum")};

char *ol_graph_dup_node_title(const OlGraph *graph, guint id)
{
  const OlGraphNode *node = ol_graph_node(graph, id);
  GString *title = g_string_new(ol_op_name(node->op));
  if (names_payload(node->op))
    g_string_append_printf(title, " %s", ol_payload_name(node->payload));
  if (node->unit != OL_NONE)
    g_string_append_printf(title, _(" of %s"), ol_graph_unit(graph, node->unit)->name);
  if (node->piece != OL_PIECE_WHOLE)
    g_string_append_printf(title, ", %s", _(piece_names[node->piece]));
  if (node->micro_batch != OL_NONE)
    g_string_append_printf(title, _(", micro-batch %d"), node->micro_batch);
  if (node->op == OL_OP_COPY)
    g_string_append_printf(title, ", %s", ol_lane_name(node->lane));
  return g_string_free(title, FALSE);
}
