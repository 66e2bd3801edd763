#include "app/charts/chart-table.h"

#include "app/charts/chart-table-private.h"
#include "app/charts/moment.h"
#include "app/charts/rank-groups.h"
#include "engine/base/clock.h"

#include <math.h>

static const OlTableColumn ranks_columns[] = {
    {"Rank", FALSE},   {"Data", TRUE},        {"Stage", TRUE}, {"Slice", TRUE},
    {"Shares", FALSE}, {"GPU at most", TRUE}, {"Busy", TRUE},  {"Bubble", TRUE},
};
static const OlTableColumn slices_columns[] = {
    {"Matrix", FALSE}, {"Outputs", TRUE}, {"Inputs", TRUE}, {"Cut by", FALSE}, {"Held", FALSE},
};
static const OlTableColumn tiers_columns[] = {
    {"Bytes", FALSE},       {"GPU now", TRUE},  {"GPU at most", TRUE},  {"Host now", TRUE},
    {"Host at most", TRUE}, {"NVMe now", TRUE}, {"NVMe at most", TRUE},
};
static const OlTableColumn memory_columns[] = {
    {"Memory", FALSE}, {"Rank", TRUE, TRUE}, {"Bytes", FALSE},          {"At most", TRUE},
    {"After", TRUE},   {"Computing", FALSE}, {"Of the capacity", TRUE},
};
static const OlTableColumn lanes_columns[] = {
    {"Lane", FALSE}, {"Rank", TRUE, TRUE}, {"Spans", TRUE}, {"Busy", TRUE}, {"Share", TRUE},
};
static const OlTableColumn spans_columns[] = {
    {"Span", FALSE}, {"Rank", TRUE, TRUE}, {"Lane", FALSE}, {"Step", TRUE},
    {"From", TRUE},  {"Lasts", TRUE},      {"Bytes", TRUE}, {"Critical", FALSE},
};

static const OlTableColumn ties_columns[] = {
    {"Span or bytes", FALSE}, {"Rank", TRUE, TRUE}, {"Tie", FALSE},  {"Lane or memory", FALSE},
    {"From", TRUE},           {"Lasts", TRUE},      {"Bytes", TRUE},
};
static const OlTableColumn steps_columns[] = {
    {"Step", TRUE},
    {"Loss", TRUE},
    {"Gradient norm", TRUE},
    {"Lasts", TRUE},
    {"Tokens a second", TRUE},
    {"Loss, pinned", TRUE, FALSE, TRUE},
    {"Lasts, pinned", TRUE, FALSE, TRUE},
};

static const struct {
  const char *title;
  const OlTableColumn *columns;
  guint n_columns;
} tables[OL_N_TABLES] = {
    [OL_TABLE_RANKS] = {"Ranks and their groups", ranks_columns, G_N_ELEMENTS(ranks_columns)},
    [OL_TABLE_SLICES] = {"Slices of the matrices", slices_columns, G_N_ELEMENTS(slices_columns)},
    [OL_TABLE_TIERS] = {"Bytes by memory", tiers_columns, G_N_ELEMENTS(tiers_columns)},
    [OL_TABLE_MEMORY] = {"Peaks by memory", memory_columns, G_N_ELEMENTS(memory_columns)},
    [OL_TABLE_LANES] = {"Lanes", lanes_columns, G_N_ELEMENTS(lanes_columns)},
    [OL_TABLE_TIES] = {"The selection and what belongs to it", ties_columns,
                       G_N_ELEMENTS(ties_columns)},
    [OL_TABLE_SPANS] = {"Spans in sight", spans_columns, G_N_ELEMENTS(spans_columns)},
    [OL_TABLE_STEPS] = {"Steps", steps_columns, G_N_ELEMENTS(steps_columns)},
};

const char *ol_table_title(OlTableKind kind)
{
  g_return_val_if_fail(kind < OL_N_TABLES, "");
  return tables[kind].title;
}

const OlTableColumn *ol_table_columns(OlTableKind kind, guint *n)
{
  g_return_val_if_fail(kind < OL_N_TABLES, NULL);
  *n = tables[kind].n_columns;
  return tables[kind].columns;
}

static void free_row(gpointer data)
{
  OlTableRow *row = data;
  for (int i = 0; i < OL_TABLE_MOST_COLUMNS; i++)
    g_free(row->cells[i]);
  g_free(row);
}

OlTableRow *ol_table_add_row(GPtrArray *rows, const char *name)
{
  OlTableRow *row = g_new0(OlTableRow, 1);
  row->span = -1;
  row->cells[0] = g_strdup(name);
  g_ptr_array_add(rows, row);
  return row;
}

/* A row about the view's rank. */
static OlTableRow *add_row_of_rank(GPtrArray *rows, const OlChartView *view, const char *name)
{
  OlTableRow *row = ol_table_add_row(rows, name);
  row->cells[1] = g_strdup_printf("%u", view->rank);
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
    for (int tier = 0; tier < OL_N_TIERS; tier++) {
      gint64 most =
          ol_trace_index_payload_peak(view->index, view->rank, (OlTier)tier, (OlPayload)p, &when);
      row->cells[1 + 2 * tier] = ol_chart_view_dup_bytes(view, (double)now[tier][p]);
      row->cells[2 + 2 * tier] = ol_chart_view_dup_bytes(view, (double)most);
    }
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
  OlTableRow *all = ol_table_add_row(rows, "all"), *capacity = ol_table_add_row(rows, "capacity");
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 when, most = ol_trace_index_peak(view->index, view->rank, (OlTier)tier, &when);
    gint64 now = total_at(view, (OlTier)tier, ol_moment_ns(view));
    double of = (double)ol_trace_capacity(view->trace, view->rank, (OlTier)tier);
    all->cells[1 + 2 * tier] = ol_chart_view_dup_bytes(view, (double)now);
    all->cells[2 + 2 * tier] = ol_chart_view_dup_bytes(view, (double)most);
    for (int i = 1; i <= 2; i++)
      capacity->cells[i + 2 * tier] =
          of > 0 ? ol_chart_view_dup_bytes(view, of) : g_strdup("unknown");
  }
}

