#include "app/charts/lanes-key.h"

#include "app/charts/bubbles.h"
#include "app/charts/moment.h"

#include <math.h>

#define SAMPLE_EM 1.6

typedef struct {
  void (*paint)(OlCanvas *canvas, OlBox box);
  char *words;
} Entry;

void ol_lanes_key_paint_exposed(OlCanvas *canvas, OlBox box)
{
  ol_paint_hatch(canvas, box, OL_HATCH_RISING,
                 ol_colour_with_alpha(ol_style_text(canvas->style), 0.5));
}

static void paint_exposed(OlCanvas *canvas, OlBox box)
{
  ol_lanes_key_paint_exposed(canvas, box);
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
  return g_strdup_printf("GPU idle %s of what is in sight", share);
}

static double draw_entry(OlCanvas *canvas, const Entry *entry, double x, double y)
{
  double em = canvas->em;
  OlBox sample = {x, y - 0.45 * em, SAMPLE_EM * em, 0.9 * em};
  double width = ol_text_width(canvas, OL_TEXT_SMALL, entry->words);
  if (x + sample.width + 0.5 * em + width > canvas->width - em)
    return x;
  entry->paint(canvas, sample);
  x += sample.width + 0.5 * em;
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), x, y, OL_ALIGN_LEFT, 0,
               entry->words);
  return x + width + 1.4 * em;
}

/* The critical path goes first: it was asked for. */
void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  const OlChartView *view = canvas->view;
  if (layout->key_y <= 0)
    return;
  g_autofree char *idle = dup_idle(view);
  const Entry entries[] = {
      {paint_path, "critical path of each step"},
      {ol_bubbles_paint, idle},
      {paint_hidden, "transfers hidden under compute"},
      {paint_exposed, "exposed"},
  };
  double x = layout->plot.left;
  for (guint i = view->critical != NULL ? 0 : 1; i < G_N_ELEMENTS(entries); i++)
    x = draw_entry(canvas, &entries[i], x, layout->key_y);
}
