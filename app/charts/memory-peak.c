#include "app/charts/memory-peak.h"

#include "engine/base/intl.h"

/* The one payload held at `time_ns`, or -1 when there are several. */
static int find_only_payload(const OlChartView *view, OlTier tier, gint64 time_ns)
{
  gint64 bytes[OL_N_PAYLOADS];
  int only = -1;
  ol_trace_index_memory_at(view->index, view->rank, tier, time_ns, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    if (bytes[p] > 0) {
      if (only >= 0)
        return -1;
      only = p;
    }
  return only;
}

char *ol_memory_peak_dup_words(const OlChartView *view, gint64 bytes, gint64 when, int payload)
{
  g_autofree char *amount = ol_chart_view_dup_bytes(view, (double)bytes);
  const char *unit = when > 0 ? ol_moment_unit_at(view, when) : NULL;
  g_autofree char *peak = payload >= 0 ? g_strdup_printf(_("peak %s of %s"), amount,
                                                         ol_payload_name((OlPayload)payload))
                                       : g_strdup_printf(_("peak %s"), amount);
  return unit != NULL ? g_strdup_printf("%s, %s", peak, unit) : g_steal_pointer(&peak);
}

static void draw_dot(OlCanvas *canvas, double x, double y)
{
  cairo_new_path(canvas->cairo);
  cairo_arc(canvas->cairo, x, y, 0.27 * canvas->em, 0, 2 * G_PI);
  ol_paint_set(canvas, ol_style_text(canvas->style));
  cairo_fill_preserve(canvas->cairo);
  ol_paint_set(canvas, ol_style_background(canvas->style));
  cairo_set_line_width(canvas->cairo, 0.1 * canvas->em);
  cairo_stroke(canvas->cairo);
}

typedef struct {
  gboolean in_sight;
  double x, y;           /* of the dot */
  double middle, text_y; /* of the name */
  char *name;
} Peak;

/* A dot at the peak and its name above the row, clear of what is stacked. A hairline's peak is
 * named at the hairline, and even when it lies elsewhere: nothing else would tell what it is. */
static gboolean find_peak(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier,
                          Peak *peak)
{
  *peak = (Peak){.x = ol_plot_x(plot, row->peak_ns)};
  peak->in_sight = peak->x >= plot->left - 1 && peak->x <= plot->right;
  if (!row->used || row->peak <= 0 || (!peak->in_sight && !row->trifling))
    return FALSE;
  peak->y = ol_memory_row_y(row, row->peak);
  /* Where nothing else is held, what it is: a hairline has no room for a name in it. */
  /* What was full before the range begins is not the unit's doing that runs then. */
  gint64 reached_ns = row->peak_ns > canvas->view->begin_ns ? row->peak_ns : 0;
  peak->name = ol_memory_peak_dup_words(canvas->view, row->peak, reached_ns,
                                        find_only_payload(canvas->view, tier, row->peak_ns));
  double half = ol_text_width(canvas, OL_TEXT_SMALL, peak->name) / 2;
  peak->middle = CLAMP(peak->x, plot->left + half, MAX(plot->right - half, plot->left + half));
  double above = row->to_capacity && !row->trifling ? row->top : peak->y;
  peak->text_y = above - 0.85 * canvas->em;
  return TRUE;
}

void ol_memory_peak_draw(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row, OlTier tier)
{
  Peak peak;
  if (!find_peak(canvas, plot, row, tier, &peak))
    return;
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_text(canvas->style), peak.middle, peak.text_y,
               OL_ALIGN_CENTRE, 0, peak.name);
  if (peak.in_sight)
    draw_dot(canvas, peak.x, peak.y);
  g_free(peak.name);
}

gboolean ol_memory_peak_find(OlCanvas *canvas, const OlPlot *plot, const OlMemoryRow *row,
                             OlTier tier, OlBox *box)
{
  Peak peak;
  if (!find_peak(canvas, plot, row, tier, &peak))
    return FALSE;
  *box =
      ol_text_box(canvas, OL_TEXT_SMALL, peak.middle, peak.text_y, OL_ALIGN_CENTRE, 0, peak.name);
  g_free(peak.name);
  return TRUE;
}
