/* Lines of the event stream that describe the run and its plan: run, unit, buffer, node. */
#include "engine/trace/event-line-private.h"

#include "engine/base/intl.h"

#include <math.h>

/* Ids count up from 0. */
static gboolean check_id(OlEventLine *line, gint64 id, guint expected)
{
  if (id == expected)
    return TRUE;
  if (id < expected)
    return ol_event_line_fail(line, _("id %d is there twice"), (int)id);
  return ol_event_line_fail(line, _("id %d comes out of order: %u is next"), (int)id, expected);
}

/* run {format, source, config, mu, kappa, slowdown, ranks, capacities [[bytes a tier] a rank]} */
typedef struct {
  gint64 format, ranks;
  int source;
  OlJsonSlice config, capacities;
  double mu, kappa, slowdown;
} RunRecord;

static gboolean read_capacities(OlEventLine *line, OlJsonSlice json, GArray *capacities)
{
  OlJsonCursor cursor = {json.text, json.text + json.length, NULL};
  gboolean first_rank = TRUE;
  ol_json_open(&cursor, '[');
  while (ol_json_more(&cursor, ']', &first_rank)) {
    gint64 tiers[OL_N_TIERS] = {0};
    guint n = 0;
    gboolean first = TRUE;
    ol_json_open(&cursor, '[');
    for (; ol_json_more(&cursor, ']', &first); n++) {
      if (n == OL_N_TIERS)
        ol_json_fail(&cursor, _("too many tiers"));
      else if (!ol_json_null(&cursor))
        ol_json_integer(&cursor, 0, OL_EVENT_MAX_BYTES, &tiers[n]);
    }
    if (capacities->len == OL_EVENTS_MAX_RANKS * OL_N_TIERS)
      ol_json_fail(&cursor, _("too many ranks"));
    g_array_append_vals(capacities, tiers, OL_N_TIERS);
  }
  if (cursor.problem)
    return ol_event_line_fail(line, _("\"capacities\": %s"), cursor.problem);
  return TRUE;
}

static char *dup_config(OlJsonSlice json, GString *scratch)
{
  if (!json.text)
    return NULL;
  if (*json.text != '"')
    return g_strndup(json.text, json.length);
  OlJsonCursor cursor = {json.text, json.text + json.length, NULL};
  g_string_truncate(scratch, 0);
  return ol_json_text(&cursor, scratch) ? g_strdup(scratch->str) : NULL;
}

static gboolean check_format(OlEventLine *line)
{
  static const OlField format_field = OL_EVENT_INTEGER(RunRecord, format, "format", 1, G_MAXINT);
  RunRecord record;
  OlJsonCursor begin = line->cursor;
  if (!ol_event_line_fields(line, &format_field, 1, &record))
    return FALSE;
  line->cursor = begin;
  if (record.format <= OL_EVENTS_FORMAT)
    return TRUE;
  return ol_event_line_fail(line,
                            _("format %d is newer than this program reads (%d): update the lab"),
                            (int)record.format, OL_EVENTS_FORMAT);
}

gboolean ol_event_line_run(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_WORD(RunRecord, source, "source", source),
      OL_EVENT_OPTIONAL(RunRecord, config, "config", OL_FIELD_RAW),
      OL_EVENT_OPTIONAL(RunRecord, mu, "mu", OL_FIELD_DOUBLE),
      OL_EVENT_OPTIONAL(RunRecord, kappa, "kappa", OL_FIELD_DOUBLE),
      OL_EVENT_OPTIONAL(RunRecord, slowdown, "slowdown", OL_FIELD_DOUBLE),
      {"ranks", OL_FIELD_INTEGER, FALSE, offsetof(RunRecord, ranks), 1, OL_EVENTS_MAX_RANKS},
      OL_EVENT_OPTIONAL(RunRecord, capacities, "capacities", OL_FIELD_RAW),
  };
  OlEventsState *state = line->state;
  RunRecord record = {.mu = NAN, .kappa = NAN, .slowdown = NAN};
  if (!check_format(line) || !ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record))
    return FALSE;
  g_autoptr(GArray) capacities = g_array_new(FALSE, FALSE, sizeof(guint64));
  if (record.capacities.text && !read_capacities(line, record.capacities, capacities))
    return FALSE;
  guint ranks = record.ranks ? record.ranks : MAX(1, capacities->len / OL_N_TIERS);
  state->source = record.source;
  state->header = (OlTraceHeader){.config = dup_config(record.config, state->text),
                                  .mu = record.mu,
                                  .kappa = record.kappa,
                                  .slowdown = record.slowdown};
  if (record.capacities.text)
    state->header.capacities = g_steal_pointer(&capacities);
  state->graph = ol_graph_new(ranks);
  state->has_header = TRUE;
  return TRUE;
}

