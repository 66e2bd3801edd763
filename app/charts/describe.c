/* What a chart shows, in sentences, for who does not see it. */
#include "app/charts/charts.h"
#include "app/charts/moment.h"
#include "engine/base/clock.h"

#include <math.h>

static void append_payloads(GString *text, const OlChartView *view, const gint64 *bytes)
{
  const char *before = ": ";
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    if (bytes[p] <= 0)
      continue;
    g_autofree char *size = ol_chart_view_dup_bytes(view, (double)bytes[p]);
    g_string_append_printf(text, "%s%s %s", before, ol_payload_name((OlPayload)p), size);
    before = ", ";
  }
}

static void describe_tier(GString *text, const OlChartView *view, OlTier tier)
{
  const char *name = ol_tier_name(tier);
  if (!ol_moment_tier_is_used(view, tier)) {
    g_string_append_printf(text, "%s is not used in this run. ", name);
    return;
  }
  gint64 bytes[OL_N_PAYLOADS], total = 0;
  ol_trace_index_memory_at(view->index, view->rank, tier, ol_moment_ns(view), bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    total += bytes[p];
  g_autofree char *held = ol_chart_view_dup_bytes(view, (double)total);
  g_string_append_printf(text, "%s holds %s", name, held);
  guint64 capacity = ol_trace_capacity(view->trace, view->rank, tier);
  if (capacity > 0) {
    g_autofree char *of = ol_chart_view_dup_bytes(view, (double)capacity);
    g_string_append_printf(text, " of %s", of);
  }
  append_payloads(text, view, bytes);
  g_string_append(text, ". ");
  OlRefusal refusal;
  if (ol_moment_refusal(view, &refusal) && refusal.tier == tier) {
    g_autofree char *size = ol_chart_view_dup_bytes(view, (double)refusal.bytes);
    g_string_append_printf(text, "There was no room for %s more of %s. ", size,
                           ol_payload_name(refusal.payload));
  }
}

static void describe_memory(GString *text, const OlChartView *view, OlTier tier)
{
  gint64 peak_ns, peak = ol_trace_index_peak(view->index, view->rank, tier, &peak_ns);
  if (peak <= 0) {
    g_string_append_printf(text, "%s is not used in this run. ", ol_tier_name(tier));
    return;
  }
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)peak);
  g_autofree char *when = ol_chart_view_dup_seconds(view, (double)peak_ns / OL_NS_PER_SECOND);
  const char *unit = ol_moment_unit_at(view, peak_ns);
  g_string_append_printf(text, "%s peaks at %s after %s%s%s", ol_tier_name(tier), bytes, when,
                         unit != NULL ? ", at " : "", unit != NULL ? unit : "");
  guint64 capacity = ol_trace_capacity(view->trace, view->rank, tier);
  if (capacity > 0) {
    g_autofree char *share = ol_moment_dup_percent((double)peak / (double)capacity);
    g_string_append_printf(text, ", %s of its capacity", share);
  }
  g_string_append(text, ". ");
}

static void describe_lane(GString *text, const OlChartView *view, OlLane lane)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, view->begin_ns, view->end_ns, &first, &n);
  if (n == 0) {
    g_string_append_printf(text, "%s: nothing. ", ol_lane_name(lane));
    return;
  }
  gint64 busy = ol_trace_index_busy(view->index, view->rank, lane, view->begin_ns, view->end_ns);
  double share = (double)busy / (double)MAX(view->end_ns - view->begin_ns, 1);
  g_string_append_printf(text, "%s: %u span%s, busy %.0f %%. ", ol_lane_name(lane), n,
                         n == 1 ? "" : "s", 100 * share);
}

static void describe_lanes(GString *text, const OlChartView *view)
{
  g_autofree char *begin =
      ol_chart_view_dup_seconds(view, (double)view->begin_ns / OL_NS_PER_SECOND);
  g_autofree char *end = ol_chart_view_dup_seconds(view, (double)view->end_ns / OL_NS_PER_SECOND);
  g_string_append_printf(text, "From %s to %s. ", begin, end);
  int n_lanes = view->trace->graph->n_ranks > 1 ? OL_N_LANES : OL_LANE_PEER;
  for (int lane = 0; lane < n_lanes; lane++)
    describe_lane(text, view, (OlLane)lane);
  double hidden = ol_trace_index_hidden(view->index, view->rank);
  if (isfinite(hidden))
    g_string_append_printf(text, "%.0f %% of the transfers' time lies under compute. ",
                           100 * hidden);
}

char *ol_chart_dup_description(OlChart chart, const OlChartView *view)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "%s. ", ol_chart_title(chart));
  if (ol_moment_is_empty(view))
    g_string_append(text, "Nothing has run yet: a run fills this. ");
  else if (chart == OL_CHART_LANES)
    describe_lanes(text, view);
  else
    for (int tier = 0; tier < OL_N_TIERS; tier++)
      (chart == OL_CHART_TIERS ? describe_tier : describe_memory)(text, view, (OlTier)tier);
  g_string_truncate(text, text->len - 1); /* the last space */
  return g_string_free(text, FALSE);
}
