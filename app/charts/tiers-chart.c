/* Where the bytes are: a box a memory, filled to the scale of its capacity, and the links between
 * them with the blocks that travel at this moment. */
#include "app/charts/chart-rooms.h"
#include "app/charts/level.h"
#include "app/charts/refused.h"
#include "app/charts/tiers-content.h"
#include "app/charts/tiers-links.h"
#include "app/charts/tiers-words.h"
#include "app/charts/ties.h"
#include "engine/base/intl.h"

static gboolean is_faded(const OlChartView *view, OlTier tier, int payload)
{
  return (view->shown_payload >= 0 && view->shown_payload != payload) ||
         (view->shown_tier >= 0 && view->shown_tier != (int)tier);
}

static void draw_segment_name(OlCanvas *canvas, OlBox segment, OlColour ink, int payload)
{
  const char *name = ol_payload_name((OlPayload)payload);
  if (ol_text_width(canvas, OL_TEXT_SMALL_STRONG, name) <= segment.width - 0.7 * canvas->em)
    ol_text_draw(canvas, OL_TEXT_SMALL_STRONG, ink, segment.x + segment.width / 2,
                 segment.y + segment.height / 2, OL_ALIGN_CENTRE, 0, name);
}

/* A buffer of it is, in Memory over time. */
static gboolean is_selected(const OlChartView *view, OlTier tier, int payload)
{
  if (view->ties == NULL || !view->ties->is_layer)
    return FALSE;
  const OlGraphBuffer *buffer = ol_graph_buffer(view->trace->graph, view->ties->layer.buffer);
  return buffer->rank == view->rank && buffer->tier == tier && (int)buffer->payload == payload;
}

static void draw_segments(OlCanvas *canvas, const OlTierContent *content, OlBox interior)
{
  double em = canvas->em;
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlBox segment;
    if (!ol_tier_content_segment(content, interior, em, p, &segment))
      continue;
    OlColour fill = ol_style_payload(canvas->style, (OlPayload)p);
    OlColour outline = ol_style_payload_outline(canvas->style, (OlPayload)p);
    OlColour ink = ol_colour_on(canvas->style, fill);
    if (is_faded(canvas->view, content->tier, p)) {
      ink = ol_style_dim_text(canvas->style);
      fill = ol_colour_faded(canvas->style, fill);
      outline = ol_colour_faded(canvas->style, outline);
    }
    OlBox inner = {segment.x + 0.06 * em, segment.y + 0.14 * em,
                   MAX(segment.width - 0.12 * em, 0.1 * em), segment.height - 0.28 * em};
    ol_paint_fill(canvas, inner, 0.14 * em, fill);
    ol_paint_outline(canvas, inner, 0.14 * em, 0.08 * em, outline);
    if (is_selected(canvas->view, content->tier, p))
      ol_paint_outline(canvas, segment, 0.14 * em, 0.17 * em, ol_style_accent(canvas->style));
    draw_segment_name(canvas, inner, ink, p);
  }
}

/* A notch below and above the bar where it was fullest. */
static void draw_peak_mark(OlCanvas *canvas, const OlTierContent *content, OlBox interior)
{
  if (content->peak <= 0)
    return;
  double x = interior.x + (double)content->peak * ol_tier_content_scale(content, interior);
  double em = canvas->em, half = 0.32 * em, bottom = interior.y + interior.height;
  OlColour ink = ol_style_text(canvas->style);
  if (content->peak > content->total && !content->full)
    ol_paint_line(canvas, x, interior.y + 0.15 * em, x, bottom - 0.15 * em, 0.08 * em,
                  ol_style_dim_text(canvas->style), TRUE);
  cairo_new_path(canvas->cairo);
  cairo_move_to(canvas->cairo, x - half, bottom + 0.5 * em);
  cairo_line_to(canvas->cairo, x + half, bottom + 0.5 * em);
  cairo_line_to(canvas->cairo, x, bottom + 0.04 * em);
  cairo_close_path(canvas->cairo);
  ol_paint_set(canvas, ink);
  cairo_fill(canvas->cairo);
}

/* The block that did not fit: it begins where the content ends, to scale, and sticks out as far as
 * there is room beside the box. (Within the box when only holes too small for it were left.) */
