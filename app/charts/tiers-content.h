/* What a tier's box shows: what it holds at the moment that the view shows, to the scale of its
 * capacity. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/moment.h"

G_BEGIN_DECLS

typedef struct {
  OlTier tier;
  gint64 bytes[OL_N_PAYLOADS], total;
  gint64 capacity, peak, peak_ns;
  gboolean used, full; /* full: a block did not fit */
  OlRefusal refusal;   /* bytes 0: not known */
} OlTierContent;

/* Of the view's rank. */
OlTierContent ol_tier_content_get(const OlChartView *view, OlTier tier);
/* Cairo units a byte in an interior as wide as the capacity. */
double ol_tier_content_scale(const OlTierContent *content, OlBox interior);
/* Where payload p is drawn; FALSE when there is none. */
gboolean ol_tier_content_segment(const OlTierContent *content, OlBox interior, double em,
                                 int payload, OlBox *segment);

G_END_DECLS
