#include "app/charts/tiers-layout.h"

#include "app/charts/tiers-words.h"
#include "engine/base/intl.h"

/* In ems. */
#define EDGE       1.0
#define PAD        0.85 /* inside a box */
#define LINE       1.55 /* of text */
#define ROW_BAR    4.6
#define COLUMN_BAR 2.5
#define MOST_BAR   11.5 /* of a row, where there is height to spare */
#define GAP_PAD    0.4  /* beside the words between boxes in a row */
#define WIDE_GAP   11.0
#define COLUMN_GAP 2.9
#define TRACK      0.55
#define ROW_SLACK  0.9
#define CAPTION    1.15 /* of a caption's second line */
#define SECOND     1.3  /* of an amount's second line */

#define NAME_GAP 0.5 /* between name and amount in one line */

/* Narrower than this, or without room for name and amount, a row's boxes have them on lines of
 * their own… */
#define COMPACT 57.0
/* …and narrower than this they stand in a column. */
#define NARROW 39.0

/* Panels of ranks side by side, in ems: room for an amount in a line of its own. */
#define PANEL           13.2
#define PANEL_PAD       0.6
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

/* Room for "NVMe 16.3 MiB / 16.4 GiB" in a line. */
static double line_width(OlCanvas *canvas, OlTextRole role)
{
  return ol_text_width(canvas, OL_TEXT_STRONG, ol_tier_name(OL_TIER_NVME)) + NAME_GAP * canvas->em +
         ol_tiers_amount_width(canvas, role);
}

static guint count_in_row(const OlCanvas *canvas)
{
  double ems = canvas->width / canvas->em - 2 * EDGE + PANEL_GAP;
  return (guint)MAX(ems / (PANEL + PANEL_GAP), 1);
}

/* Between boxes in a row: room for the widest rate. */
static double row_gap(OlCanvas *canvas)
{
  double rate = ol_text_width(canvas, OL_TEXT_SMALL, _("→ 1000 MB/s")) + GAP_PAD * canvas->em;
  return CLAMP(0.1 * canvas->width, rate, WIDE_GAP * canvas->em);
}

/* Of a box in a row; NVMe's is the narrowest. */
static double row_width(OlCanvas *canvas, int tier)
{
  static const double shares[OL_N_TIERS] = {1.02 / 3, 1.04 / 3, 0.94 / 3};
  return (canvas->width - 2 * EDGE * canvas->em - 2 * row_gap(canvas)) * shares[tier];
}

static gboolean row_has_room(OlCanvas *canvas, double width)
{
  return width <= row_width(canvas, OL_TIER_NVME) - 2 * PAD * canvas->em;
}

static Shape get_shape(OlCanvas *canvas)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(canvas->view);
  if (ranks->n > 1 && ranks->n <= PANEL_MOST_ROWS * count_in_row(canvas) &&
      count_in_row(canvas) > 1)
    return PANELS;
  double ems = canvas->width / canvas->em;
  if (ems < NARROW)
    return COLUMN;
  return ems >= COMPACT && row_has_room(canvas, line_width(canvas, OL_TEXT_BODY)) ? WIDE_ROW
                                                                                  : COMPACT_ROW;
}

/* In a compact row an amount has a line of its own, or one for what is held and one for the
 * capacity. */
static int count_amount_lines(OlCanvas *canvas, Shape shape)
{
  return shape == COMPACT_ROW && !row_has_room(canvas, ol_tiers_amount_width(canvas, OL_TEXT_BODY))
             ? 2
             : 1;
}

static double box_ems(OlCanvas *canvas, Shape shape)
{
  double bar = shape == COLUMN ? COLUMN_BAR : ROW_BAR;
  double more =
      shape == COMPACT_ROW ? LINE + CAPTION + (count_amount_lines(canvas, shape) - 1) * SECOND : 0;
  return 2 * PAD + LINE * 2 + bar + 0.35 + more;
}

/* Rows of as many panels as fit, evenly filled. */
static guint count_rows(OlCanvas *canvas)
{
  guint in_row = count_in_row(canvas);
  return (ol_chart_view_get_ranks(canvas->view)->n + in_row - 1) / in_row;
}

static guint count_filled(OlCanvas *canvas)
{
  guint rows = count_rows(canvas);
  return (ol_chart_view_get_ranks(canvas->view)->n + rows - 1) / rows;
}

static double panel_width(OlCanvas *canvas)
{
  guint n = count_filled(canvas);
  return (canvas->width - (2 * EDGE + (n - 1) * PANEL_GAP) * canvas->em) / n;
}