static void draw_refused(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  if (content->refusal.bytes == 0)
    return;
  OlBox last = place->interior;
  double em = canvas->em, begin = last.x;
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    if (ol_tier_content_segment(content, place->interior, em, p, &last))
      begin = last.x + last.width;
  double width = (double)content->refusal.bytes * ol_tier_content_scale(content, place->interior);
  double edge = place->interior.x + place->interior.width;
  double furthest = MIN(place->box.x + place->box.width + 1.6 * em, canvas->width - 0.3 * em);
  double end = MIN(begin + MAX(width, 0.3 * em), furthest);
  OlBox ghost = {begin + 0.06 * em, place->interior.y + 0.45 * em, end - begin - 0.06 * em,
                 place->interior.height - 0.9 * em};
  ol_refused_draw(canvas, ghost, content->refusal.payload);
  ol_paint_line(canvas, edge, place->interior.y - 0.25 * em, edge,
                place->interior.y + place->interior.height + 0.25 * em, 0.16 * em,
                ol_style_capacity(canvas->style), FALSE);
}

/* The caption is the peak, named. */
static gboolean has_peak(const OlChartView *view, const OlTierContent *content)
{
  return !ol_moment_is_empty(view) && !content->full && content->used;
}

static char *dup_caption(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  const OlChartView *view = canvas->view;
  OlTextRole role = content->full ? OL_TEXT_SMALL_STRONG : OL_TEXT_SMALL;
  if (ol_moment_is_empty(view))
    return g_strdup(content->tier == OL_TIER_GPU ? _("a run fills it") : _("nothing yet"));
  if (content->full && content->refusal.bytes > 0) {
    g_autofree char *brief = ol_refused_dup_brief(view, &content->refusal);
    g_autofree char *whole = ol_refused_dup_words(view, &content->refusal);
    return g_strdup(
        ol_tiers_choose(canvas, role, place->text_width, place->caption_lines, whole, brief, NULL));
  }
  if (content->full)
    return g_strdup(_("out of memory"));
  if (!has_peak(view, content))
    return g_strdup(ol_tiers_choose(canvas, role, place->text_width, place->caption_lines,
                                    _("not used in this run"), _("not used"), NULL));
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)content->peak);
  const char *unit = content->peak_ns > 0 ? ol_moment_unit_at(view, content->peak_ns) : NULL;
  g_autofree char *brief = g_strdup_printf(_("peak %s"), bytes);
  g_autofree char *whole = g_strdup_printf("%s, %s", brief, unit != NULL ? unit : "");
  return g_strdup(ol_tiers_choose(canvas, role, place->text_width, place->caption_lines,
                                  unit != NULL ? whole : brief, brief, NULL));
}

static void draw_caption(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  OlTextRole role = content->full ? OL_TEXT_SMALL_STRONG : OL_TEXT_SMALL;
  OlColour ink =
      content->full ? ol_style_capacity(canvas->style) : ol_style_dim_text(canvas->style);
  double left = place->interior.x, width = place->text_width;
  if (place->caption_lines == 0)
    return;
  g_autofree char *caption = dup_caption(canvas, content, place);
  if (place->caption_lines == 1) {
    ol_text_draw(canvas, role, ink, left, place->caption_y, OL_ALIGN_LEFT, width, caption);
    return;
  }
  OlBox box = {left, place->caption_y - 0.55 * canvas->em, width, 0};
  ol_text_draw_paragraph(canvas, role, ink, box, OL_ALIGN_LEFT, place->caption_lines, caption);
}

static void draw_amount(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  const OlChartView *view = canvas->view;
  OlColour dim = ol_style_dim_text(canvas->style);
  double left = place->interior.x, room = place->text_width;
  g_autofree char *amount = NULL, *total = NULL, *of = NULL;
  if (view->trace == NULL || (content->capacity <= 0 && !content->used))
    return;
  if (place->amount_lines == 1) {
    amount = ol_tiers_dup_amount(view, content->total, content->capacity);
    ol_text_draw(canvas, place->amount_role, dim, place->beside ? left + room : left,
                 place->amount_y, place->beside ? OL_ALIGN_RIGHT : OL_ALIGN_LEFT, room, amount);
    return;
  }
  ol_tiers_dup_amount_lines(view, content->total, content->capacity, &total, &of);
  ol_text_draw(canvas, place->amount_role, dim, left, place->amount_y, OL_ALIGN_LEFT, room, total);
  ol_text_draw(canvas, place->amount_role, dim, left, place->second_y, OL_ALIGN_LEFT, room, of);
}

