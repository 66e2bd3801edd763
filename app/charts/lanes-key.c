#include "app/charts/lanes-key.h"

#include "app/charts/bubbles.h"
#include "app/charts/moment.h"

#include <math.h>

#define SAMPLE_EM 1.6

typedef struct {
  void (*paint)(OlCanvas *canvas, OlBox box);
  char *words;
} Entry;

void ol_lanes_key_stroke_exposed(OlCanvas *canvas)
{
  ol_paint_stroke_hatch(canvas, ol_colour_with_alpha(ol_style_text(canvas->style), 0.5));
}

static void paint_exposed(OlCanvas *canvas, OlBox box)
{
  cairo_new_path(canvas->cairo);
  ol_paint_add_hatch(canvas, box, OL_HATCH_RISING);
  ol_lanes_key_stroke_exposed(canvas);
  ol_paint_outline(canvas, box, 0, 0.07 * canvas->em, ol_style_line(canvas->style));
}

static void paint_hidden(OlCanvas *canvas, OlBox box)
{
  ol_paint_fill(canvas, box, 0, ol_style_hidden(canvas->style));
}

static void paint_path(OlCanvas *canvas, OlBox box)
{
  double y = box.y + box.height / 2;
  ol_paint_line(canvas, box.x, y, box.x + box.width, y, 0.24 * canvas->em,
                ol_style_text(canvas->style), FALSE);
}

/* The selected rank's, of what is in sight and known. */
static char *dup_idle(const OlChartView *view)
{
  gint64 begin_ns = MAX(view->begin_ns, 0), end_ns = MIN(view->end_ns, ol_moment_known_ns(view));
  gint64 busy = ol_trace_index_busy(view->index, view->rank, OL_LANE_COMPUTE, begin_ns, end_ns);
  if (ol_lanes_layout_has_bubbles(view))
    return g_strdup("bubble: idle between first forward and last backward");
  if (end_ns <= begin_ns)
    return g_strdup("GPU idle");
  g_autofree char *share = ol_moment_dup_percent(1 - (double)busy / (double)(end_ns - begin_ns));
  return g_strdup_printf("GPU idle %s", share);
}

static double entry_width(OlCanvas *canvas, const Entry *entry)
{
  return (SAMPLE_EM + 0.5) * canvas->em + ol_text_width(canvas, OL_TEXT_SMALL, entry->words);
}

static void draw_entry(OlCanvas *canvas, const Entry *entry, double x, double y)
{
  double em = canvas->em;
  entry->paint(canvas, (OlBox){x, y - 0.45 * em, SAMPLE_EM * em, 0.9 * em});
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), x + (SAMPLE_EM + 0.5) * em,
               y, OL_ALIGN_LEFT, 0, entry->words);
}

/* Below the plot, or from the card's edge on where that is too narrow. */
static double find_start(OlCanvas *canvas, const OlLanesLayout *layout, const Entry *entries,
                         guint n, double gap)
{
  double all = -gap;
  for (guint i = 0; i < n; i++)
    all += entry_width(canvas, &entries[i]) + gap;
  return CLAMP(canvas->width - canvas->em - all, canvas->em, layout->plot.left);
}

/* The critical path goes first: it was asked for. */
void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlChartView *view = canvas->view;
  if (layout->key_y <= 0)
    return;
  g_autofree char *idle = dup_idle(view);
  const Entry all[] = {
      {paint_path, "critical path"},
      {ol_bubbles_paint, idle},
      {paint_hidden, "hidden under compute"},
      {paint_exposed, "exposed"},
  };
  guint first = view->critical != NULL ? 0 : 1;
  double gap = 1.4 * canvas->em;
  double x = find_start(canvas, layout, all + first, G_N_ELEMENTS(all) - first, gap);
  for (guint i = first; i < G_N_ELEMENTS(all); i++) {
    double width = entry_width(canvas, &all[i]);
    if (x + width > canvas->width - 0.5 * canvas->em)
      continue;
    draw_entry(canvas, &all[i], x, layout->key_y);
    x += width + gap;
  }
}
