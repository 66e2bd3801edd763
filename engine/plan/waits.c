/* Waits follow from who reads and writes what. The drafts of a step (of two, when steps alternate)
 * are walked twice in a row: in the second walk a hazard with a node of the step before is a wait
 * one step back.
 *
 * A read waits for the buffer's last writer; a write waits for the last writer and all readers
 * since. What a lane's own order, or another wait, already implies is left out: each node carries
 * the newest node of every lane that is known to have ended before it (a vector clock). */
#include "engine/plan/builder.h"

typedef OlMoment Moment;

/* Of one buffer. */
typedef struct {
  Moment writer;
  Moment readers[OL_N_LANES];
} Uses;

typedef struct {
  guint n; /* drafts */
  Uses *uses;
  Moment (*known)[OL_N_LANES]; /* [2n]: ended before this node begins, by lane */
  Moment lane_last[OL_N_LANES];
} Walk;

enum { READS = 1, WRITES = 2 };

static gboolean acquires(const OlDraft *draft, int buffer)
{
  for (guint i = 0; draft->acquires && i < draft->acquires->len; i++)
    if (g_array_index(draft->acquires, guint, i) == (guint)buffer)
      return TRUE;
  return FALSE;
}

/* What an op does with an operand, in most nodes. */
static const guint8 accesses[OL_N_OPS][OL_N_OPERANDS] = {
    [OL_OP_FORWARD] = {[OL_OPERAND_PROBABILITIES] = WRITES,
                       [OL_OPERAND_WEIGHTS] = READS,
                       [OL_OPERAND_SOURCE] = READS,
                       [OL_OPERAND_TOKENS] = READS,
                       [OL_OPERAND_INPUT] = READS,
                       [OL_OPERAND_OUTPUT] = WRITES,
                       [OL_OPERAND_INNER] = WRITES,
                       [OL_OPERAND_SUMMED] = READS,
                       [OL_OPERAND_PARTIAL] = WRITES,
                       [OL_OPERAND_WORK] = WRITES},
    [OL_OP_BACKWARD] = {[OL_OPERAND_WEIGHTS] = READS,
                        [OL_OPERAND_TOKENS] = READS,
                        [OL_OPERAND_INPUT] = READS,
                        [OL_OPERAND_PROBABILITIES] = READS,
                        [OL_OPERAND_INNER] = WRITES,
                        [OL_OPERAND_D_OUTPUT] = READS,
                        [OL_OPERAND_D_INPUT] = WRITES,
                        [OL_OPERAND_GRADIENT] = WRITES,
                        [OL_OPERAND_SUMMED] = READS,
                        [OL_OPERAND_PARTIAL] = WRITES,
                        [OL_OPERAND_WORK] = WRITES},
    [OL_OP_ALL_REDUCE] = {[OL_OPERAND_SOURCE] = READS, [OL_OPERAND_TARGET] = WRITES},
    [OL_OP_REDUCE_SCATTER] = {[OL_OPERAND_SOURCE] = READS, [OL_OPERAND_TARGET] = WRITES},
    [OL_OP_ALL_GATHER] =
        {[OL_OPERAND_SOURCE] = READS, [OL_OPERAND_TARGET] = WRITES, [OL_OPERAND_NORMS] = WRITES},
    /* A send's TARGET is another rank's: pipeline.c sees to that. */
    [OL_OP_SEND] = {[OL_OPERAND_SOURCE] = READS},
    [OL_OP_RECEIVE] = {[OL_OPERAND_TARGET] = WRITES},
    [OL_OP_RECOMPUTE] = {[OL_OPERAND_WEIGHTS] = READS,
                         [OL_OPERAND_TOKENS] = READS,
                         [OL_OPERAND_INPUT] = READS,
                         [OL_OPERAND_INNER] = WRITES,
                         [OL_OPERAND_SUMMED] = READS,
                         [OL_OPERAND_PARTIAL] = WRITES,
                         [OL_OPERAND_PROBABILITIES] = WRITES},
    [OL_OP_ACCUMULATE] = {[OL_OPERAND_GRADIENT] = READS, [OL_OPERAND_ACCUMULATOR] = WRITES},
    [OL_OP_CAST] = {[OL_OPERAND_ACCUMULATOR] = READS, [OL_OPERAND_GRADIENT] = WRITES},
    [OL_OP_COPY] =
        {[OL_OPERAND_SOURCE] = READS, [OL_OPERAND_TARGET] = WRITES, [OL_OPERAND_STAGING] = WRITES},
    /* All norms write one buffer, so an update, which reads it, waits for the last of them. */
    [OL_OP_NORM] = {[OL_OPERAND_GRADIENT] = READS,
                    [OL_OPERAND_ACCUMULATOR] = READS,
                    [OL_OPERAND_NORMS] = WRITES},
    [OL_OP_UPDATE] = {[OL_OPERAND_MASTER] = WRITES,
                      [OL_OPERAND_MOMENT1] = WRITES,
                      [OL_OPERAND_MOMENT2] = WRITES,
                      [OL_OPERAND_GRADIENT] = READS,
                      [OL_OPERAND_ACCUMULATOR] = READS,
                      [OL_OPERAND_NORMS] = READS,
                      [OL_OPERAND_WEIGHTS] = WRITES},
    [OL_OP_HASH] = {[OL_OPERAND_SOURCE] = READS, [OL_OPERAND_STAGING] = WRITES},
    [OL_OP_FILL] = {[OL_OPERAND_TARGET] = WRITES, [OL_OPERAND_STAGING] = WRITES},
};

