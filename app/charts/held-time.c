#include "app/charts/held-time.h"

/* From this moment on (as the engine tells it) so much has been taken out. */
typedef struct {
  gint64 from_ns, cut_ns;
} Cut;

void ol_held_time_init(OlHeldTime *held)
{
  *held = (OlHeldTime){.cuts = g_array_new(FALSE, FALSE, sizeof(Cut))};
}

void ol_held_time_clear(OlHeldTime *held)
{
  g_clear_pointer(&held->cuts, g_array_unref);
}

/* A moment inside a cut becomes the one at which it begins. */
static gint64 move(const OlHeldTime *held, gint64 time_ns)
{
  for (guint i = held->cuts->len; i > 0; i--) {
    const Cut *cut = &g_array_index(held->cuts, Cut, i - 1);
    if (time_ns >= cut->from_ns)
      return time_ns - cut->cut_ns;
    gint64 before = i > 1 ? g_array_index(held->cuts, Cut, i - 2).cut_ns : 0;
    gint64 begin_ns = cut->from_ns - (cut->cut_ns - before);
    if (time_ns > begin_ns)
      return begin_ns - before;
  }
  return time_ns;
}

/* Something begins: if nothing had run until then, that was held time. */
static void begin_at(OlHeldTime *held, gint64 time_ns, gboolean is_held)
{
  gint64 gap = move(held, time_ns) - held->newest_ns;
  gint64 all = held->cuts->len > 0 ? g_array_index(held->cuts, Cut, held->cuts->len - 1).cut_ns : 0;
  if ((is_held || held->was_held) && gap > 0) {
    Cut cut = {time_ns, all + gap};
    g_array_append_val(held->cuts, cut);
  }
  held->was_held = is_held;
}

static gint64 take(OlHeldTime *held, gint64 time_ns)
{
  gint64 moved = move(held, time_ns);
  held->newest_ns = MAX(held->newest_ns, moved);
  return moved;
}

static void take_change(OlHeldTime *held, OlMemoryChange *change, gboolean is_held)
{
  if (change->bytes > 0) /* what is released belongs to a span that has begun */
    begin_at(held, change->time_ns, is_held);
  change->time_ns = take(held, change->time_ns);
}

static void take_span(OlHeldTime *held, OlSpan *span, gboolean is_held)
{
  begin_at(held, span->begin_ns, is_held);
  span->begin_ns = take(held, span->begin_ns);
  span->end_ns = take(held, span->end_ns);
}

/* Spans come when they end: what was acquired at their begin has come before. */
void ol_held_time_cut(OlHeldTime *held, OlTrace *trace, gboolean is_held)
{
  while (held->n_spans < trace->spans->len || held->n_changes < trace->changes->len) {
    OlSpan *span = held->n_spans < trace->spans->len
                       ? &g_array_index(trace->spans, OlSpan, held->n_spans)
                       : NULL;
    OlMemoryChange *change = held->n_changes < trace->changes->len
                                 ? &g_array_index(trace->changes, OlMemoryChange, held->n_changes)
                                 : NULL;
    if (span && (!change || span->begin_ns <= change->time_ns)) {
      take_span(held, span, is_held);
      held->n_spans++;
    } else {
      take_change(held, change, is_held);
      held->n_changes++;
    }
  }
  for (; held->n_steps < trace->steps->len; held->n_steps++) {
    OlStep *step = &g_array_index(trace->steps, OlStep, held->n_steps);
    step->begin_ns = move(held, step->begin_ns);
    step->end_ns = move(held, step->end_ns);
  }
}