static void draw_words(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  const OlChartStyle *style = canvas->style;
  gboolean shown = canvas->view->shown_tier == (int)content->tier;
  OlColour ink = shown           ? ol_style_accent(style)
                 : content->used ? ol_style_text(style)
                                 : ol_style_dim_text(style);
  ol_text_draw(canvas, OL_TEXT_STRONG, ink, place->interior.x, place->head_y, OL_ALIGN_LEFT,
               place->text_width, ol_tier_name(content->tier));
  draw_amount(canvas, content, place);
  draw_caption(canvas, content, place);
}

static void draw_tier(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place)
{
  const OlChartStyle *style = canvas->style;
  double em = canvas->em, line = 0.08 * em;
  gboolean shown = canvas->view->shown_tier == (int)content->tier;
  gboolean quiet = !content->used;
  OlColour ground = ol_colour_mix(ol_style_background(style), ol_style_line(style), 0.16);
  ol_paint_fill(canvas, place->box, 0.6 * em, ground);
  ol_paint_outline(canvas, place->box, 0.6 * em, shown ? 0.17 * em : line,
                   shown ? ol_style_accent(style) : ol_style_line(style));
  ol_paint_fill(canvas, place->interior, 0.25 * em, ol_style_background(style));
  ol_paint_outline(canvas, place->interior, 0.25 * em, line,
                   ol_colour_mix(ol_style_line(style), ol_style_text(style), quiet ? 0.1 : 0.35));
  draw_segments(canvas, content, place->interior);
  draw_peak_mark(canvas, content, place->interior);
  draw_words(canvas, content, place);
}

double ol_tiers_chart_height(OlCanvas *canvas)
{
  return ol_tiers_layout_height(canvas);
}

static void draw_panel(OlCanvas *canvas, const OlTiersLayout *layout)
{
  const OlChartStyle *style = canvas->style;
  gboolean selected = layout->rank == canvas->view->rank;
  double em = canvas->em, left = layout->panel.x + 0.8 * em;
  double room = layout->panel.width - 1.6 * em;
  g_autofree char *name = ol_ranks_dup_name(ol_chart_view_get_ranks(canvas->view), layout->rank);
  if (layout->panel.width <= 0)
    return;
  if (ol_text_width(canvas, OL_TEXT_STRONG, name) > room) { /* the grid above tells its place */
    g_free(name);
    name = g_strdup_printf(_("Rank %u"), layout->rank);
  }
  ol_paint_outline(canvas, layout->panel, 0.6 * em, selected ? 0.17 * em : 0.08 * em,
                   selected ? ol_style_accent(style) : ol_style_line(style));
  ol_text_draw(canvas, selected ? OL_TEXT_STRONG : OL_TEXT_BODY,
               selected ? ol_style_accent(style) : ol_style_text(style), left, layout->title_y,
               OL_ALIGN_LEFT, room, name);
}

static void draw_rank(OlCanvas *canvas, guint i)
{
  OlTiersLayout layout;
  ol_tiers_layout_init(&layout, canvas, i);
  const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, layout.rank);
  OlCanvas part = *canvas;
  draw_panel(canvas, &layout);
  part.view = &of_rank;
  for (int l = 0; l < OL_N_LINKS; l++)
    if (layout.links[l].track.width > 0)
      ol_tiers_link_draw(&part, &layout, &layout.links[l]);
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    OlTierContent content = ol_tier_content_get(&of_rank, (OlTier)tier);
    if (layout.tiers[tier].box.width <= 0)
      continue;
    draw_tier(&part, &content, &layout.tiers[tier]);
    if (content.full)
      draw_refused(&part, &content, &layout.tiers[tier]);
  }
}

void ol_tiers_chart_draw(OlCanvas *canvas)
{
  for (guint i = 0; i < ol_tiers_layout_count(canvas); i++)
    draw_rank(canvas, i);
}

static void hit_tier(OlCanvas *canvas, const OlTiersLayout *layout, int tier, double x, double y,
                     OlChartHit *hit)
{
  OlTierContent content = ol_tier_content_get(canvas->view, (OlTier)tier);
  hit->tier = tier;
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlBox segment;
    if (ol_tier_content_segment(&content, layout->tiers[tier].interior, canvas->em, p, &segment) &&
        ol_box_contains(segment, x, y)) {
      hit->payload = p;
      hit->offset = (gint64)((x - segment.x) / segment.width * (double)content.bytes[p]);
    }
  }
}