/* What an op does with an operand. TOKENS are written by the forward that acquires them; a forward
 * with a SOURCE, which arrived from another stage, keeps a copy of it in INPUT. */
static guint access_of(const OlDraft *draft, OlOperand operand)
{
  gboolean forward = draft->node.op == OL_OP_FORWARD;
  const int *buffer = draft->operands.buffer;
  if (forward && operand == OL_OPERAND_TOKENS && acquires(draft, buffer[operand]))
    return WRITES;
  if (forward && operand == OL_OPERAND_INPUT && buffer[OL_OPERAND_SOURCE] != OL_NONE)
    return WRITES;
  return accesses[draft->node.op][operand];
}

static void later(Moment *newest, OlLane lane, Moment moment)
{
  if (moment > newest[lane])
    newest[lane] = moment;
}

static OlDraft *draft_at(const OlBuilder *builder, Moment moment)
{
  return g_ptr_array_index(builder->drafts, moment % builder->drafts->len);
}

static Uses *uses_of(const OlBuilder *builder, const Walk *walk, int buffer)
{
  return &walk->uses[(guint)buffer - builder->first_buffer];
}

/* The newest node of each lane that `draft`'s buffers make it await; then books its own uses. */
static void collect_hazards(OlBuilder *builder, Walk *walk, const OlDraft *draft, Moment now,
                            Moment *newest)
{
  for (int i = 0; i < OL_N_OPERANDS; i++) {
    int buffer = draft->operands.buffer[i];
    guint access = buffer == OL_NONE ? 0 : access_of(draft, i);
    if (access == 0)
      continue;
    Uses *uses = uses_of(builder, walk, buffer);
    if (uses->writer >= 0)
      later(newest, draft_at(builder, uses->writer)->node.lane, uses->writer);
    if (access == READS)
      continue;
    for (int lane = 0; lane < OL_N_LANES; lane++)
      later(newest, lane, uses->readers[lane]);
  }
  for (int i = 0; i < OL_N_OPERANDS; i++) {
    int buffer = draft->operands.buffer[i];
    guint access = buffer == OL_NONE ? 0 : access_of(draft, i);
    Uses *uses = buffer == OL_NONE ? NULL : uses_of(builder, walk, buffer);
    if (access == READS)
      uses->readers[draft->node.lane] = now;
    if (access == WRITES) {
      uses->writer = now;
      for (int lane = 0; lane < OL_N_LANES; lane++)
        uses->readers[lane] = -1;
    }
  }
}

static void merge_known(Walk *walk, Moment now, Moment past)
{
  for (int lane = 0; lane < OL_N_LANES; lane++)
    later(walk->known[now], lane, walk->known[past][lane]);
}

/* Drops from `newest` what the others imply, and notes what `now` knows. */
static void reduce(OlBuilder *builder, Walk *walk, OlLane own, Moment now, Moment *newest)
{
  Moment *known = walk->known[now];
  for (int lane = 0; lane < OL_N_LANES; lane++)
    known[lane] = -1;
  if (walk->lane_last[own] >= 0) {
    merge_known(walk, now, walk->lane_last[own]);
    later(known, own, walk->lane_last[own]);
  }
  newest[own] = -1; /* the lane's own order */
  for (int lane = 0; lane < OL_N_LANES; lane++)
    if (newest[lane] >= 0 && newest[lane] <= known[lane])
      newest[lane] = -1;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    for (int other = 0; other < OL_N_LANES; other++)
      if (other != lane && newest[lane] >= 0 && newest[other] >= 0 &&
          walk->known[newest[other]][lane] >= newest[lane])
        newest[lane] = -1;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    if (newest[lane] >= 0) {
      merge_known(walk, now, newest[lane]);
      later(known, lane, newest[lane]);
    }
  walk->lane_last[own] = now;
}

/* With prefetch 0 every node of a rank waits for the one before it in plan order; and so do those
 * of the last part, where hashes read the units one after the other. */
static gboolean is_serial(const OlBuilder *builder, OlPart part)
{
  return part == OL_PART_HASH || (part == OL_PART_STEP && builder->config->overlap.prefetch == 0);
}

