/* The key: where the trace comes from, and what the colours mean. */
#include "app/charts/canvas.h"
#include "app/charts/charts.h"
#include "app/charts/origin.h"

double ol_chart_draw_legend(cairo_t *cairo, double x, double y, const OlTrace *trace,
                            const OlChartStyle *style)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, NULL, style, 0, 0);
  double em = canvas.em, begin = x, middle = y + 0.7 * em, side = 0.78 * em;
  if (trace != NULL)
    x += ol_origin_draw_key(&canvas, trace, x, middle) + 1.4 * em;
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlBox key = {x, middle - side / 2, side, side};
    ol_paint_fill(&canvas, key, 0.17 * em, ol_style_payload(style, (OlPayload)p));
    ol_paint_outline(&canvas, key, 0.17 * em, 0.08 * em,
                     ol_style_payload_outline(style, (OlPayload)p));
    x += side + 0.4 * em;
    x += ol_text_draw(&canvas, OL_TEXT_SMALL, ol_style_dim_text(style), x, middle, OL_ALIGN_LEFT, 0,
                      ol_payload_name((OlPayload)p));
    if (p + 1 < OL_N_PAYLOADS)
      x += 1.0 * em;
  }
  ol_canvas_clear(&canvas);
  return x - begin;
}
