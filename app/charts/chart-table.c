#include "app/charts/chart-table.h"

#include "app/charts/chart-table-private.h"
#include "app/charts/moment.h"
#include "app/charts/rank-groups.h"
#include "app/charts/refused.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"

#include <math.h>

/* A row about the view's rank. */
static OlTableRow *add_row_of_rank(GPtrArray *rows, const OlChartView *view, const char *name)
{
  OlTableRow *row = ol_table_add_row(rows, name);
  ol_table_put_count(row, 1, view->rank);
  return row;
}

static char *dup_time(const OlChartView *view, gint64 time_ns)
{
  return ol_chart_view_dup_seconds(view, (double)time_ns / OL_NS_PER_SECOND);
}

/* Where the bytes are */

static void add_payloads(GPtrArray *rows, const OlChartView *view)
{
  gint64 now[OL_N_TIERS][OL_N_PAYLOADS], when;
  for (int tier = 0; tier < OL_N_TIERS; tier++)
    ol_trace_index_memory_at(view->index, view->rank, (OlTier)tier, ol_moment_ns(view), now[tier]);
  for (int p = 0; p < OL_N_PAYLOADS; p++) {
    OlTableRow *row = ol_table_add_row(rows, ol_payload_name((OlPayload)p));
    row->number = ol_number(OL_NUMBER_BLOCKS, view->rank);
    row->number.payload = p;
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      gint64 most =
          ol_trace_index_payload_peak(view->index, view->rank, (OlTier)tier, (OlPayload)p, &when);
      if (now[tier][p] > 0 && row->number.tier < 0) /* the fastest that holds any */
        row->number.tier = tier;
      ol_table_put_bytes(row, 1 + 2 * tier, view, (double)now[tier][p]);
      ol_table_put_bytes(row, 2 + 2 * tier, view, (double)most);
    }
    if (row->number.tier < 0)
      row->number.kind = OL_NUMBER_NONE;
  }
}

static gint64 total_at(const OlChartView *view, OlTier tier, gint64 time_ns)
{
  gint64 bytes[OL_N_PAYLOADS], total = 0;
  ol_trace_index_memory_at(view->index, view->rank, tier, time_ns, bytes);
  for (int p = 0; p < OL_N_PAYLOADS; p++)
    total += bytes[p];
  return total;
}

static void add_tiers_rows(GPtrArray *rows, const OlChartView *view)
{
  add_payloads(rows, view);
  OlTableRow *all = ol_table_add_row(rows, _("all")),
             *capacity = ol_table_add_row(rows, _("capacity"));
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 when, most = ol_trace_index_peak(view->index, view->rank, (OlTier)tier, &when);
    gint64 now = total_at(view, (OlTier)tier, ol_moment_ns(view));
    double of = (double)ol_trace_capacity(view->trace, view->rank, (OlTier)tier);
    ol_table_put_bytes(all, 1 + 2 * tier, view, (double)now);
    ol_table_put_bytes(all, 2 + 2 * tier, view, (double)most);
    for (int i = 1; i <= 2; i++)
      if (of > 0)
        ol_table_put_bytes(capacity, i + 2 * tier, view, of);
      else
        capacity->cells[i + 2 * tier] = g_strdup(_("unknown"));
  }
}

/* Memory over time */

/* `payload` -1: of all. */
static void add_peak(GPtrArray *rows, const OlChartView *view, OlTier tier, int payload,
                     const char *what, gint64 bytes, gint64 time_ns)
{
  double of = (double)ol_trace_capacity(view->trace, view->rank, tier);
  const char *unit = ol_moment_unit_at(view, time_ns);
  OlTableRow *row = add_row_of_rank(rows, view, ol_tier_name(tier));
  row->number = ol_number(OL_NUMBER_PEAK, view->rank);
  row->number.tier = tier;
  row->number.payload = payload;
  row->cells[2] = g_strdup(what);
  ol_table_put_bytes(row, 3, view, (double)bytes);
  ol_table_put_time(row, 4, view, time_ns);
  row->cells[5] = g_strdup(unit != NULL ? unit : _("nothing"));
  ol_table_put_share(row, 6, of > 0 ? (double)bytes / of : NAN);
}

/* The block that did not fit, beside the peaks. */
static void add_refused(GPtrArray *rows, const OlChartView *view)
{
  OlRefusal refusal;
  if (!ol_moment_refusal(view, &refusal))
    return;
  g_autofree char *what = g_strdup_printf(_("%s, no room"), ol_payload_name(refusal.payload));
  add_peak(rows, view, refusal.tier, -1, what, (gint64)refusal.bytes, refusal.time_ns);
}

