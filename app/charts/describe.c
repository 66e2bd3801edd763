/* What a chart shows, in sentences, for who does not see it. */
#include "app/charts/charts.h"
#include "app/charts/guess.h"
#include "app/charts/loss-layout.h"
#include "app/charts/moment.h"
#include "app/charts/origin.h"
#include "app/charts/refused.h"
#include "app/charts/slices.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#include <math.h>
#include <string.h>

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

static void append_refused(GString *text, const OlChartView *view, OlTier tier)
{
  OlRefusal refusal;
  if (!ol_moment_refusal(view, &refusal) || refusal.tier != tier)
    return;
  g_autofree char *sentence = ol_refused_dup_sentence(view, &refusal);
  g_string_append_printf(text, "%s ", sentence);
}

static void describe_tier(GString *text, const OlChartView *view, OlTier tier)
{
  const char *name = ol_tier_name(tier);
  if (!ol_moment_tier_is_used(view, tier)) {
    g_string_append_printf(text, _("%s is not used in this run. "), name);
    return;
  }
  gint64 bytes[OL_N_PAYLOADS], total = 0;
  ol_trace_index_memory_at(view->index, view->rank, tier, ol_moment_ns(view), bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    total += bytes[p];
  g_autofree char *held = ol_chart_view_dup_bytes(view, (double)total);
  g_string_append_printf(text, _("%s holds %s"), name, held);
  guint64 capacity = ol_trace_capacity(view->trace, view->rank, tier);
  if (capacity > 0) {
    g_autofree char *of = ol_chart_view_dup_bytes(view, (double)capacity);
    g_string_append_printf(text, _(" of %s"), of);
  }
  append_payloads(text, view, bytes);
  g_string_append(text, ". ");
  append_refused(text, view, tier);
}

static void describe_memory(GString *text, const OlChartView *view, OlTier tier)
{
  gint64 peak_ns, peak = ol_trace_index_peak(view->index, view->rank, tier, &peak_ns);
  if (peak <= 0) {
    g_string_append_printf(text, _("%s is not used in this run. "), ol_tier_name(tier));
    return;
  }
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)peak);
  g_autofree char *when = ol_chart_view_dup_seconds(view, (double)peak_ns / OL_NS_PER_SECOND);
  const char *unit = ol_moment_unit_at(view, peak_ns);
  g_string_append_printf(text,
                         unit != NULL ? _("%1$s peaks at %2$s after %3$s, at %4$s")
                                      : _("%1$s peaks at %2$s after %3$s"),
                         ol_tier_name(tier), bytes, when, unit);
  guint64 capacity = ol_trace_capacity(view->trace, view->rank, tier);
  if (capacity > 0) {
    g_autofree char *share = ol_moment_dup_percent((double)peak / (double)capacity);
    g_string_append_printf(text, _(", %s of its capacity"), share);
  }
  g_string_append(text, ". ");
  append_refused(text, view, tier);
}

static void describe_lane(GString *text, const OlChartView *view, OlLane lane)
{
  guint first, n;
  ol_trace_index_find(view->index, view->rank, lane, view->begin_ns, view->end_ns, &first, &n);
  if (n == 0) {
    g_string_append_printf(text, _("%s: nothing. "), ol_lane_name(lane));
    return;
  }
  gint64 busy = ol_trace_index_busy(view->index, view->rank, lane, view->begin_ns, view->end_ns);
  double share = (double)busy / (double)MAX(view->end_ns - view->begin_ns, 1);
  g_string_append_printf(
      text, ol_ngettext("%s: %u span, busy %.0f %%. ", "%s: %u spans, busy %.0f %%. ", n),
      ol_lane_name(lane), n, 100 * share);
}

static void describe_lanes(GString *text, const OlChartView *view)
{
  g_autofree char *begin =
      ol_chart_view_dup_seconds(view, (double)view->begin_ns / OL_NS_PER_SECOND);
  g_autofree char *end = ol_chart_view_dup_seconds(view, (double)view->end_ns / OL_NS_PER_SECOND);
  g_string_append_printf(text, _("From %s to %s. "), begin, end);
  int n_lanes = ol_chart_view_has_ranks(view) ? OL_N_LANES : OL_LANE_PEER;
  for (int lane = 0; lane < n_lanes; lane++)
    describe_lane(text, view, (OlLane)lane);
  double hidden = ol_trace_index_hidden(view->index, view->rank);
  if (isfinite(hidden))
    g_string_append_printf(text, _("%.0f %% of the transfers' time lies under compute. "),
                           100 * hidden);
}

/* How the other ranks fare, in a word each. */
static void describe_other_ranks(GString *text, OlChart chart, const OlChartView *view)
{
  for (guint rank = 0; rank < ol_chart_view_get_ranks(view)->n; rank++) {
    gint64 when, peak = ol_trace_index_peak(view->index, rank, OL_TIER_GPU, &when);
    gint64 busy =
        ol_trace_index_busy(view->index, rank, OL_LANE_COMPUTE, view->begin_ns, view->end_ns);
    g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)peak);
    g_autofree char *share =
        ol_moment_dup_percent((double)busy / (double)MAX(view->end_ns - view->begin_ns, 1));
    if (rank == view->rank)
      continue;
    if (chart == OL_CHART_MEMORY)
      g_string_append_printf(text, _("Rank %u: GPU peaks at %s. "), rank, bytes);
    else
      g_string_append_printf(text, _("Rank %u computes %s of the time. "), rank, share);
  }
}

