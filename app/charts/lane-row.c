#include "app/charts/lane-row.h"

#include "app/charts/level.h"

static const OlHatch lane_hatches[OL_N_LANES] = {
    [OL_LANE_COMPUTE] = OL_HATCH_NONE,       [OL_LANE_GPU_TO_HOST] = OL_HATCH_FALLING,
    [OL_LANE_HOST_TO_GPU] = OL_HATCH_RISING, [OL_LANE_HOST_UPDATE] = OL_HATCH_NONE,
    [OL_LANE_NVME_READ] = OL_HATCH_LEVEL,    [OL_LANE_NVME_WRITE] = OL_HATCH_UPRIGHT,
    [OL_LANE_PEER] = OL_HATCH_CROSSED,
};

typedef struct {
  OlColour fill, outline, ink;
  gboolean aside;
  gboolean found; /* there is such an item */
} Look;

typedef struct {
  OlCanvas *canvas;
  OlLane lane;
  double top, height;
  const GArray *items;
  Look looks[OL_N_PAYLOADS][2]; /* [payload][aside] */
} Row;

static Look make_look(const OlCanvas *canvas, OlLane lane, OlPayload payload, gboolean aside)
{
  const OlChartView *view = canvas->view;
  const OlChartStyle *style = canvas->style;
  Look look = {ol_style_payload(style, payload), ol_style_payload_outline(style, payload)};
  if (aside)
    look.fill = ol_colour_mix(look.fill, ol_style_background(style), 0.68);
  look.ink = ol_colour_on(style, look.fill);
  gboolean meant = (view->shown_lane < 0 || view->shown_lane == (int)lane) &&
                   (view->shown_payload < 0 || view->shown_payload == (int)payload);
  if (!meant) {
    look.fill = ol_colour_faded(style, look.fill);
    look.outline = ol_colour_faded(style, look.outline);
    look.ink = ol_style_dim_text(style);
  }
  look.aside = aside;
  look.found = TRUE;
  return look;
}

static const OlLevelItem *get_item(const Row *row, guint i)
{
  return &g_array_index(row->items, OlLevelItem, i);
}

static const Look *get_look(const Row *row, const OlLevelItem *item)
{
  return &row->looks[item->payload][item->aside != FALSE];
}

static void make_looks(Row *row)
{
  for (guint i = 0; i < row->items->len; i++) {
    const OlLevelItem *item = get_item(row, i);
    if (!get_look(row, item)->found)
      row->looks[item->payload][item->aside != FALSE] =
          make_look(row->canvas, row->lane, item->payload, item->aside);
  }
}

/* How much of a column is filled: its busy share, but enough to be seen. */
static double filled_height(const Row *row, const OlLevelItem *item)
{
  return row->height * MAX(item->busy, 0.12);
}

static gboolean is_run(const Row *row, guint i, const Look *look)
{
  return i < row->items->len && get_item(row, i)->span < 0 &&
         get_look(row, get_item(row, i)) == look;
}

