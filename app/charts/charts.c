#include "app/charts/charts.h"

#include "app/charts/chart-rooms.h"
#include "app/charts/plot.h"

typedef struct {
  const char *title;
  double (*height)(OlCanvas *canvas);
  void (*draw)(OlCanvas *canvas);
  void (*hit)(OlCanvas *canvas, double x, double y, OlChartHit *hit);
} ChartKind;

static const ChartKind kinds[OL_N_CHARTS] = {
    [OL_CHART_TIERS] = {"Where the bytes are", ol_tiers_chart_height, ol_tiers_chart_draw,
                        ol_tiers_chart_hit},
    [OL_CHART_MEMORY] = {"Memory over time", ol_memory_layout_height, ol_memory_chart_draw,
                         ol_memory_chart_hit},
    [OL_CHART_LANES] = {"What runs when", ol_lanes_layout_height, ol_lanes_chart_draw,
                        ol_lanes_chart_hit},
};

const char *ol_chart_title(OlChart chart)
{
  g_return_val_if_fail(chart < OL_N_CHARTS, "");
  return kinds[chart].title;
}

double ol_chart_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                       double width)
{
  g_return_val_if_fail(chart < OL_N_CHARTS, 0);
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, 0);
  double height = kinds[chart].height(&canvas);
  ol_canvas_clear(&canvas);
  return height;
}

void ol_chart_draw(OlChart chart, cairo_t *cairo, double width, double height,
                   const OlChartView *view, const OlChartStyle *style)
{
  g_return_if_fail(chart < OL_N_CHARTS);
  if (width <= 0 || height <= 0)
    return;
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, view, style, width, height);
  cairo_save(cairo);
  kinds[chart].draw(&canvas);
  cairo_restore(cairo);
  ol_canvas_clear(&canvas);
}

OlChartHit ol_chart_hit(OlChart chart, double x, double y, double width, double height,
                        const OlChartView *view, const OlChartStyle *style)
{
  OlChartHit hit = {-1, -1, -1, -1, -1};
  g_return_val_if_fail(chart < OL_N_CHARTS, hit);
  OlCanvas canvas;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  kinds[chart].hit(&canvas, x, y, &hit);
  ol_canvas_clear(&canvas);
  return hit;
}

gboolean ol_chart_mark(double width, double height, const OlChartView *view,
                       const OlChartStyle *style, int span, cairo_rectangle_t *outline)
{
  OlCanvas canvas;
  OlBox box;
  ol_canvas_init(&canvas, NULL, view, style, width, height);
  gboolean found = ol_lanes_chart_mark(&canvas, span, &box);
  ol_canvas_clear(&canvas);
  if (found)
    *outline = (cairo_rectangle_t){box.x, box.y, box.width, box.height};
  return found;
}