static void describe_bubbles(GString *text, const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  for (guint rank = 0; ranks->lengths[OL_RANK_PIPELINE] > 1 && rank < ranks->n; rank++) {
    double share = ol_trace_index_bubble(view->index, rank);
    if (isfinite(share))
      g_string_append_printf(text, _("Rank %u waits in bubbles for %.0f %% of a step. "), rank,
                             100 * share);
  }
}

static void describe_ranks(GString *text, const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  g_autofree char *name = ol_ranks_dup_name(ranks, view->rank);
  g_string_append_printf(text, _("%s is selected, of %u ranks. "), name, ranks->n);
  for (int axis = 0; axis < OL_N_RANK_AXES && ranks->is_known; axis++) {
    if (ranks->lengths[axis] == 1)
      continue;
    g_autofree char *members = ol_ranks_dup_group(ranks, view->rank, (OlRankAxis)axis);
    g_string_append_printf(text, _("%s: %s, which %s. "), ol_rank_axis_group((OlRankAxis)axis),
                           members, ol_rank_axis_work((OlRankAxis)axis));
  }
}

static void describe_slices(GString *text, const OlChartView *view)
{
  g_string_append_printf(text, _("Rank %u holds, of a block: "), view->rank);
  for (int m = 0; m < OL_N_MATRICES && ol_slices_are_there(view); m++) {
    OlSlicedMatrix matrix;
    ol_sliced_matrix_init(&matrix, view, (OlMatrix)m);
    g_autofree char *held = ol_sliced_matrix_dup_held(&matrix);
    g_string_append_printf(text, _("%s, %u by %u, %s; "), matrix.name, matrix.rows, matrix.columns,
                           held);
  }
  g_string_append(text, _("summed over its tensor group after projection and after contract, and "
                          "backward before expand and before qkv. "));
}

static void describe_loss(GString *text, const OlChartView *view)
{
  guint n = view->trace->steps->len;
  if (n == 0) {
    g_string_append(text, _("No step has ended yet. "));
    return;
  }
  double first = ol_loss_value(view, OL_PANEL_LOSS, 0);
  double last = ol_loss_value(view, OL_PANEL_LOSS, n - 1);
  double speed = ol_loss_value(view, OL_PANEL_SPEED, n - 1);
  if (isfinite(first) && isfinite(last))
    g_string_append_printf(text,
                           ol_ngettext("In %u step the loss goes from %.3f to %.3f. ",
                                       "In %u steps the loss goes from %.3f to %.3f. ", n),
                           n, first, last);
  if (isfinite(speed))
    g_string_append_printf(text, _("The last step trains %.0f tokens a second. "), speed);
}

/* With several ranks the selected one is told in full. */
static void describe_time(GString *text, OlChart chart, const OlChartView *view)
{
  const OlRanks *ranks = ol_chart_view_get_ranks(view);
  g_autofree char *name = ol_ranks_dup_name(ranks, view->rank);
  if (ranks->n > 1)
    g_string_append_printf(text, "%s. ", name);
  if (chart == OL_CHART_LANES)
    describe_lanes(text, view);
  for (int tier = 0; chart != OL_CHART_LANES && tier < OL_N_TIERS; tier++)
    (chart == OL_CHART_TIERS ? describe_tier : describe_memory)(text, view, (OlTier)tier);
  if (ranks->n > 1 && chart != OL_CHART_TIERS)
    describe_other_ranks(text, chart, view);
  if (chart == OL_CHART_LANES)
    describe_bubbles(text, view);
}

/* What is seen by the frame; measured here and now needs no word. */
static void append_origin(GString *text, const OlChartView *view)
{
  const OlTrace *trace = view->trace;
  if (trace == NULL || (trace->source == OL_SOURCE_MEASURED && !trace->replayed))
    return;
  g_autofree char *first = g_utf8_strup(ol_origin_words(trace), 1);
  g_string_append_printf(text, "%s%s%s. ", first, ol_origin_words(trace) + 1,
                         trace->replayed ? _(" from a file") : "");
}

char *ol_chart_dup_description(OlChart chart, const OlChartView *view)
{
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "%s. ", ol_chart_title(chart));
  append_origin(text, view);
  if (ol_moment_is_empty(view))
    g_string_append(text, _("Nothing has run yet: a run fills this. "));
  else if (chart == OL_CHART_RANKS)
    describe_ranks(text, view);
  else if (chart == OL_CHART_SLICES)
    describe_slices(text, view);
  else if (chart == OL_CHART_LOSS)
    describe_loss(text, view);
  else
    describe_time(text, chart, view);
  g_autofree char *guess = ol_guess_dup_words(chart, view);
  g_string_append(text, guess);
  g_strchomp(text->str);
  text->len = strlen(text->str);
  return g_string_free(text, FALSE);
}