/* unit {id, name, parameters} */
typedef struct {
  gint64 id, parameters;
  GString *name;
} UnitRecord;

gboolean ol_event_line_unit(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_INTEGER(UnitRecord, id, "id", 0, G_MAXINT16),
      {"name", OL_FIELD_TEXT, TRUE, offsetof(UnitRecord, name)},
      OL_EVENT_SIZE(UnitRecord, parameters, "parameters"),
  };
  OlEventsState *state = line->state;
  UnitRecord record = {.name = g_string_truncate(state->text, 0)};
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      !check_id(line, record.id, state->graph->units->len) ||
      !ol_event_line_count(line, record.parameters))
    return FALSE;
  ol_graph_add_unit(state->graph, record.name->str, record.parameters);
  return TRUE;
}

/* buffer {id, rank, tier, payload, bytes, kind} */
typedef struct {
  gint64 id, rank, bytes;
  int tier, payload, kind;
} BufferRecord;

gboolean ol_event_line_buffer(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_ID(BufferRecord, id, "id"),
      OL_EVENT_ID(BufferRecord, rank, "rank"),
      OL_EVENT_WORD(BufferRecord, tier, "tier", tier),
      OL_EVENT_WORD(BufferRecord, payload, "payload", payload),
      OL_EVENT_WORD(BufferRecord, kind, "kind", buffer_kind),
      OL_EVENT_SIZE(BufferRecord, bytes, "bytes"),
  };
  OlGraph *graph = line->state->graph;
  BufferRecord record;
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      !check_id(line, record.id, graph->buffers->len) ||
      !ol_event_line_below(line, "rank", record.rank, graph->n_ranks) ||
      !ol_event_line_count(line, record.bytes))
    return FALSE;
  OlGraphBuffer buffer = {record.rank, record.tier, record.payload, record.kind, record.bytes};
  ol_graph_add_buffer(graph, &buffer);
  return TRUE;
}

/* node {id, rank, lane, op, part, piece, group, meeting, unit, micro_batch, payload, bytes, flops,
 * waits, acquires, releases, parity, steps_behind}; no part: step; no piece: whole; no parity:
 * every step */
typedef struct {
  gint64 id, rank, unit, micro_batch, bytes, parity, steps_behind, meeting;
  int lane, op, part, piece, group, payload;
  double flops;
  OlJsonSlice waits, acquires, releases;
} NodeRecord;

static gboolean add_wait(OlEventLine *line, gint64 id, gint64 node, gint64 steps_back)
{
  OlEventsState *state = line->state;
  if (steps_back == 0 && node >= id)
    return ol_event_line_fail(line, _("node %d waits for node %d, which does not come before it"),
                              (int)id, (int)node);
  if (node >= state->farthest_wait) {
    state->farthest_wait = node;
    state->farthest_line = state->line;
  }
  OlWait wait = {node, steps_back};
  g_array_append_val(state->waits, wait);
  return TRUE;
}

static gboolean read_waits(OlEventLine *line, OlJsonSlice json, gint64 id)
{
  OlJsonCursor cursor = {json.text, json.text + json.length, NULL};
  gboolean first_wait = TRUE;
  g_array_set_size(line->state->waits, 0);
  if (!json.text)
    return TRUE;
  ol_json_open(&cursor, '[');
  while (ol_json_more(&cursor, ']', &first_wait)) {
    gint64 pair[2] = {0};
    guint n = 0;
    gboolean first = TRUE;
    ol_json_open(&cursor, '[');
    for (; ol_json_more(&cursor, ']', &first); n++) {
      if (n < 2)
        ol_json_integer(&cursor, 0, n == 0 ? G_MAXINT : 1, &pair[n]);
      else
        ol_json_fail(&cursor, _("a wait is a pair: [node, steps back]"));
    }
    if (!cursor.problem && n != 2)
      ol_json_fail(&cursor, _("a wait is a pair: [node, steps back]"));
    if (!cursor.problem && !add_wait(line, id, pair[0], pair[1]))
      return FALSE;
  }
  return !cursor.problem || ol_event_line_fail(line, _("\"waits\": %s"), cursor.problem);
}

