#include "app/charts/refused.h"

#include "engine/base/intl.h"

void ol_refused_draw(OlCanvas *canvas, OlBox box, OlPayload payload)
{
  double em = canvas->em;
  OlColour fill = ol_style_payload(canvas->style, payload);
  ol_paint_fill(canvas, box, 0.2 * em,
                ol_colour_with_alpha(ol_style_background(canvas->style), 0.7));
  ol_paint_hatch(canvas, box, OL_HATCH_RISING, ol_colour_with_alpha(fill, 0.75));
  ol_paint_dashed_outline(canvas, box, 0.2 * em, 0.16 * em, ol_style_capacity(canvas->style));
}

char *ol_refused_dup_brief(const OlChartView *view, const OlRefusal *refusal)
{
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)refusal->bytes);
  return g_strdup_printf(_("no room for %s"), bytes);
}

char *ol_refused_dup_words(const OlChartView *view, const OlRefusal *refusal)
{
  g_autofree char *brief = ol_refused_dup_brief(view, refusal);
  return g_strdup_printf(_("%s of %s"), brief, ol_payload_name(refusal->payload));
}

char *ol_refused_dup_sentence(const OlChartView *view, const OlRefusal *refusal)
{
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)refusal->bytes);
  return g_strdup_printf(_("There was no room for %s more of %s on %s."), bytes,
                         ol_payload_name(refusal->payload), ol_tier_name(refusal->tier));
}