static double panel_text_width(OlCanvas *canvas)
{
  return panel_width(canvas) - 4 * PANEL_PAD * canvas->em;
}

/* Name and amount stand in one line. */
static gboolean panel_has_room(OlCanvas *canvas)
{
  return line_width(canvas, OL_TEXT_SMALL) <= panel_text_width(canvas);
}

static double panel_box_ems(OlCanvas *canvas)
{
  return PAD + LINE * (panel_has_room(canvas) ? 1 : 2) + PANEL_BAR + 0.6;
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

static double panel_ems(OlCanvas *canvas)
{
  guint n = 0;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    n += has_box(canvas, (OlTier)tier);
  return PANEL_HEAD + n * panel_box_ems(canvas) + (n - 1) * PANEL_LINK + PAD;
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
    return canvas->em * (2 * EDGE + 3 * box_ems(canvas, shape) + 2 * COLUMN_GAP);
  return canvas->em * (2 * EDGE + (shape == WIDE_ROW ? 2 * ROW_SLACK : 0) + box_ems(canvas, shape));
}

static gboolean is_row(Shape shape)
{
  return shape == WIDE_ROW || shape == COMPACT_ROW;
}

double ol_tiers_layout_most(OlCanvas *canvas)
{
  return ol_tiers_layout_height(canvas) +
         (is_row(get_shape(canvas)) ? (MOST_BAR - ROW_BAR) * canvas->em : 0);
}

/* By how much a row's bars are higher than they must be. */
static double more_bar(OlCanvas *canvas)
{
  return CLAMP(canvas->height - ol_tiers_layout_height(canvas), 0,
               (MOST_BAR - ROW_BAR) * canvas->em);
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
  place->amount_role = OL_TEXT_BODY;
  place->amount_lines = count_amount_lines(canvas, shape);
  place->second_y = place->amount_y + (place->amount_lines - 1) * SECOND * em;
  place->interior = (OlBox){box.x + pad, place->second_y + LINE * em / 2, place->text_width,
                            shape == COLUMN ? COLUMN_BAR * em : ROW_BAR * em + more_bar(canvas)};
  place->caption_y = place->interior.y + place->interior.height + (0.35 + LINE / 2) * em;
}

static void place_row(OlTiersLayout *layout, OlCanvas *canvas, Shape shape)
{
  double em = canvas->em, gap = row_gap(canvas), x = EDGE * em;
  double height = box_ems(canvas, shape) * em + more_bar(canvas);
  double y = (canvas->height - height) / 2;
  for (int i = 0; i < 3; i++) {
    double width = row_width(canvas, i);
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
    link->label_width = gap - GAP_PAD * em;
  }
}

static void place_column(OlTiersLayout *layout, OlCanvas *canvas)
{
  double em = canvas->em, width = canvas->width - 2 * EDGE * em, y = EDGE * em;
  for (int i = 0; i < 3; i++) {
    layout->tiers[i].box = (OlBox){EDGE * em, y, width, box_ems(canvas, COLUMN) * em};
    place_inside(&layout->tiers[i], canvas, COLUMN);
    y += (box_ems(canvas, COLUMN) + COLUMN_GAP) * em;
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

static void place_panel(OlTiersLayout *layout, OlCanvas *canvas, guint i)
{
  guint in_row = count_filled(canvas);
  double em = canvas->em, gap = PANEL_GAP * em, height = panel_ems(canvas) * em;
  double width = panel_width(canvas);
  layout->rank = i;
  layout->panel = (OlBox){EDGE * em + i % in_row * (width + gap),
                          EDGE * em + i / in_row * (height + gap), width, height};
  layout->title_y = layout->panel.y + PANEL_HEAD * em / 2;
  double y = layout->panel.y + PANEL_HEAD * em, pad = PANEL_PAD * em;
  for (int t = 0; t < 3; t++) {
    OlTierPlace *place = &layout->tiers[t];
    if (!has_box(canvas, (OlTier)t))
      continue;
    *place = (OlTierPlace){.beside = panel_has_room(canvas),
                           .amount_role = OL_TEXT_SMALL,
                           .amount_lines = 1,
                           .text_width = panel_text_width(canvas)};
    place->box = (OlBox){layout->panel.x + pad, y, width - 2 * pad, panel_box_ems(canvas) * em};
    place->head_y = y + (PAD + LINE) * em / 2;
    place->amount_y = place->head_y + (place->beside ? 0 : LINE * em);
    place->interior = (OlBox){layout->panel.x + 2 * pad, place->amount_y + LINE * em / 2,
                              place->text_width, PANEL_BAR * em};
    y += (panel_box_ems(canvas) + PANEL_LINK) * em;
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