static gboolean read_ids(OlEventLine *line, const char *key, OlJsonSlice json, GArray *ids)
{
  OlJsonCursor cursor = {json.text, json.text + json.length, NULL};
  gboolean first = TRUE;
  g_array_set_size(ids, 0);
  if (!json.text)
    return TRUE;
  ol_json_open(&cursor, '[');
  while (ol_json_more(&cursor, ']', &first)) {
    gint64 id = 0;
    if (!ol_json_integer(&cursor, 0, G_MAXINT, &id))
      break;
    if (!ol_event_line_below(line, "buffer", id, line->state->graph->buffers->len))
      return FALSE;
    guint buffer = id;
    g_array_append_val(ids, buffer);
  }
  return !cursor.problem || ol_event_line_fail(line, "\"%s\": %s", key, cursor.problem);
}

static gboolean check_node(OlEventLine *line, const NodeRecord *record)
{
  OlEventsState *state = line->state;
  const OlGraph *graph = state->graph;
  return check_id(line, record->id, graph->nodes->len) &&
         ol_event_line_below(line, "rank", record->rank, graph->n_ranks) &&
         (record->unit == OL_NONE ||
          ol_event_line_below(line, "unit", record->unit, graph->units->len)) &&
         ol_event_line_count(line, record->bytes) && read_waits(line, record->waits, record->id) &&
         read_ids(line, "acquires", record->acquires, state->lists[0]) &&
         read_ids(line, "releases", record->releases, state->lists[1]);
}

gboolean ol_event_line_node(OlEventLine *line)
{
  static const OlField fields[] = {
      OL_EVENT_ID(NodeRecord, id, "id"),
      OL_EVENT_ID(NodeRecord, rank, "rank"),
      OL_EVENT_WORD(NodeRecord, lane, "lane", lane),
      OL_EVENT_WORD(NodeRecord, op, "op", op),
      {"part", OL_FIELD_WORD, FALSE, offsetof(NodeRecord, part), 0, 0, ol_part_from_nick},
      {"piece", OL_FIELD_WORD, FALSE, offsetof(NodeRecord, piece), 0, 0, ol_piece_from_nick},
      {"group", OL_FIELD_WORD, FALSE, offsetof(NodeRecord, group), 0, 0, ol_group_from_nick},
      {"meeting", OL_FIELD_INTEGER, FALSE, offsetof(NodeRecord, meeting), 0, G_MAXINT},
      {"unit", OL_FIELD_INTEGER, FALSE, offsetof(NodeRecord, unit), 0, G_MAXINT},
      {"micro_batch", OL_FIELD_INTEGER, FALSE, offsetof(NodeRecord, micro_batch), 0, G_MAXINT16},
      {"parity", OL_FIELD_INTEGER, FALSE, offsetof(NodeRecord, parity), 0, 1},
      {"steps_behind", OL_FIELD_INTEGER, FALSE, offsetof(NodeRecord, steps_behind), 0, 1},
      OL_EVENT_WORD(NodeRecord, payload, "payload", payload),
      OL_EVENT_SIZE(NodeRecord, bytes, "bytes"),
      OL_EVENT_OPTIONAL(NodeRecord, flops, "flops", OL_FIELD_DOUBLE),
      OL_EVENT_OPTIONAL(NodeRecord, waits, "waits", OL_FIELD_RAW),
      OL_EVENT_OPTIONAL(NodeRecord, acquires, "acquires", OL_FIELD_RAW),
      OL_EVENT_OPTIONAL(NodeRecord, releases, "releases", OL_FIELD_RAW),
  };
  OlEventsState *state = line->state;
  NodeRecord record = {.part = OL_PART_STEP,
                       .unit = OL_NONE,
                       .micro_batch = OL_NONE,
                       .parity = OL_NONE,
                       .flops = NAN};
  if (!ol_event_line_fields(line, fields, G_N_ELEMENTS(fields), &record) ||
      !check_node(line, &record))
    return FALSE;
  OlGraphNode node = {.rank = record.rank,
                      .lane = record.lane,
                      .op = record.op,
                      .part = record.part,
                      .piece = record.piece,
                      .group = record.group,
                      .meeting = (guint)record.meeting,
                      .payload = record.payload,
                      .unit = record.unit,
                      .micro_batch = record.micro_batch,
                      .bytes = record.bytes,
                      .flops = record.flops,
                      .steps = record.parity == OL_NONE ? OL_STEPS_ALL
                               : record.parity == 0     ? OL_STEPS_EVEN
                                                        : OL_STEPS_ODD,
                      .steps_behind = (guint)record.steps_behind};
  ol_graph_add_node(state->graph, &node, (OlWait *)state->waits->data, state->waits->len,
                    (guint *)state->lists[0]->data, state->lists[0]->len,
                    (guint *)state->lists[1]->data, state->lists[1]->len);
  return TRUE;
}