static void add_serial_wait(OlBuilder *builder, Walk *walk, Moment *newest)
{
  Moment newest_of_all = -1;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    newest_of_all = MAX(newest_of_all, walk->lane_last[lane]);
  if (newest_of_all >= 0)
    later(newest, draft_at(builder, newest_of_all)->node.lane, newest_of_all);
}

static void add_gate(OlBuilder *builder, Walk *walk, const OlDraft *draft, Moment walk_start,
                     Moment *newest)
{
  if (draft->gate == OL_NONE)
    return;
  Moment gate = walk_start + draft->gate;
  if (draft->gate_is_of_step_before)
    gate -= walk->n;
  if (gate >= 0)
    later(newest, draft_at(builder, gate)->node.lane, gate);
}

/* Of the steps in a row that are walked: parts that alternate count as two. */
static guint step_of(const OlBuilder *builder, Moment moment)
{
  guint n = builder->drafts->len;
  gboolean alternates = builder->config->overlap.order == OL_UNIT_ORDER_ALTERNATE;
  gboolean odd = draft_at(builder, moment)->node.steps == OL_STEPS_ODD;
  return alternates ? 2 * (guint)(moment / n) + odd : (guint)(moment / n);
}

/* For an older node stands its lane's last one of the step before. */
OlWait ol_builder_make_wait(const OlBuilder *builder, Moment now, Moment on)
{
  guint step = step_of(builder, now);
  OlLane lane = draft_at(builder, on)->node.lane;
  for (Moment later = now - 1; step_of(builder, on) + 1 < step && later > on; later--) {
    const OlGraphNode *node = &draft_at(builder, later)->node;
    if (node->part == OL_PART_STEP && node->lane == lane && step_of(builder, later) + 1 == step)
      on = later;
  }
  g_assert(step_of(builder, on) + 1 >= step);
  return (OlWait){(guint)(on % builder->drafts->len), step - step_of(builder, on)};
}

static void keep_waits(OlBuilder *builder, const Walk *walk, OlDraft *draft, Moment now,
                       const Moment *newest)
{
  draft->n_waits = 0;
  for (int lane = 0; lane < OL_N_LANES; lane++)
    if (newest[lane] >= 0)
      draft->waits[draft->n_waits++] = ol_builder_make_wait(builder, now, newest[lane]);
}

/* A gate left open at the step's end holds the lane's first node of the next step. */
static void hand_gates_over(OlBuilder *builder)
{
  for (guint i = 0; i < builder->drafts->len; i++) {
    OlDraft *draft = g_ptr_array_index(builder->drafts, i);
    int *gate = &builder->lane_gate[draft->node.lane];
    if (draft->node.part != OL_PART_STEP || *gate == OL_NONE)
      continue;
    if (draft->gate == OL_NONE) {
      draft->gate = *gate;
      draft->gate_is_of_step_before = TRUE;
    }
    *gate = OL_NONE;
  }
}

static void walk_part(OlBuilder *builder, Walk *walk, OlPart part, Moment walk_start,
                      gboolean write)
{
  for (guint i = 0; i < walk->n; i++) {
    OlDraft *draft = g_ptr_array_index(builder->drafts, i);
    if (draft->node.part != part)
      continue;
    Moment now = walk_start + i, newest[OL_N_LANES];
    for (int lane = 0; lane < OL_N_LANES; lane++)
      newest[lane] = -1;
    collect_hazards(builder, walk, draft, now, newest);
    add_gate(builder, walk, draft, walk_start, newest);
    if (is_serial(builder, part))
      add_serial_wait(builder, walk, newest);
    reduce(builder, walk, draft->node.lane, now, newest);
    if (write)
      keep_waits(builder, walk, draft, now, newest);
  }
}

static void reset(Walk *walk, guint n_buffers)
{
  for (guint i = 0; i < n_buffers; i++) {
    walk->uses[i].writer = -1;
    for (int lane = 0; lane < OL_N_LANES; lane++)
      walk->uses[i].readers[lane] = -1;
  }
  for (int lane = 0; lane < OL_N_LANES; lane++)
    walk->lane_last[lane] = -1;
}

void ol_builder_find_waits(OlBuilder *builder)
{
  guint n_buffers = builder->n_buffers;
  Walk walk = {.n = builder->drafts->len};
  walk.uses = g_new(Uses, n_buffers);
  walk.known = g_malloc_n(2 * (gsize)walk.n, sizeof *walk.known);

  hand_gates_over(builder);
  /* Between the parts all lanes meet, so each part starts with nothing to wait for. */
  reset(&walk, n_buffers);
  walk_part(builder, &walk, OL_PART_FILL, 0, TRUE);
  reset(&walk, n_buffers);
  walk_part(builder, &walk, OL_PART_STEP, 0, FALSE);
  walk_part(builder, &walk, OL_PART_STEP, walk.n, TRUE);
  reset(&walk, n_buffers);
  walk_part(builder, &walk, OL_PART_HASH, 0, TRUE);

  g_free(walk.uses);
  g_free(walk.known);
}
