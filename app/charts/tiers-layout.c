#include "app/charts/tiers-layout.h"

/* In ems. */
#define EDGE       1.0
#define PAD        0.85 /* inside a box */
#define LINE       1.55 /* of text */
#define ROW_BAR    4.6
#define COLUMN_BAR 2.5
#define GAP        6.6 /* between boxes in a row: room for "→ 888 MB/s" */
#define WIDE_GAP   11.0
#define COLUMN_GAP 2.9
#define TRACK      0.55
#define NARROW     50.0 /* below this width boxes stand in a column */
#define ROW_SLACK  0.9

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

static double box_ems(gboolean column)
{
  /* A row's boxes are too narrow to be sure that name and amount fit into one line. */
  return 2 * PAD + LINE * 2 + (column ? COLUMN_BAR : ROW_BAR) + 0.35;
}

static gboolean is_column(const OlCanvas *canvas)
{
  return canvas->width < NARROW * canvas->em;
}

double ol_tiers_layout_height(OlCanvas *canvas)
{
  return canvas->em * (is_column(canvas) ? 2 * EDGE + 3 * box_ems(TRUE) + 2 * COLUMN_GAP
                                         : 2 * EDGE + 2 * ROW_SLACK + box_ems(FALSE));
}

static void place_inside(OlTierPlace *place, OlCanvas *canvas, gboolean column)
{
  double em = canvas->em, pad = PAD * em;
  OlBox box = place->box;
  place->text_width = box.width - 2 * pad;
  place->head_y = box.y + pad + LINE * em / 2;
  place->amount_y = place->head_y;
  place->interior = (OlBox){box.x + pad, box.y + pad + LINE * em, place->text_width,
                            (column ? COLUMN_BAR : ROW_BAR) * em};
  place->caption_y = place->interior.y + place->interior.height + (0.35 + LINE / 2) * em;
}

static void place_row(OlTiersLayout *layout, OlCanvas *canvas)
{
  static const double shares[] = {1.08, 1.12, 0.8};
  double em = canvas->em, gap = CLAMP(0.1 * canvas->width, GAP * em, WIDE_GAP * em);
  double total = shares[0] + shares[1] + shares[2];
  double room = canvas->width - 2 * EDGE * em - 2 * gap, x = EDGE * em;
  double height = box_ems(FALSE) * em, y = (canvas->height - height) / 2;
  for (int i = 0; i < 3; i++) {
    double width = room * shares[i] / total;
    layout->tiers[i].box = (OlBox){x, y, width, height};
    place_inside(&layout->tiers[i], canvas, FALSE);
    x += width + gap;
  }
  for (int i = 0; i < OL_N_LINKS; i++) {
    OlLinkPlace *link = &layout->links[i];
    OlBox left = layout->tiers[links[i].gap].box;
    OlBox bar = layout->tiers[0].interior;
    double track_y = bar.y + bar.height * (links[i].side == 0 ? 0.3 : 0.98);
    link->track = (OlBox){left.x + left.width, track_y - TRACK * em / 2, gap, TRACK * em};
    link->label_x = left.x + left.width + gap / 2;
    link->label_y = track_y - 1.0 * em;
    link->label_width = gap - 0.4 * em;
  }
}

static void place_column(OlTiersLayout *layout, OlCanvas *canvas)
{
  double em = canvas->em, width = canvas->width - 2 * EDGE * em, y = EDGE * em;
  for (int i = 0; i < 3; i++) {
    layout->tiers[i].box = (OlBox){EDGE * em, y, width, box_ems(TRUE) * em};
    place_inside(&layout->tiers[i], canvas, TRUE);
    y += (box_ems(TRUE) + COLUMN_GAP) * em;
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

void ol_tiers_layout_init(OlTiersLayout *layout, OlCanvas *canvas)
{
  layout->column = is_column(canvas);
  if (layout->column)
    place_column(layout, canvas);
  else
    place_row(layout, canvas);
  for (int i = 0; i < OL_N_LINKS; i++) {
    layout->links[i].lane = links[i].lane;
    layout->links[i].onward = links[i].onward;
  }
}
