/* When turns come if all stages cost the same and messages next to nothing. It tells in what order
 * a rank's peer lane should send and receive, and how many messages wait at a rank: real times are
 * others, so a run may be slower for it, but never wrong.
 *
 * Nor can it lock up. Put every node at the tick at which its turn ends; at the same tick first
 * what is computed, then what is received ahead, then what is sent; and a plain receive at the tick
 * at which its turn begins, after all these. In this order every wait points backwards: a lane's
 * own order, one node after the other where a rank is serial (prefetch 0), and those between ranks,
 * namely of a receive for its send and of a send for the last use of the slot that it fills, as
 * there are slots for all messages that wait at once. So no waits close a circle, whatever time
 * things take in fact. */
#include "engine/plan/builder.h"

/* Ticks. A message takes enough to show who waits for whom. */
#define FORWARD  100
#define BACKWARD (2 * FORWARD)
#define MESSAGE  1

#define UNKNOWN G_MAXUINT

typedef struct {
  const OlRunConfig *config;
  OlTurns *turns;
  guint message; /* what it takes: nothing where ranks are serial and every slot would be a waste */
  guint *end[2]; /* [backward][stages of the model × micro-batches]: ticks, or UNKNOWN */
} Clock;

/* A message to a rank, by when it is sent and when the turn that uses it ends. */
typedef struct {
  guint sent, used;
} Message;

static guint *end_of(const Clock *clock, gboolean backward, guint stage, guint micro_batch)
{
  return &clock->end[backward][stage * clock->config->batch.micro_batches + micro_batch];
}

static guint stage_of(const Clock *clock, guint rank, const OlTurn *turn)
{
  return turn->chunk * clock->turns->n_ranks + rank;
}

/* Whether a turn begins with a message. */
static gboolean is_fed(const Clock *clock, guint rank, const OlTurn *turn)
{
  guint stages = clock->turns->n_ranks * clock->config->parallel.chunks;
  return stage_of(clock, rank, turn) != (turn->backward ? stages - 1 : 0);
}

/* When that is sent. */
static guint sent_at(const Clock *clock, guint rank, const OlTurn *turn)
{
  guint stage = stage_of(clock, rank, turn);
  return *end_of(clock, turn->backward, turn->backward ? stage + 1 : stage - 1, turn->micro_batch);
}

static OlTurn *turn_of(const Clock *clock, guint rank, guint i)
{
  return &g_array_index(clock->turns->of[rank], OlTurn, i);
}

/* FALSE when the turn must wait for one that has no time yet. `now`: when the rank's last ended. */
static gboolean take(const Clock *clock, guint rank, const OlTurn *turn, guint *now)
{
  guint begin = *now;
  if (is_fed(clock, rank, turn)) {
    guint sent = sent_at(clock, rank, turn);
    if (sent == UNKNOWN)
      return FALSE;
    begin = MAX(begin, sent + clock->message);
  }
  *now = begin + (turn->backward ? BACKWARD : FORWARD);
  *end_of(clock, turn->backward, stage_of(clock, rank, turn), turn->micro_batch) = *now;
  return TRUE;
}

static void find_ends(const Clock *clock)
{
  guint n = clock->turns->n_ranks, left = n * clock->turns->of[0]->len;
  g_autofree guint *next = g_new0(guint, n), *now = g_new0(guint, n);
  while (left > 0) {
    guint before = left;
    for (guint rank = 0; rank < n; rank++)
      while (next[rank] < clock->turns->of[rank]->len &&
             take(clock, rank, turn_of(clock, rank, next[rank]), &now[rank])) {
        next[rank]++;
        left--;
      }
    g_assert(left < before); /* else this schedule can never be run */
  }
}

/* The messages of one direction, in the order in which they are sent and used. */
static guint most_waiting(const GArray *messages)
{
  guint most = 0;
  for (guint i = 0, used = 0; i < messages->len; i++) {
    while (g_array_index(messages, Message, used).used <= g_array_index(messages, Message, i).sent)
      used++;
    most = MAX(most, i + 1 - used);
  }
  return most;
}

/* Whether a turn's message is there when the turn before ends, so that what that one sends need not
 * wait behind it. In a wave of turns of one direction it comes just then. Else that may be chance,
 * which stages of unlike cost undo: so it must be there well before. */
static gboolean comes_early(const Clock *clock, const OlTurn *turn, const OlTurn *turn_before,
                            guint sent, guint end)
{
  guint margin = turn->backward == turn_before->backward ? 0 : FORWARD / 2;
  return sent + clock->message + margin <= end;
}

static void meet(const Clock *clock, guint rank, gboolean backward)
{
  g_autoptr(GArray) messages = g_array_new(FALSE, FALSE, sizeof(Message));
  guint before = 0;
  for (guint i = 0; i < clock->turns->of[rank]->len; i++) {
    OlTurn *turn = turn_of(clock, rank, i);
    guint end = *end_of(clock, turn->backward, stage_of(clock, rank, turn), turn->micro_batch);
    if (turn->backward == backward && is_fed(clock, rank, turn)) {
      Message message = {sent_at(clock, rank, turn), end};
      g_array_append_val(messages, message);
      turn->is_ahead = clock->message > 0 && i > 0 &&
                       comes_early(clock, turn, turn_of(clock, rank, i - 1), message.sent, before);
    }
    before = end;
  }
  clock->turns->waiting[rank][backward] = most_waiting(messages);
}

void ol_turns_meet(OlTurns *turns, const OlRunConfig *config)
{
  guint n = turns->n_ranks * config->parallel.chunks * config->batch.micro_batches;
  guint message = config->overlap.prefetch > 0 ? MESSAGE : 0;
  Clock clock = {config, turns, message, {g_new(guint, n), g_new(guint, n)}};
  for (guint i = 0; i < n; i++)
    clock.end[0][i] = clock.end[1][i] = UNKNOWN;
  find_ends(&clock);
  for (guint rank = 0; rank < turns->n_ranks; rank++)
    for (guint backward = 0; backward < 2; backward++)
      meet(&clock, rank, backward);
  g_free(clock.end[0]);
  g_free(clock.end[1]);
}
