#include "app/charts/memory-marks.h"

#include "app/charts/memory-steps.h"
#include "app/charts/ties.h"

typedef struct {
  OlCanvas *canvas;
  const OlMemoryRow *row;
  const GArray *steps;
  OlPayload payload;
} Layer;

typedef struct {
  double x0, x1, top, bottom;
} Slab;

/* As far as a step holds it: a buffer's part of it, or all of the payload (bytes < 0). */
static gboolean get_slab(const Layer *layer, const OlMemoryStep *step, double x0, double x1,
                         gint64 offset, gint64 bytes, Slab *slab)
{
  gint64 held = step->bytes[layer->payload];
  gint64 below = layer->payload > 0 ? ol_memory_step_sum(step, (int)layer->payload - 1) : 0;
  gint64 from = bytes < 0 ? 0 : MIN(offset, held),
         to = bytes < 0 ? held : MIN(offset + bytes, held);
  *slab = (Slab){MAX(step->x0, x0), MIN(step->x1, x1), ol_memory_row_y(layer->row, below + to),
                 ol_memory_row_y(layer->row, below + from)};
  return slab->x1 > slab->x0 && to > from;
}

/* Down along the top edge and back along the bottom one, a figure for each stretch without gaps. */
static void add_path(const Layer *layer, double x0, double x1, gint64 offset, gint64 bytes)
{
  cairo_t *cr = layer->canvas->cairo;
  for (guint first = 0; first < layer->steps->len;) {
    Slab slab;
    guint end = first;
    while (end < layer->steps->len &&
           get_slab(layer, &g_array_index(layer->steps, OlMemoryStep, end), x0, x1, offset, bytes,
                    &slab)) {
      (end == first ? cairo_move_to : cairo_line_to)(cr, slab.x0, slab.top);
      cairo_line_to(cr, slab.x1, slab.top);
      end++;
    }
    for (guint i = end; i > first; i--) {
      get_slab(layer, &g_array_index(layer->steps, OlMemoryStep, i - 1), x0, x1, offset, bytes,
               &slab);
      cairo_line_to(cr, slab.x1, slab.bottom);
      cairo_line_to(cr, slab.x0, slab.bottom);
    }
    if (end > first)
      cairo_close_path(cr);
    first = MAX(end, first + 1);
  }
}

/* A halo of ground, since the outline's colour may be the payload's. */
static void stroke(OlCanvas *canvas)
{
  cairo_set_line_width(canvas->cairo, 0.34 * canvas->em);
  ol_paint_set(canvas, ol_style_background(canvas->style));
  cairo_stroke_preserve(canvas->cairo);
  cairo_set_line_width(canvas->cairo, 0.17 * canvas->em);
  ol_paint_set(canvas, ol_style_accent(canvas->style));
  cairo_stroke(canvas->cairo);
}

static void mark_held(const Layer *layer, const OlPlot *plot, const OlTrace *trace,
                      const OlHeld *held)
{
  g_autoptr(GArray) pieces = ol_held_pieces_new(trace, held);
  cairo_new_path(layer->canvas->cairo);
  for (guint i = 0; i < pieces->len; i++) {
    const OlHeldPiece *piece = &g_array_index(pieces, OlHeldPiece, i);
    double x1 = piece->end_ns < G_MAXINT64 ? ol_plot_x(plot, piece->end_ns) : plot->right;
    add_path(layer, ol_plot_x(plot, piece->begin_ns), x1, piece->offset, held->bytes);
  }
  stroke(layer->canvas);
}

static void mark_uses(Layer *layer, const OlPlot *plot, const OlChartView *view, OlTier tier)
{
  const OlTies *ties = view->ties;
  const OlSpan *span = ol_trace_span(view->trace, (guint)ties->span);
  double x0 = ol_plot_x(plot, span->begin_ns), x1 = ol_plot_x(plot, span->end_ns);
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    if (!(ties->uses[tier] >> p & 1))
      continue;
    layer->payload = (OlPayload)p;
    cairo_new_path(layer->canvas->cairo);
    add_path(layer, x0, MAX(x1, x0 + 0.3 * layer->canvas->em), 0, -1);
    stroke(layer->canvas);
  }
}

static gboolean is_of_rank(const OlChartView *view, guint span)
{
  return ol_graph_node(view->trace->graph, ol_trace_span(view->trace, span)->node)->rank ==
         view->rank;
}

void ol_memory_marks_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier,
                          const GArray *steps)
{
  const OlChartView *view = canvas->view;
  Layer layer = {canvas, row, steps, 0};
  if (view->ties == NULL || steps->len == 0)
    return;
  cairo_save(canvas->cairo);
  if (view->ties->span >= 0 && is_of_rank(view, (guint)view->ties->span))
    mark_uses(&layer, plot, view, tier);
  for (guint i = 0; i < view->ties->held->len; i++) {
    const OlHeld *held = &g_array_index(view->ties->held, OlHeld, i);
    const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, held->buffer);
    layer.payload = buffer->payload;
    if (buffer->rank == view->rank && buffer->tier == tier)
      mark_held(&layer, plot, view->trace, held);
  }
  cairo_restore(canvas->cairo);
}