/* Columns lie on whole pixels: without smoothing they take half the time. */
static void fill_columns(const Row *row, OlColour colour)
{
  ol_paint_set(row->canvas, colour);
  cairo_set_antialias(row->canvas->cairo, CAIRO_ANTIALIAS_NONE);
  cairo_fill(row->canvas->cairo);
  cairo_set_antialias(row->canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* All runs of one look as a single path: a thousand columns cost two fills. First a pale ground as
 * high as a span, of which neighbours are one … */
static void draw_ground(const Row *row, const Look *look)
{
  cairo_t *cr = row->canvas->cairo;
  cairo_new_path(cr);
  for (guint i = 0; i < row->items->len; i++) {
    if (!is_run(row, i, look))
      continue;
    double x0 = get_item(row, i)->x0;
    while (is_run(row, i + 1, look) && get_item(row, i + 1)->x0 <= get_item(row, i)->x1)
      i++;
    cairo_rectangle(cr, x0, row->top, get_item(row, i)->x1 - x0, row->height);
  }
  fill_columns(row, ol_colour_mix(look->fill, ol_style_background(row->canvas->style), 0.6));
}

/* … then the busy share of it. */
static void draw_busy(const Row *row, const Look *look)
{
  cairo_t *cr = row->canvas->cairo;
  cairo_new_path(cr);
  for (guint i = 0; i < row->items->len; i++) {
    const OlLevelItem *item = get_item(row, i);
    double height = filled_height(row, item);
    if (is_run(row, i, look))
      cairo_rectangle(cr, item->x0, row->top + row->height - height, item->x1 - item->x0, height);
  }
  fill_columns(row, look->fill);
}

static void draw_label(OlCanvas *canvas, OlBox box, OlColour ink, guint span)
{
  if (box.width < 0.9 * canvas->em)
    return;
  const OlTrace *trace = canvas->view->trace;
  g_autofree char *label = ol_graph_dup_node_label(trace->graph, ol_trace_span(trace, span)->node);
  if (ol_text_width(canvas, OL_TEXT_SMALL_STRONG, label) <= box.width - 0.2 * canvas->em)
    ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, ink, box.x + box.width / 2, box.y + box.height / 2,
                 OL_ALIGN_CENTRE, 0, label);
}

/* A hair of ground between neighbours, as long as it does not eat the span. */
static OlBox span_box(const Row *row, const OlLevelItem *item)
{
  double width = item->x1 - item->x0;
  width -= MIN(0.1 * row->canvas->em, 0.15 * width);
  return (OlBox){item->x0, row->top, MAX(width, 0.8), row->height};
}

static double span_radius(const Row *row, OlBox box)
{
  return MIN(0.22 * row->canvas->em, box.width / 4);
}

static void fill_spans(const Row *row)
{
  for (guint i = 0; i < row->items->len; i++) {
    const OlLevelItem *item = get_item(row, i);
    OlBox box = span_box(row, item);
    if (item->span >= 0)
      ol_paint_fill(row->canvas, box, span_radius(row, box), get_look(row, item)->fill);
  }
}

/* All spans of one look in one stroke, for speed. */
static void hatch_spans(const Row *row, const Look *look)
{
  OlCanvas *canvas = row->canvas;
  double inset = 0.04 * canvas->em;
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < row->items->len; i++) {
    const OlLevelItem *item = get_item(row, i);
    OlBox box = span_box(row, item);
    if (item->span < 0 || get_look(row, item) != look || box.width < 0.5 * canvas->em)
      continue;
    OlBox inner = {box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset};
    ol_paint_add_hatch(canvas, inner, look->aside ? OL_HATCH_CROSSED : lane_hatches[row->lane]);
  }
  double strength = look->aside ? 0.5 : canvas->style->high_contrast ? 0.7 : 0.33;
  ol_paint_stroke_hatch(canvas, ol_colour_with_alpha(look->outline, strength));
}

static void outline_spans(const Row *row)
{
  double line = 0.08 * row->canvas->em;
  for (guint i = 0; i < row->items->len; i++) {
    const OlLevelItem *item = get_item(row, i);
    const Look *look = get_look(row, item);
    OlBox box = span_box(row, item);
    if (item->span < 0)
      continue;
    if (box.width > 3 * line)
      ol_paint_outline(row->canvas, box, span_radius(row, box), line, look->outline);
    if (!item->aside)
      draw_label(row->canvas, box, look->ink, (guint)item->span);
  }
}

void ol_lane_row_draw(OlCanvas *canvas, const OlLanesLayout *layout, OlLane lane,
                      OlColumns *columns)
{
  Row row = {.canvas = canvas, .lane = lane};
  if (!ol_lanes_layout_bar(layout, canvas->view->rank, lane, &row.top, &row.height))
    return;
  g_autoptr(GArray) items = ol_level_items(canvas->view, lane, &layout->plot, columns);
  row.items = items;
  make_looks(&row);
  fill_spans(&row);
  for (guint k = 0; k < OL_N_PAYLOADS * 2; k++) {
    const Look *look = &row.looks[k / 2][k % 2];
    if (!look->found)
      continue;
    draw_ground(&row, look);
    draw_busy(&row, look);
    hatch_spans(&row, look);
  }
  outline_spans(&row);
}
