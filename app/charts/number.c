#include "app/charts/number.h"

#include "app/charts/bubbles.h"
#include "app/charts/loss-layout.h"
#include "app/charts/memory-peak.h"
#include "app/charts/moment.h"
#include "app/charts/queue.h"
#include "app/charts/tiers-words.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#include <math.h>

OlNumber ol_number(OlNumberKind kind, guint rank)
{
  return (OlNumber){.kind = kind,
                    .rank = rank,
                    .tier = -1,
                    .payload = -1,
                    .lane = -1,
                    .step = -1,
                    .offset = G_MAXINT64};
}

gboolean ol_number_equal(const OlNumber *a, const OlNumber *b)
{
  return a->kind == b->kind && a->rank == b->rank && a->tier == b->tier &&
         a->payload == b->payload && a->lane == b->lane && a->step == b->step &&
         a->offset == b->offset;
}

static char *dup_peak(const OlChartView *view, const OlNumber *number)
{
  OlTier tier = (OlTier)number->tier;
  gint64 when, peak;
  if (number->payload >= 0)
    peak = ol_trace_index_payload_peak(view->index, view->rank, tier, (OlPayload)number->payload,
                                       &when);
  else
    peak = ol_trace_index_peak(view->index, view->rank, tier, &when);
  g_autofree char *words = ol_memory_peak_dup_words(view, peak, when, number->payload);
  return g_strdup_printf("%s %s", ol_tier_name(tier), words);
}

static char *dup_held(const OlChartView *view, const OlNumber *number)
{
  gint64 bytes[OL_N_PAYLOADS], total = 0;
  OlTier tier = (OlTier)number->tier;
  ol_trace_index_memory_at(view->index, view->rank, tier, ol_moment_ns(view), bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    total += bytes[p];
  if (number->payload >= 0) {
    g_autofree char *part = ol_chart_view_dup_bytes(view, (double)bytes[number->payload]);
    return g_strdup_printf(_("%s holds %s of %s"), ol_tier_name(tier), part,
                           ol_payload_name((OlPayload)number->payload));
  }
  guint64 capacity = MIN(ol_trace_capacity(view->trace, view->rank, tier), G_MAXINT64);
  g_autofree char *amount = ol_tiers_dup_amount(view, total, (gint64)capacity);
  return g_strdup_printf(_("%s holds %s"), ol_tier_name(tier), amount);
}

static char *dup_of_lane(const OlChartView *view, const OlNumber *number)
{
  OlLane lane = (OlLane)number->lane;
  g_autofree char *rate = NULL;
  switch (number->kind) {
  case OL_NUMBER_QUEUE:
    return g_strdup_printf(_("%s: %u waiting"), ol_lane_name(lane),
                           ol_queue_at_moment(view, lane).n);
  case OL_NUMBER_BUSY:
    return g_strdup_printf(_("%s busy"), ol_lane_name(lane));
  default:
    rate = ol_moment_dup_lane_rate(view, lane);
    return g_strdup_printf("%s: %s", ol_lane_name(lane), rate != NULL ? rate : _("idle"));
  }
}

static char *dup_share(const char *words, double share)
{
  g_autofree char *percent = isfinite(share) ? ol_moment_dup_percent(share) : g_strdup("");
  return g_strchomp(g_strdup_printf("%s %s", words, percent));
}

static char *dup_of_step(const OlChartView *view, const OlNumber *number)
{
  guint n = view->trace->steps->len;
  guint step = number->step >= 0 ? (guint)number->step : MAX(n, 1) - 1;
  OlPanelKind kind = number->kind == OL_NUMBER_LOSS ? OL_PANEL_LOSS : OL_PANEL_SPEED;
  double value = step < n ? ol_loss_value(view, kind, step) : NAN;
  g_autofree char *figure =
      isfinite(value) ? ol_loss_dup_value(kind, value, 3) : g_strdup(_("unknown"));
  return kind == OL_PANEL_LOSS
             ? g_strdup_printf(_("Loss %s in step %u"), figure, step + 1)
             : g_strdup_printf(_("%s tokens a second in step %u"), figure, step + 1);
}

static char *dup_own_words(const OlChartView *view, const OlNumber *number)
{
  switch (number->kind) {
  case OL_NUMBER_PEAK:
    return dup_peak(view, number);
  case OL_NUMBER_HELD:
  case OL_NUMBER_BLOCKS:
    return dup_held(view, number);
  case OL_NUMBER_RATE:
  case OL_NUMBER_QUEUE:
  case OL_NUMBER_BUSY:
    return dup_of_lane(view, number);
  case OL_NUMBER_HIDDEN:
    return dup_share(_("Hidden"), ol_trace_index_hidden(view->index, view->rank));
  case OL_NUMBER_IDLE:
    return dup_share(_("GPU idle"), ol_bubbles_share(view));
  case OL_NUMBER_LOSS:
  case OL_NUMBER_SPEED:
    return dup_of_step(view, number);
  default:
    return g_strdup("");
  }
}

char *ol_number_dup_words(const OlChartView *view, const OlNumber *number)
{
  if (ol_moment_is_empty(view))
    return g_strdup("");
  const OlChartView of_rank = ol_chart_view_of_rank(view, number->rank);
  g_autofree char *words = dup_own_words(&of_rank, number);
  gboolean of_all = number->kind == OL_NUMBER_LOSS || number->kind == OL_NUMBER_SPEED;
  if (!ol_chart_view_has_ranks(view) || of_all)
    return g_steal_pointer(&words);
  return g_strdup_printf(_("Rank %u: %s"), number->rank, words);
}

const char *ol_number_get_promise(OlNumberKind kind)
{
  static const char *const promises[OL_N_NUMBERS] = {
      [OL_NUMBER_PEAK] = N_("press: that moment, and what computes then"),
      [OL_NUMBER_HELD] = N_("press: this moment in Memory over time"),
      [OL_NUMBER_BLOCKS] = N_("press: the block, and the spans that made and freed it"),
      [OL_NUMBER_RATE] = N_("press: the copy"),
      [OL_NUMBER_QUEUE] = N_("press: the first that waits"),
      [OL_NUMBER_BUSY] = N_("press: the longest span"),
      [OL_NUMBER_HIDDEN] = N_("press: what is exposed"),
      [OL_NUMBER_IDLE] = N_("press: the longest wait"),
      [OL_NUMBER_LOSS] = N_("press: that step in all views"),
      [OL_NUMBER_SPEED] = N_("press: that step in all views"),
  };
  return promises[kind] != NULL ? _(promises[kind]) : "";
}
