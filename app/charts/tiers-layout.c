#include "app/charts/tiers-layout.h"

/* In ems. */
#define EDGE       1.0
#define PAD        0.85 /* inside a box */
#define LINE       1.55 /* of text */
#define ROW_BAR    4.6
#define COLUMN_BAR 2.5
#define GAP        5.5 /* between boxes in a row: room for "→ 888 MB/s" */
#define WIDE_GAP   11.0
#define COLUMN_GAP 2.9
#define TRACK      0.55
#define ROW_SLACK  0.9
#define CAPTION    1.15 /* of a caption's second line */

/* Narrower than this, a row's boxes have no room for "NVMe 16.3 MiB / 16.4 GiB" in one line… */
#define COMPACT 57.0
/* …and narrower than this they stand in a column. */
#define NARROW 39.0

/* Panels of ranks side by side, in ems: room for "GPU 18.1 / 44.7 MiB" in a line of each. */
#define PANEL           13.2
#define PANEL_GAP       0.7
#define PANEL_HEAD      1.9
#define PANEL_BAR       1.7
#define PANEL_LINK      1.9 /* between boxes */
#define PANEL_MOST_ROWS 2u

typedef enum { WIDE_ROW, COMPACT_ROW, COLUMN, PANELS } Shape;

static const struct {
  OlLane lane;
  int gap; /* 0: GPU and host; 1: host and NVMe */
  int side;
  gboolean onward;
} links[OL_N_LINKS] = {
    {OL_LANE_GPU_TO_HOST, 0, 0, TRUE},
    {OL_LANE_HOST_TO_GPU, 0, 1, FALSE},
    {OL_LANE_NVME_WRITE, 1, 0, TRUE},
    {OL_LANE_NVME_READ, 1, 1, FALSE},
};

static guint count_in_row(const OlCanvas *canvas)
{
  double ems = canvas->width / canvas->em - 2 * EDGE + PANEL_GAP;
  return (guint)MAX(ems / (PANEL + PANEL_GAP), 1);
}

static Shape get_shape(const OlCanvas *canvas)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(canvas->view);
  if (ranks->n > 1 && ranks->n <= PANEL_MOST_ROWS * count_in_row(canvas) &&
      count_in_row(canvas) > 1)
    return PANELS;
  double ems = canvas->width / canvas->em;
  return ems < NARROW ? COLUMN : ems < COMPACT ? COMPACT_ROW : WIDE_ROW;
}

static double box_ems(Shape shape)
{
  double bar = shape == COLUMN ? COLUMN_BAR : ROW_BAR;
  return 2 * PAD + LINE * 2 + bar + 0.35 + (shape == COMPACT_ROW ? LINE + CAPTION : 0);
}

static double panel_box_ems(void)
{
  return PAD + LINE + PANEL_BAR + 0.6;
}

/* Panels leave out what no rank uses. */
static gboolean has_box(const OlCanvas *canvas, OlTier tier)
{
  const OlGraph *graph = canvas->view->trace != NULL ? canvas->view->trace->graph : NULL;
  for (guint i = 0; graph != NULL && i < graph->buffers->len; i++)
    if (ol_graph_buffer(graph, i)->tier == tier && ol_graph_buffer(graph, i)->bytes > 0)
      return TRUE;
  return tier == OL_TIER_GPU;
}

static double panel_ems(const OlCanvas *canvas)
{
  guint n = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    n += has_box(canvas, (OlTier)tier);
  return PANEL_HEAD + n * panel_box_ems() + (n - 1) * PANEL_LINK + PAD;
}

static guint count_rows(const OlCanvas *canvas)
{
  guint in_row = count_in_row(canvas);
  return (ol_chart_view_get_ranks(canvas->view)->n + in_row - 1) / in_row;
}

guint ol_tiers_layout_count(OlCanvas *canvas)
{
  return get_shape(canvas) == PANELS ? ol_chart_view_get_ranks(canvas->view)->n : 1;
}

double ol_tiers_layout_height(OlCanvas *canvas)
{
  Shape shape = get_shape(canvas);
  if (shape == PANELS)
    return canvas->em *
           (2 * EDGE + count_rows(canvas) * (panel_ems(canvas) + PANEL_GAP) - PANEL_GAP);
  if (shape == COLUMN)
    return canvas->em * (2 * EDGE + 3 * box_ems(shape) + 2 * COLUMN_GAP);
  return canvas->em * (2 * EDGE + (shape == WIDE_ROW ? 2 * ROW_SLACK : 0) + box_ems(shape));
}

static void place_inside(OlTierPlace *place, OlCanvas *canvas, Shape shape)
{
  double em = canvas->em, pad = PAD * em;
  OlBox box = place->box;
  place->text_width = box.width - 2 * pad;
  place->beside = shape != COMPACT_ROW;
  place->caption_lines = shape == COMPACT_ROW ? 2 : 1;
  place->head_y = box.y + pad + LINE * em / 2;
  place->amount_y = place->head_y + (place->beside ? 0 : LINE * em);
  place->interior = (OlBox){box.x + pad, place->amount_y + LINE * em / 2, place->text_width,
                            (shape == COLUMN ? COLUMN_BAR : ROW_BAR) * em};
  place->caption_y = place->interior.y + place->interior.height + (0.35 + LINE / 2) * em;
}