/* Memory over time */

static void add_peak(GPtrArray *rows, const OlChartView *view, OlTier tier, const char *what,
                     gint64 bytes, gint64 time_ns)
{
  double of = (double)ol_trace_capacity(view->trace, view->rank, tier);
  const char *unit = ol_moment_unit_at(view, time_ns);
  OlTableRow *row = add_row_of_rank(rows, view, ol_tier_name(tier));
  row->cells[2] = g_strdup(what);
  row->cells[3] = ol_chart_view_dup_bytes(view, (double)bytes);
  row->cells[4] = dup_time(view, time_ns);
  row->cells[5] = g_strdup(unit != NULL ? unit : "nothing");
  row->cells[6] = of > 0 ? ol_moment_dup_percent((double)bytes / of) : g_strdup("unknown");
}

static void add_memory_rows(GPtrArray *rows, const OlChartView *view)
{
  for (int tier = 0; tier < OL_N_TIERS; tier++) {
    gint64 when, most;
    for (int p = 0; p < OL_N_PAYLOADS; p++) {
      most =
          ol_trace_index_payload_peak(view->index, view->rank, (OlTier)tier, (OlPayload)p, &when);
      if (most > 0)
        add_peak(rows, view, (OlTier)tier, ol_payload_name((OlPayload)p), most, when);
    }
    most = ol_trace_index_peak(view->index, view->rank, (OlTier)tier, &when);
    if (most > 0)
      add_peak(rows, view, (OlTier)tier, "all", most, when);
  }
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
    row->cells[2] = g_strdup_printf("%u", n);
    row->cells[3] = dup_time(view, busy);
    row->cells[4] =
        ol_moment_dup_percent((double)busy / (double)MAX(view->end_ns - view->begin_ns, 1));
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
  return g_strdup(node->part == OL_PART_FILL ? "before" : "after");
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
    const OlGraphNode *node = ol_graph_node(view->trace->graph, span->node);
    g_autofree char *title = ol_graph_dup_node_title(view->trace->graph, span->node);
    OlTableRow *row = add_row_of_rank(rows, view, title);
    row->span = id;
    row->cells[2] = g_strdup(ol_lane_name(node->lane));
    row->cells[3] = dup_step(node, span);
    row->cells[4] = dup_time(view, span->begin_ns);
    row->cells[5] = dup_time(view, span->end_ns - span->begin_ns);
    row->cells[6] = ol_chart_view_dup_bytes(view, (double)span->bytes);
    row->cells[7] = g_strdup(is_critical(view, id) ? "on the path" : "");
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
  GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
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
  return ol_chart_view_has_ranks(view) ? g_strdup_printf(", rank %u", view->rank) : g_strdup("");
}

static char *dup_tiers_note(const OlChartView *view)
{
  g_autofree char *now = dup_time(view, ol_moment_ns(view)), *of_rank = dup_of_rank(view);
  OlRefusal refusal;
  if (!ol_moment_refusal(view, &refusal))
    return g_strdup_printf("Now: after %s%s.", now, of_rank);
  g_autofree char *bytes = ol_chart_view_dup_bytes(view, (double)refusal.bytes);
  return g_strdup_printf("Now: after %s%s. There was no room for %s more of %s on %s.", now,
                         of_rank, bytes, ol_payload_name(refusal.payload),
                         ol_tier_name(refusal.tier));
}

static char *dup_lanes_note(const OlChartView *view)
{
  g_autofree char *begin = dup_time(view, MAX(view->begin_ns, 0));
  g_autofree char *end = dup_time(view, view->end_ns), *of_rank = dup_of_rank(view);
  double hidden = ol_trace_index_hidden(view->index, view->rank);
  if (!isfinite(hidden))
    return g_strdup_printf("From %s to %s.", begin, end);
  g_autofree char *share = ol_moment_dup_percent(hidden);
  return g_strdup_printf(
      "From %s to %s. In the whole run %s of the transfers' time lies under compute%s.", begin, end,
      share, of_rank);
}

char *ol_table_dup_note(OlTableKind kind, const OlChartView *view)
{
  Sight sight;
  if (ol_moment_is_empty(view))
    return g_strdup("Nothing has run yet: a run fills this.");
  if (kind == OL_TABLE_TIERS)
    return dup_tiers_note(view);
  if (kind == OL_TABLE_LANES)
    return dup_lanes_note(view);
  if (kind == OL_TABLE_STEPS)
    return ol_table_dup_steps_note(view);
  if (kind == OL_TABLE_TIES)
    return view->ties == NULL ? g_strdup("Nothing is selected.") : NULL;
  guint n = kind == OL_TABLE_SPANS ? find_sight(view, &sight) : 0;
  if (n <= OL_TABLE_MOST_SPANS)
    return NULL;
  return g_strdup_printf("The first %u of %u spans in sight: zoom in for the others.",
                         OL_TABLE_MOST_SPANS, n);
}
