#include "app/charts/held.h"

#include "app/charts/view.h"

/* The changes of one layer, in order of time, with what is held after each. */
typedef struct {
  const OlTrace *trace;
  guint rank;
  OlTier tier;
  OlPayload payload;
  guint next;   /* change */
  GArray *open; /* OlHeld, in the order of acquiring */
} Layer;

static void layer_init(Layer *layer, const OlTrace *trace, guint rank, OlTier tier,
                       OlPayload payload)
{
  *layer = (Layer){trace, rank, tier, payload, 0, g_array_new(FALSE, FALSE, sizeof(OlHeld))};
}

static void layer_of_buffer(Layer *layer, const OlTrace *trace, guint buffer)
{
  const OlGraphBuffer *of = ol_graph_buffer(trace->graph, buffer);
  layer_init(layer, trace, of->rank, of->tier, of->payload);
}

static OlHeld *get_open(const Layer *layer, guint i)
{
  return &g_array_index(layer->open, OlHeld, i);
}

static int find_open(const Layer *layer, guint buffer)
{
  for (guint i = 0; i < layer->open->len; i++)
    if (get_open(layer, i)->buffer == buffer)
      return (int)i;
  return -1;
}

static gboolean is_in(const Layer *layer, const OlMemoryChange *change)
{
  if (change->buffer >= layer->trace->graph->buffers->len)
    return FALSE;
  const OlGraphBuffer *of = ol_graph_buffer(layer->trace->graph, change->buffer);
  return of->rank == layer->rank && of->tier == layer->tier && of->payload == layer->payload;
}

/* The layer's next change, not yet applied; NULL at the end. */
static const OlMemoryChange *layer_peek(Layer *layer)
{
  for (; layer->next < layer->trace->changes->len; layer->next++) {
    const OlMemoryChange *change = ol_trace_change(layer->trace, layer->next);
    if (is_in(layer, change))
      return change;
  }
  return NULL;
}

static void layer_apply(Layer *layer, const OlMemoryChange *change)
{
  OlHeld held = {change->buffer, change->time_ns, G_MAXINT64, change->bytes};
  int at = find_open(layer, change->buffer);
  layer->next++;
  if (change->bytes > 0)
    g_array_append_val(layer->open, held);
  else if (at >= 0)
    g_array_remove_index(layer->open, (guint)at);
}

static gint64 offset_of(const Layer *layer, guint position)
{
  gint64 sum = 0;
  for (guint i = 0; i < position; i++)
    sum += get_open(layer, i)->bytes;
  return sum;
}

/* When an open buffer is released. */
static gint64 find_end(const OlTrace *trace, guint from_change, guint buffer)
{
  for (guint i = from_change; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    if (change->buffer == buffer && change->bytes < 0)
      return change->time_ns;
  }
  return G_MAXINT64;
}

static void run_to(Layer *layer, gint64 time_ns)
{
  const OlMemoryChange *change;
  while ((change = layer_peek(layer)) && change->time_ns <= time_ns)
    layer_apply(layer, change);
}

gboolean ol_held_at(const OlChartView *view, OlTier tier, OlPayload payload, gint64 time_ns,
                    gint64 offset, OlHeld *held)
{
  Layer layer;
  gint64 top = 0;
  gboolean found = FALSE;
  layer_init(&layer, view->trace, view->rank, tier, payload);
  run_to(&layer, time_ns);
  for (guint i = 0; i < layer.open->len && !found; i++) {
    *held = *get_open(&layer, i);
    top += held->bytes;
    found = offset < top || i + 1 == layer.open->len;
  }
  if (found)
    held->end_ns = find_end(view->trace, layer.next, held->buffer);
  g_array_unref(layer.open);
  return found;
}

gboolean ol_held_find(const OlTrace *trace, guint buffer, gint64 time_ns, OlHeld *held)
{
  gboolean open = FALSE;
  for (guint i = 0; i < trace->changes->len; i++) {
    const OlMemoryChange *change = ol_trace_change(trace, i);
    if (change->buffer != buffer)
      continue;
    if (change->time_ns > time_ns && !open)
      return FALSE;
    if (change->bytes > 0) {
      *held = (OlHeld){buffer, change->time_ns, G_MAXINT64, change->bytes};
      open = TRUE;
    } else if (open && change->time_ns > time_ns) {
      held->end_ns = change->time_ns;
      return TRUE;
    } else {
      open = FALSE;
    }
  }
  return open;
}

gboolean ol_held_neighbour(const OlTrace *trace, const OlHeld *from, int by, OlHeld *held)
{
  Layer layer;
  const OlMemoryChange *change, *before = NULL, *found = NULL;
  gboolean passed = FALSE;
  layer_of_buffer(&layer, trace, from->buffer);
  for (; !found && (change = layer_peek(&layer)); layer.next++) {
    if (change->bytes <= 0)
      continue;
    if (passed)
      found = change;
    passed = passed || (change->buffer == from->buffer && change->time_ns == from->begin_ns);
    if (passed && by < 0)
      break;
    if (!passed)
      before = change;
  }
  g_array_unref(layer.open);
  found = by < 0 ? before : found;
  if (!found)
    return FALSE;
  guint i = (guint)(found - ol_trace_change(trace, 0));
  *held =
      (OlHeld){found->buffer, found->time_ns, find_end(trace, i + 1, found->buffer), found->bytes};
  return TRUE;
}

static void add_piece(GArray *pieces, gint64 begin_ns, gint64 end_ns, gint64 offset)
{
  OlHeldPiece piece = {begin_ns, end_ns, offset};
  if (end_ns > begin_ns)
    g_array_append_val(pieces, piece);
}

GArray *ol_held_pieces_new(const OlTrace *trace, const OlHeld *held)
{
  GArray *pieces = g_array_new(FALSE, FALSE, sizeof(OlHeldPiece));
  const OlMemoryChange *change;
  Layer layer;
  gint64 since = held->begin_ns, offset = -1;
  layer_of_buffer(&layer, trace, held->buffer);
  while ((change = layer_peek(&layer)) && change->time_ns < held->end_ns) {
    layer_apply(&layer, change);
    int at = find_open(&layer, held->buffer);
    gint64 now = at >= 0 && get_open(&layer, (guint)at)->begin_ns == held->begin_ns
                     ? offset_of(&layer, (guint)at)
                     : -1;
    if (now == offset)
      continue;
    if (offset >= 0)
      add_piece(pieces, since, change->time_ns, offset);
    since = change->time_ns;
    offset = now;
  }
  if (offset >= 0)
    add_piece(pieces, since, held->end_ns, offset);
  g_array_unref(layer.open);
  return pieces;
}