static void add_memory_rows(GPtrArray *rows, const OlChartView *view)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 when, most;
    for (int p = 0; p < OL_N_PAYLOADS; p++) {
      most =
          ol_trace_index_payload_peak(view->index, view->rank, (OlTier)tier, (OlPayload)p, &when);
      if (most > 0)
        add_peak(rows, view, (OlTier)tier, p, ol_payload_name((OlPayload)p), most, when);
    }
    most = ol_trace_index_peak(view->index, view->rank, (OlTier)tier, &when);
    if (most > 0)
      add_peak(rows, view, (OlTier)tier, -1, _("all"), most, when);
  }
  add_refused(rows, view);
}

/* What runs when */

static int count_lanes(const OlChartView *view)
{
  return ol_chart_view_has_ranks(view) ? OL_N_LANES : OL_LANE_PEER;
}

static void add_lanes_rows(GPtrArray *rows, const OlChartView *view)
{
  for (int lane = 0; lane < count_lanes(view); lane++) {
    OlTableRow *row = add_row_of_rank(rows, view, ol_lane_name((OlLane)lane));
    guint first, n;
    ol_trace_index_find(view->index, view->rank, (OlLane)lane, view->begin_ns, view->end_ns, &first,
                        &n);
    gint64 busy =
        ol_trace_index_busy(view->index, view->rank, (OlLane)lane, view->begin_ns, view->end_ns);
    row->number = ol_number(OL_NUMBER_BUSY, view->rank);
    row->number.lane = lane;
    ol_table_put_count(row, 2, n);
    ol_table_put_time(row, 3, view, busy);
    ol_table_put_share(row, 4, (double)busy / (double)MAX(view->end_ns - view->begin_ns, 1));
  }
}

typedef struct {
  guint next[OL_N_LANES], end[OL_N_LANES]; /* of each lane's spans in sight */
} Sight;

static guint find_sight(const OlChartView *view, Sight *sight)
{
  guint all = 0;
  *sight = (Sight){0};
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    guint n;
    ol_trace_index_find(view->index, view->rank, (OlLane)lane, view->begin_ns, view->end_ns,
                        &sight->next[lane], &n);
    sight->end[lane] = sight->next[lane] + n;
    all += n;
  }
  return all;
}

/* Of the lanes' next spans the one that begins first, or -1 at the end of all. */
static int take_earliest(const OlChartView *view, Sight *sight)
{
  int earliest = -1, of_lane = -1;
  for (int lane = 0; lane < OL_N_LANES; lane++) {
    if (sight->next[lane] == sight->end[lane])
      continue;
    guint span = ol_trace_index_lane_span(view->index, view->rank, (OlLane)lane, sight->next[lane]);
    if (earliest < 0 || ol_trace_span(view->trace, span)->begin_ns <
                            ol_trace_span(view->trace, (guint)earliest)->begin_ns) {
      earliest = (int)span;
      of_lane = lane;
    }
  }
  if (of_lane >= 0)
    sight->next[of_lane]++;
  return earliest;
}

static char *dup_step(const OlGraphNode *node, const OlSpan *span)
{
  if (node->part == OL_PART_STEP)
    return g_strdup_printf("%d", span->step + 1);
  return g_strdup(node->part == OL_PART_FILL ? _("before") : _("after"));
}

void ol_table_put_span(OlTableRow *row, const OlChartView *view, guint id, gboolean is_critical)
{
  const OlSpan *span = ol_trace_span(view->trace, id);
  const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
  row->span = (int)id;
  ol_table_put_count(row, 1, node->rank);
  row->cells[2] = g_strdup(ol_lane_name(node->lane));
  row->cells[3] = dup_step(node, span);
  ol_table_put_time(row, 4, view, span->begin_ns);
  ol_table_put_time(row, 5, view, span->end_ns - span->begin_ns);
  ol_table_put_bytes(row, 6, view, (double)span->bytes);
  row->cells[7] = g_strdup(is_critical ? _("on the path") : "");
}

static gboolean is_critical(const OlChartView *view, int id)
{
  for (guint i = 0; view->critical != NULL && i < view->critical->len; i++)
    if (g_array_index(view->critical, guint, i) == (guint)id)
      return TRUE;
  return FALSE;
}

static void add_spans_rows(GPtrArray *rows, const OlChartView *view)
{
  Sight sight;
  int id;
  find_sight(view, &sight);
  while (rows->len < OL_TABLE_MOST_SPANS && (id = take_earliest(view, &sight)) >= 0) {
    const OlSpan *span = ol_trace_span(view->trace, (guint)id);
    if (span->node >= view->trace->graph->nodes->len)
      continue;
    g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, span->node);
    ol_table_put_span(ol_table_add_row(rows, title), view, (guint)id, is_critical(view, id));
  }
}

