#include "app/charts/tiers-content.h"

OlTierContent ol_tier_content_get(const OlChartView *view, OlTier tier)
{
  OlTierContent content = {.tier = tier, .used = ol_moment_tier_is_used(view, tier)};
  if (view->trace != NULL)
    content.capacity = (gint64)MIN(ol_trace_capacity(view->trace, view->rank, tier), G_MAXINT64);
  if (ol_moment_is_empty(view))
    return content;
  ol_trace_index_memory_at(view->index, view->rank, tier, ol_moment_ns(view), content.bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    content.total += content.bytes[p];
  content.peak = ol_trace_index_peak(view->index, view->rank, tier, &content.peak_ns);
  OlRefusal refusal;
  if (ol_moment_refusal(view, &refusal) && refusal.tier == tier) {
    content.full = TRUE;
    content.refusal = refusal;
  } else {
    content.full = ol_moment_full_tier(view) == (int)tier;
  }
  return content;
}

/* Cairo units a byte. What is asked beyond the capacity cannot be held, but a damaged trace may
 * say so: then all is drawn smaller. */
double ol_tier_content_scale(const OlTierContent *content, OlBox interior)
{
  gint64 most = MAX(content->capacity, content->peak);
  return most > 0 ? interior.width / (double)most : 0;
}

/* Segment of payload p; FALSE when there is none. Nothing that is there vanishes. */
gboolean ol_tier_content_segment(const OlTierContent *content, OlBox interior, double em,
                                 int payload, OlBox *segment)
{
  double scale = ol_tier_content_scale(content, interior), least = 0.14 * em, x = interior.x;
  for (int p = 0; p <= payload; p++) {
    double width = content->bytes[p] > 0 ? MAX((double)content->bytes[p] * scale, least) : 0;
    *segment = (OlBox){x, interior.y, MIN(width, interior.x + interior.width - x), interior.height};
    x += segment->width;
  }
  return content->bytes[payload] > 0 && segment->width > 0;
}
