/* Slices of a block's tensors, put together again before they are hashed: the sum is then that of
 * the whole model, however many ranks had a part of it. */
#include "engine/run/executor-private.h"

#include "engine/base/intl.h"

void ol_join_open(OlExecutor *executor)
{
  const OlShape *shape = executor->plan->shape;
  guint64 largest = 0;
  for (guint u = 0; u < shape->n_units; u++)
    largest = MAX(largest, shape->units[u].model_parameters);
  if (shape->slices > 1)
    executor->join.whole = g_malloc(largest * sizeof(float));
}

void ol_join_close(OlExecutor *executor)
{
  g_free(executor->join.whole);
}

static gboolean is_whole(const OlShapeTensor *tensor)
{
  return tensor->slicing == OL_SLICING_NONE;
}

static void tell_difference(OlExecutor *executor, guint node, const char *tensor)
{
  guint rank = ol_graph_node(executor->graph, node)->rank;
  g_autofree char *message =
      g_strdup_printf(_("ended with another %s than rank %u; this is a fault of the lab"), tensor,
                      rank - ol_plan_slice(executor->plan->config, rank));
  ol_executor_fail(executor, &executor->ranks[rank], message);
}

/* Elements [begin, end) of a tensor, to their places after `place` elements of the whole unit. What
 * every tensor rank has must be alike. */
static void put(OlExecutor *executor, guint node, const OlShapeTensor *tensor, guint64 place,
                guint64 begin, guint64 end, const guchar *from, gsize size)
{
  const OlShape *shape = executor->plan->shape;
  guint slice = ol_plan_slice(executor->plan->config, ol_graph_node(executor->graph, node)->rank);
  gboolean compare = slice > 0 && is_whole(tensor);
  for (guint64 i = begin; i < end; i++, from += size) {
    guint64 index = ol_shape_whole_index(shape, tensor, slice, i);
    guchar *to = executor->join.whole + (place + index) * size;
    if (compare && memcmp(to, from, size) != 0) {
      tell_difference(executor, node, tensor->name);
      return;
    }
    memcpy(to, from, size);
  }
}

void ol_join_add(OlExecutor *executor, guint node, guint64 first, const void *elements, guint64 n,
                 gsize size)
{
  const OlShape *shape = executor->plan->shape;
  const OlShapeUnit *unit = &shape->units[ol_graph_node(executor->graph, node)->unit];
  guint slices = shape->slices;
  guint64 place = 0;
  for (guint i = 0; i < unit->n_tensors; i++) {
    const OlShapeTensor *tensor = &unit->tensors[i];
    guint64 begin = MAX(first, tensor->first),
            end = MIN(first + n, tensor->first + tensor->elements);
    if (begin < end)
      put(executor, node, tensor, place, begin - tensor->first, end - tensor->first,
          (const guchar *)elements + (begin - first) * size, size);
    place += tensor->elements * (is_whole(tensor) ? 1 : slices);
  }
  executor->join.arrived += n;
  if (executor->join.arrived < unit->parameters * slices)
    return;
  executor->join.arrived = 0;
  g_checksum_update(executor->checksum, executor->join.whole, (gssize)(place * size));
}