typedef void (*AddRows)(GPtrArray *, const OlChartView *);

/* For each rank that the chart has a group of. */
static void add_ranks(GPtrArray *rows, const OlChartView *view, OlChart chart, AddRows add)
{
  OlRankGroups groups;
  ol_rank_groups_choose(&groups, view, chart);
  for (guint i = 0; i < groups.n; i++) {
    OlChartView of_rank = ol_chart_view_of_rank(view, groups.items[i].rank);
    add(rows, &of_rank);
  }
}

GPtrArray *ol_table_rows_new(OlTableKind kind, const OlChartView *view)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func(ol_table_row_free);
  g_return_val_if_fail(kind < OL_N_TABLES, rows);
  if (ol_moment_is_empty(view))
    return rows;
  if (kind == OL_TABLE_RANKS)
    ol_table_add_ranks_rows(rows, view);
  else if (kind == OL_TABLE_SLICES)
    ol_table_add_slices_rows(rows, view);
  else if (kind == OL_TABLE_TIES)
    ol_table_add_ties_rows(rows, view);
  else if (kind == OL_TABLE_TIERS)
    add_tiers_rows(rows, view);
  else if (kind == OL_TABLE_MEMORY)
    add_ranks(rows, view, OL_CHART_MEMORY, add_memory_rows);
  else if (kind == OL_TABLE_LANES)
    add_ranks(rows, view, OL_CHART_LANES, add_lanes_rows);
  else if (kind == OL_TABLE_STEPS)
    ol_table_add_steps_rows(rows, view);
  else
    add_spans_rows(rows, view);
  return rows;
}

/* Notes */

/* ", rank 3", where there are several. */
static char *dup_of_rank(const OlChartView *view)
{
  return ol_chart_view_has_ranks(view) ? g_strdup_printf(_(", rank %u"), view->rank) : g_strdup("");
}

static char *dup_tiers_note(const OlChartView *view)
{
  g_autofree char *now = dup_time(view, ol_moment_ns(view)), *of_rank = dup_of_rank(view);
  OlRefusal refusal;
  if (!ol_moment_refusal(view, &refusal))
    return g_strdup_printf(_("Now: after %s%s."), now, of_rank);
  g_autofree char *refused = ol_refused_dup_sentence(view, &refusal);
  return g_strdup_printf(_("Now: after %s%s. %s"), now, of_rank, refused);
}

static char *dup_memory_note(const OlChartView *view)
{
  g_autofree char *of_rank = dup_of_rank(view);
  OlRefusal refusal;
  if (!ol_moment_refusal(view, &refusal))
    return NULL;
  g_autofree char *when = dup_time(view, refusal.time_ns);
  g_autofree char *refused = ol_refused_dup_sentence(view, &refusal);
  return g_strdup_printf(_("After %s%s: %s"), when, of_rank, refused);
}

static char *dup_lanes_note(const OlChartView *view)
{
  g_autofree char *begin = dup_time(view, MAX(view->begin_ns, 0));
  g_autofree char *end = dup_time(view, view->end_ns), *of_rank = dup_of_rank(view);
  double hidden = ol_trace_index_hidden(view->index, view->rank);
  if (!isfinite(hidden))
    return g_strdup_printf(_("From %s to %s."), begin, end);
  g_autofree char *share = ol_moment_dup_percent(hidden);
  return g_strdup_printf(
      _("From %s to %s. In the whole run %s of the transfers' time lies under compute%s."), begin,
      end, share, of_rank);
}

char *ol_table_dup_note(OlTableKind kind, const OlChartView *view)
{
  Sight sight;
  if (ol_moment_is_empty(view))
    return g_strdup(_("Nothing has run yet: a run fills this."));
  if (kind == OL_TABLE_TIERS)
    return dup_tiers_note(view);
  if (kind == OL_TABLE_MEMORY)
    return dup_memory_note(view);
  if (kind == OL_TABLE_LANES)
    return dup_lanes_note(view);
  if (kind == OL_TABLE_STEPS)
    return ol_table_dup_steps_note(view);
  if (kind == OL_TABLE_TIES)
    return view->ties == NULL ? g_strdup(_("Nothing is selected.")) : NULL;
  guint n = kind == OL_TABLE_SPANS ? find_sight(view, &sight) : 0;
  if (n <= OL_TABLE_MOST_SPANS)
    return NULL;
  return g_strdup_printf(_("The first %u of %u spans in sight: zoom in for the others."),
                         OL_TABLE_MOST_SPANS, n);
}
