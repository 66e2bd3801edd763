#include "app/charts/tiers-links.h"

#include "app/charts/chart-rooms.h"
#include "app/charts/level.h"
#include "app/charts/moment.h"
#include "app/charts/queue.h"
#include "app/charts/tiers-words.h"
#include "engine/base/intl.h"

#include <math.h>

/* Blocks on their way: as many as fit with gaps, moving with the copy's progress. */
static void draw_blocks(OlCanvas *canvas, const OlLinkPlace *link, OlColour colour,
                        OlColour outline, double progress)
{
  double em = canvas->em, block = 0.85 * em, pitch = 1.75 * em;
  gboolean upright = link->track.height > link->track.width;
  double length = upright ? link->track.height : link->track.width;
  double shift = fmod(progress * 4 * pitch, pitch);
  cairo_save(canvas->cairo);
  ol_paint_round_path(canvas, link->track, 0.28 * em);
  cairo_clip(canvas->cairo);
  for (double at = shift - pitch; at < length; at += pitch) {
    double along = link->onward ? at : length - at - block;
    OlBox box = upright ? (OlBox){link->track.x, link->track.y + along, link->track.width, block}
                        : (OlBox){link->track.x + along, link->track.y, block, link->track.height};
    ol_paint_fill(canvas, box, 0.16 * em, colour);
    ol_paint_outline(canvas, box, 0.16 * em, 0.08 * em, outline);
  }
  cairo_restore(canvas->cairo);
}

static const char *arrow_of(const OlTiersLayout *layout, const OlLinkPlace *link)
{
  if (layout->column)
    return link->onward ? "↓" : "↑";
  return link->onward ? "→" : "←";
}

/* "2 waiting": copies that are ready while the link is at another. */
static char *dup_queue(const OlChartView *view, OlLane lane)
{
  OlQueue queue = ol_queue_at_moment(view, lane);
  return queue.n > 0 ? g_strdup_printf(_("%u waiting"), queue.n) : g_strdup("");
}

static OlAlign align_of(const OlTiersLayout *layout)
{
  return layout->column ? OL_ALIGN_LEFT : OL_ALIGN_CENTRE;
}

/* "→ 24 GB/s", and `queue` behind it where that has no line of its own and there is room. */
static char *dup_rate(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link,
                      const char *queue)
{
  g_autofree char *rate = ol_moment_dup_lane_rate(canvas->view, link->lane);
  g_autofree char *brief =
      g_strdup_printf("%s %s", arrow_of(layout, link), rate != NULL ? rate : _("idle"));
  g_autofree char *whole = g_strdup_printf("%s · %s", brief, queue);
  gboolean joined = *queue && link->queue_y <= 0;
  return g_strdup(ol_tiers_choose(canvas, OL_TEXT_SMALL, link->label_width, 1,
                                  joined ? whole : brief, brief, NULL));
}

static void draw_words(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link,
                       OlColour ink)
{
  g_autofree char *queue = dup_queue(canvas->view, link->lane);
  g_autofree char *rate = dup_rate(canvas, layout, link, queue);
  if (*queue && link->queue_y > 0)
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_text(canvas->style), link->label_x, link->queue_y,
                 OL_ALIGN_CENTRE, link->label_width, queue);
  ol_text_draw(canvas, OL_TEXT_SMALL, ink, link->label_x, link->label_y, align_of(layout),
               link->label_width, rate);
}

/* It has never carried anything. */
static gboolean is_idle_for_good(const OlChartView *view, OlLane lane)
{
  return ol_moment_is_empty(view) || ol_trace_index_lane_count(view->index, view->rank, lane) == 0;
}

void ol_tiers_link_draw(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link)
{
  const OlChartView *view = canvas->view;
  const OlChartStyle *style = canvas->style;
  gboolean idle_for_good = is_idle_for_good(view, link->lane);
  OlColour track =
      ol_colour_mix(ol_style_background(style), ol_style_line(style), idle_for_good ? 0.6 : 1);
  ol_paint_fill(canvas, link->track, 0.28 * canvas->em, track);
  if (view->shown_lane == (int)link->lane)
    ol_paint_outline(canvas, link->track, 0.28 * canvas->em, 0.14 * canvas->em,
                     ol_style_accent(style));
  if (idle_for_good)
    return;
  int active = ol_moment_active_span(view, link->lane);
  if (active >= 0) {
    const OlSpan *span = ol_trace_span(view->trace, (guint)active);
    OlPayload payload = ol_level_span_payload(view->trace, (guint)active);
    double length = (double)(span->end_ns - span->begin_ns);
    double progress = length > 0 ? (double)(ol_moment_ns(view) - span->begin_ns) / length : 0;
    draw_blocks(canvas, link, ol_style_payload(style, payload),
                ol_style_payload_outline(style, payload), MAX(progress, 0));
  }
  draw_words(canvas, layout, link, active >= 0 ? ol_style_text(style) : ol_style_dim_text(style));
}

void ol_tiers_link_numbers(OlCanvas *canvas, const OlTiersLayout *layout, const OlLinkPlace *link,
                           GArray *numbers)
{
  OlNumber rate = ol_number(OL_NUMBER_RATE, canvas->view->rank), waiting = rate;
  if (is_idle_for_good(canvas->view, link->lane))
    return;
  g_autofree char *queue = dup_queue(canvas->view, link->lane);
  g_autofree char *words = dup_rate(canvas, layout, link, queue);
  rate.lane = waiting.lane = (int)link->lane;
  waiting.kind = OL_NUMBER_QUEUE;
  ol_numbers_add(numbers, rate,
                 ol_text_box(canvas, OL_TEXT_SMALL, link->label_x, link->label_y, align_of(layout),
                             link->label_width, words));
  if (*queue && link->queue_y > 0)
    ol_numbers_add(numbers, waiting,
                   ol_text_box(canvas, OL_TEXT_SMALL, link->label_x, link->queue_y, OL_ALIGN_CENTRE,
                               link->label_width, queue));
}