static void hit_link(OlCanvas *canvas, const OlLinkPlace *link, OlChartHit *hit)
{
  hit->lane = (int)link->lane;
  hit->span = ol_moment_active_span(canvas->view, link->lane);
  if (hit->span >= 0)
    hit->payload = (int)ol_level_span_payload(canvas->view->trace, (guint)hit->span);
}

static void hit_rank(OlCanvas *canvas, const OlTiersLayout *layout, double x, double y,
                     OlChartHit *hit)
{
  const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, layout->rank);
  double reach = 0.6 * canvas->em;
  OlCanvas part = *canvas;
  part.view = &of_rank;
  if (ol_box_contains(layout->panel, x, y))
    hit->rank = (int)layout->rank;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    if (ol_box_contains(layout->tiers[tier].box, x, y))
      hit_tier(&part, layout, tier, x, y, hit);
  for (int i = 0; i < OL_N_LINKS && hit->tier < 0; i++) {
    OlBox track = layout->links[i].track;
    OlBox near = {track.x - reach, track.y - reach, track.width + 2 * reach,
                  track.height + 2 * reach};
    if (ol_box_contains(near, x, y))
      hit_link(&part, &layout->links[i], hit);
  }
}

void ol_tiers_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  for (guint i = 0; i < ol_tiers_layout_count(canvas); i++) {
    OlTiersLayout layout;
    ol_tiers_layout_init(&layout, canvas, i);
    hit_rank(canvas, &layout, x, y, hit);
  }
}

static OlNumber number_of(const OlChartView *view, const OlTierContent *content, OlNumberKind kind)
{
  OlNumber number = ol_number(kind, view->rank);
  number.tier = (int)content->tier;
  return number;
}

static void add_amount(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place,
                       GArray *numbers)
{
  g_autofree char *amount = ol_tiers_dup_amount(canvas->view, content->total, content->capacity);
  double left = place->interior.x, room = place->text_width;
  OlBox box =
      ol_text_box(canvas, place->amount_role, place->beside ? left + room : left, place->amount_y,
                  place->beside ? OL_ALIGN_RIGHT : OL_ALIGN_LEFT, room, amount);
  box.height += (place->amount_lines - 1) * (place->second_y - place->amount_y);
  ol_numbers_add(numbers, number_of(canvas->view, content, OL_NUMBER_HELD), box);
}

static void add_peak(OlCanvas *canvas, const OlTierContent *content, const OlTierPlace *place,
                     GArray *numbers)
{
  g_autofree char *caption = dup_caption(canvas, content, place);
  OlBox box = ol_text_box(canvas, OL_TEXT_SMALL, place->interior.x, place->caption_y, OL_ALIGN_LEFT,
                          place->text_width, caption);
  if (place->caption_lines > 1 && box.width >= place->text_width) /* on a second line, too */
    box.height *= 2;
  ol_numbers_add(numbers, number_of(canvas->view, content, OL_NUMBER_PEAK), box);
}

static void add_tier(OlCanvas *canvas, const OlTierPlace *place, OlTier tier, GArray *numbers)
{
  OlTierContent content = ol_tier_content_get(canvas->view, tier);
  if (place->box.width <= 0 || !content.used)
    return;
  add_amount(canvas, &content, place, numbers);
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlNumber blocks = number_of(canvas->view, &content, OL_NUMBER_BLOCKS);
    OlBox segment;
    blocks.payload = p;
    if (ol_tier_content_segment(&content, place->interior, canvas->em, p, &segment))
      ol_numbers_add(numbers, blocks, segment);
  }
  if (place->caption_lines > 0 && has_peak(canvas->view, &content))
    add_peak(canvas, &content, place, numbers);
}

void ol_tiers_chart_numbers(OlCanvas *canvas, GArray *numbers)
{
  for (guint i = 0; i < ol_tiers_layout_count(canvas); i++) {
    OlTiersLayout layout;
    ol_tiers_layout_init(&layout, canvas, i);
    const OlChartView of_rank = ol_chart_view_of_rank(canvas->view, layout.rank);
    OlCanvas part = *canvas;
    part.view = &of_rank;
    for (int tier = 0; tier < OL_N_TIERS; tier++)
      add_tier(&part, &layout.tiers[tier], (OlTier)tier, numbers);
    for (int l = 0; l < OL_N_LINKS; l++)
      if (layout.links[l].track.width > 0)
        ol_tiers_link_numbers(&part, &layout, &layout.links[l], numbers);
  }
}