static void place_row(OlTiersLayout *layout, OlCanvas *canvas, Shape shape)
{
  static const double shares[] = {1.02, 1.04, 0.94};
  double em = canvas->em, gap = CLAMP(0.1 * canvas->width, GAP * em, WIDE_GAP * em);
  double total = shares[0] + shares[1] + shares[2];
  double room = canvas->width - 2 * EDGE * em - 2 * gap, x = EDGE * em;
  double height = box_ems(shape) * em, y = (canvas->height - height) / 2;
  for (int i = 0; i < 3; i++) {
    double width = room * shares[i] / total;
    layout->tiers[i].box = (OlBox){x, y, width, height};
    place_inside(&layout->tiers[i], canvas, shape);
    x += width + gap;
  }
  for (int i = 0; i < OL_N_LINKS; i++) {
    OlLinkPlace *link = &layout->links[i];
    OlBox left = layout->tiers[links[i].gap].box;
    OlBox bar = layout->tiers[0].interior;
    double track_y = bar.y + bar.height * (links[i].side == 0 ? 0.3 : 0.98);
    link->track = (OlBox){left.x + left.width, track_y - TRACK * em / 2, gap, TRACK * em};
    link->label_x = left.x + left.width + gap / 2;
    link->label_y = track_y - 0.95 * em;
    link->queue_y = track_y + 0.9 * em;
    link->label_width = gap - 0.4 * em;
  }
}

static void place_column(OlTiersLayout *layout, OlCanvas *canvas)
{
  double em = canvas->em, width = canvas->width - 2 * EDGE * em, y = EDGE * em;
  for (int i = 0; i < 3; i++) {
    layout->tiers[i].box = (OlBox){EDGE * em, y, width, box_ems(COLUMN) * em};
    place_inside(&layout->tiers[i], canvas, COLUMN);
    y += (box_ems(COLUMN) + COLUMN_GAP) * em;
  }
  for (int i = 0; i < OL_N_LINKS; i++) {
    OlLinkPlace *link = &layout->links[i];
    OlBox above = layout->tiers[links[i].gap].box;
    double x = above.x + above.width * (links[i].side == 0 ? 0.12 : 0.56);
    link->track = (OlBox){x, above.y + above.height, TRACK * em, COLUMN_GAP * em};
    link->label_x = x + (TRACK + 0.5) * em;
    link->label_y = above.y + above.height + COLUMN_GAP * em / 2;
    link->label_width = above.width * 0.42 - (TRACK + 0.5) * em;
  }
}

/* Rows of as many as fit, evenly filled. */
static void place_panel(OlTiersLayout *layout, OlCanvas *canvas, guint i)
{
  guint rows = count_rows(canvas), n = ol_chart_view_get_ranks(canvas->view)->n;
  guint in_row = (n + rows - 1) / rows;
  double em = canvas->em, gap = PANEL_GAP * em, height = panel_ems(canvas) * em;
  double width = (canvas->width - 2 * EDGE * em - (in_row - 1) * gap) / in_row;
  layout->rank = i;
  layout->panel = (OlBox){EDGE * em + i % in_row * (width + gap),
                          EDGE * em + i / in_row * (height + gap), width, height};
  layout->title_y = layout->panel.y + PANEL_HEAD * em / 2;
  double y = layout->panel.y + PANEL_HEAD * em, pad = 0.6 * em;
  for (int t = 0; t < 3; t++) {
    OlTierPlace *place = &layout->tiers[t];
    if (!has_box(canvas, (OlTier)t))
      continue;
    *place = (OlTierPlace){.beside = TRUE, .text_width = width - 4 * pad};
    place->box = (OlBox){layout->panel.x + pad, y, width - 2 * pad, panel_box_ems() * em};
    place->head_y = place->amount_y = y + (PAD + LINE) * em / 2;
    place->interior = (OlBox){layout->panel.x + 2 * pad, y + (PAD / 2 + LINE) * em,
                              place->text_width, PANEL_BAR * em};
    y += (panel_box_ems() + PANEL_LINK) * em;
  }
  for (int l = 0; l < OL_N_LINKS; l++) {
    OlLinkPlace *link = &layout->links[l];
    OlBox above = layout->tiers[links[l].gap].box, below = layout->tiers[links[l].gap + 1].box;
    double x = above.x + above.width * (links[l].side == 0 ? 0.06 : 0.54);
    if (above.width <= 0 || below.width <= 0)
      continue;
    link->track = (OlBox){x, above.y + above.height, TRACK * em, PANEL_LINK * em};
    link->label_x = x + (TRACK + 0.35) * em;
    link->label_y = above.y + above.height + PANEL_LINK * em / 2;
    link->label_width = above.width * 0.46 - (TRACK + 0.4) * em;
  }
}

void ol_tiers_layout_init(OlTiersLayout *layout, OlCanvas *canvas, guint i)
{
  Shape shape = get_shape(canvas);
  *layout = (OlTiersLayout){.rank = canvas->view != NULL ? canvas->view->rank : 0,
                            .column = shape == COLUMN || shape == PANELS};
  if (shape == PANELS)
    place_panel(layout, canvas, i);
  else if (shape == COLUMN)
    place_column(layout, canvas);
  else
    place_row(layout, canvas, shape);
  for (int l = 0; l < OL_N_LINKS; l++) {
    layout->links[l].lane = links[l].lane;
    layout->links[l].onward = links[l].onward;
  }
}
