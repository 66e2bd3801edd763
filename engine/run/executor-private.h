/* The executor's insides, shared by its files:
 *   executor.c   its life: threads, the outcome
 *   lane-set.c   which lanes there are
 *   lanes.c      a lane's loop: order, waits, issue
 *   listeners.c  which lanes wait for a node, and how they hear of it
 *   spans.c      a node's begin and end: gate, memory, hold, stamp
 *   memory.c     tiers, homes, transients
 *   kernels.c    what a node does, by op
 *   collective.c what the peer lane does
 *   storage.c    the NVMe tier's file
 *   clip.c       the gradients' norm, and what clipping does to them
 *   fill-hash.c  the parts before and after the steps
 *   join.c       slices put together again before they are hashed
 *   warm-up.c    what is done once before anything is recorded
 *   dues.c       when each node is due on the scale clock
 *   remote*.c    ranks that are other processes (remote-private.h) */
#pragma once

#include "engine/base/bell.h"
#include "engine/memory/arena.h"
#include "engine/memory/disk.h"
#include "engine/memory/ledger.h"
#include "engine/run/executor.h"
#include "engine/run/pace.h"
#include "engine/run/timetable.h"
#include "engine/run/update-pool.h"

G_BEGIN_DECLS

/* Lanes may be in different steps at once, but none begins step s before all have ended step
 * s - OL_STEPS_APART. So what belongs to a step (events, dues, losses) lies in a ring of that many
 * and one more, for waits reach one step back. */
#define OL_STEPS_APART 6
#define OL_STEP_RING   8

/* A lane has two nodes in flight at most: the one that runs and the one issued ahead. */
#define OL_ISSUE_RING 4

typedef struct OlExecutorLane OlExecutorLane;

/* One node of one step, from its issue to its end. */
typedef struct {
  OlExecutorLane *lane;
  guint node;
  int step;          /* as in OlSpan */
  guint slot;        /* in the lane's ring of issues */
  guint64 following; /* place in plan order of the lane's next node */
  gboolean begun;
  gint64 begin_ns;
  guint64 bytes; /* that its work moved over the lane's link */
} OlIssue;

typedef struct {
  OlExecutorLane *lane;          /* NULL: of a rank in another process */
  atomic_uint issued, done;      /* instances so far: one a step, or one in all */
  OlRange listeners;             /* in executor.listeners: lanes with nodes that wait for it */
  OlEvent *events[OL_STEP_RING]; /* NULL unless a node on another stream waits for it */
  atomic_uint received;          /* of a send to another process: what has arrived there */
} OlNodeState;

/* One rank's memory and device. */
typedef struct {
  OlDevice *device;
  OlArena *arenas[OL_N_TIERS];
  char *base[OL_N_TIERS];
  char *host_memory; /* mapped, host_bytes of it */
  gsize host_bytes;
  GArray *pinned;                         /* guint: buffers whose memory is locked */
  OlUpdatePool *pool;                     /* NULL when nothing is updated on the host */
  OlCommGroup *world;                     /* all ranks; NULL when there is one */
  OlCommGroup *data_group, *tensor_group; /* NULL when there is one rank */
  GChecksum *replica;                     /* of what every data rank has whole */
  OlDisk *disk;                           /* NULL when nothing lies on NVMe */
} OlRankState;

struct OlExecutorLane {
  OlExecutor *executor;
  OlRankState *rank;
  guint index; /* in executor.lanes */
  OlLane kind;
  OlStream *stream;             /* NULL on host lanes */
  GArray *nodes[OL_N_PARTS][2]; /* guint, in plan order; steps: of even and of odd ones */
  atomic_uint steps_done;
  OlBell bell; /* where its thread waits */
  OlIssue issues[OL_ISSUE_RING];
  guint n_issued;
  int32_t *tokens; /* compute lane: [OL_ISSUE_RING][2][tokens of a micro-batch], on their way up */
  pthread_t thread;
  guint meetings; /* it has been at */
  gboolean looks; /* after what other processes say, while it waits */
  gboolean ended; /* its stream has come to where the plan has no room: nothing begins any more */
};

typedef struct {
  guint nodes_left;
  gint64 begin_ns, end_ns;
} OlStepState;

typedef struct OlDues OlDues;
typedef struct OlRemote OlRemote;

/* Of one step. */
typedef struct {
  double norm;  /* of the finished gradients, all units */
  double scale; /* that they are multiplied by: at most 1 */
} OlClip;

/* One payload of one unit of the whole model, as its slices come in. */
typedef struct {
  guchar *whole;   /* of the largest unit, in 4 bytes an element */
  guint64 arrived; /* elements */
} OlJoin;

struct OlExecutor {
  OlExecutorOptions options;
  const OlPlan *plan;
  const OlGraph *graph;
  const OlDeviceOps *ops;
  OlRankState *ranks;
  OlExecutorLane *lanes; /* by rank, then kind; only those that have nodes */
  guint n_lanes;
  OlNodeState *nodes;
  GArray *listeners; /* guint: in executor.lanes */
  OlLedger *ledger;
  OlPace *pace;
  OlDues *dues; /* NULL on the machine's clock */

  OlComm *comm;           /* NULL when there is one rank */
  OlRemote *remote;       /* NULL unless ranks are processes: then one of them is here */
  GArray *norm_parts;     /* OlNormPart: who sums what of the clipping norm; NULL likewise */
  OlBell bell;            /* where whoever started the lanes waits for their end */
  atomic_llong origin_ns; /* of trace times on the machine's clock; 0 until the first node begins */
  atomic_llong late_ns;   /* the largest */
  atomic_bool aborted;
  atomic_uint lanes_left; /* that have not ended yet */
  atomic_uint met;        /* arrivals at meetings, of all lanes */

  pthread_mutex_t lock; /* guards what follows */
  OlOutcome outcome;
  char *message, *table;
  guint step_nodes[2]; /* in an even and an odd step, over all lanes */
  OlStepState steps[OL_STEP_RING];

  double *losses; /* [OL_STEP_RING][ranks][micro_batches]: written by the stream that made them */
  OlClip *clips;  /* [OL_STEP_RING][ranks]: alike, but each rank writes its own */
  GChecksum *checksum; /* of the hash nodes, which the plan puts in a chain */
  OlJoin join;         /* of what they read, when blocks are sliced */
};

/* executor.c */
/* The first outcome stands; lanes then end as soon as they can. Takes `message` and `table`. */
void ol_executor_abort(OlExecutor *executor, OlOutcome outcome, char *message, char *table);
/* The same with outcome failed; with several ranks the message says of which. */
void ol_executor_fail(OlExecutor *executor, const OlRankState *rank, const char *message);
/* The same for an outcome that another process has told. */
void ol_executor_hear_abort(OlExecutor *executor, OlOutcome outcome, const char *message,
                            const char *table);
gboolean ol_executor_is_aborted(const OlExecutor *executor);
gboolean ol_executor_is_here(const OlExecutor *executor, guint rank);
/* Whether the device has failed, which aborts the run. */
gboolean ol_executor_check_device(OlExecutor *executor, const OlRankState *rank);

/* A wait until a count is reached, or the run is aborted. */
typedef struct {
  const OlExecutor *executor;
  const atomic_uint *counter;
  guint at_least;
} OlAwait;

gboolean ol_await_is_over(gconstpointer await); /* an OlAwait */

/* lane-set.c */
void ol_lanes_open(OlExecutor *executor);
void ol_lanes_close(OlExecutor *executor);
void ol_lanes_open_events(OlExecutor *executor); /* once there are lanes */
void ol_lanes_close_events(OlExecutor *executor);

/* lanes.c */
const GArray *ol_lane_nodes(const OlExecutorLane *lane, OlPart part, int step);
void ol_lane_run(OlExecutorLane *lane);

/* listeners.c. A ring follows each change of what lanes wait for: of a node, or of all lanes. */
void ol_listeners_open(OlExecutor *executor);
void ol_listeners_ring(OlExecutor *executor, guint node);
void ol_listeners_ring_all(OlExecutor *executor);

/* spans.c: host functions on a device lane's stream, or called by a host lane. data: OlIssue. */
void ol_issue_begin(gpointer data);
void ol_issue_end(gpointer data);
/* What another process has done of a step, and its losses: [n bytes]. */
void ol_step_take(OlExecutor *executor, guint step, guint rank, const OlStepState *of_rank,
                  const void *losses, gsize n);

/* memory.c. FALSE when aborted, or (acquire) about to be by the rank that is refused first. */
gboolean ol_memory_reserve(OlExecutor *executor, OlRankState *rank, GError **error);
void ol_memory_clear(OlExecutor *executor, OlRankState *rank);
gboolean ol_memory_acquire_homes(OlExecutor *executor);
gboolean ol_memory_acquire(OlExecutor *executor, guint buffer, int node, gint64 time_ns);
void ol_memory_release(OlExecutor *executor, guint buffer, gint64 time_ns);
/* Whether every buffer of the node has a place: else it is not issued, and its begin tells why. */
gboolean ol_memory_has_places(const OlExecutor *executor, guint node);

/* kernels.c, fill-hash.c. Issued onto the lane's stream, or done, on a host lane, at once. */
typedef void (*OlNodeWork)(OlExecutor *executor, OlIssue *issue);
OlNodeWork ol_node_work(OlOp op, gboolean on_device);
void ol_work_fill(OlExecutor *executor, OlIssue *issue);
void ol_work_hash(OlExecutor *executor, OlIssue *issue);
/* Adds bytes of a hash node's home, from its byte `first` on, to the sum over all weights. */
void ol_hash_add(OlExecutor *executor, guint node, guint64 first, const void *bytes, gsize n);

/* join.c. Adds `bytes` of a node's home to what is hashed: elements first … of its rank's part. */
void ol_join_open(OlExecutor *executor);
void ol_join_close(OlExecutor *executor);
void ol_join_add(OlExecutor *executor, guint node, guint64 first, const void *elements, guint64 n,
                 gsize size);

/* clip.c */
void ol_work_norm(OlExecutor *executor, OlIssue *issue);
void ol_work_norm_here(OlExecutor *executor, OlIssue *issue);
/* The norm and the scale, once all chunks' sums lie in the node's NORMS. */
void ol_clip_finish(OlIssue *issue);

/* collective.c */
void ol_collectives_open(OlExecutor *executor);
void ol_work_collective(OlExecutor *executor, OlIssue *issue);
/* Between processes, on the peer lane's thread. */
void ol_work_collective_here(OlExecutor *executor, OlIssue *issue);
void ol_work_send_here(OlExecutor *executor, OlIssue *issue);

/* remote.c: ranks that are other processes. Only the peer lane's thread calls MPI while lanes run;
 * all of them may tell. */
OlRemote *ol_remote_new(OlExecutor *executor, guint rank);
void ol_remote_free(OlRemote *remote);
void ol_remote_set_peer(OlRemote *remote, OlExecutorLane *peer);
guint ol_remote_get_rank(const OlRemote *remote);
/* By the main thread, before lanes run and after. */
void ol_remote_open(OlRemote *remote);
void ol_remote_close(OlRemote *remote);
/* Of a rank's replica, when all is done. */
const char *ol_remote_get_digest(const OlRemote *remote, guint rank);
/* Whether somebody has died, which aborts the run; and what rank 0 is commanded. */
void ol_remote_check(OlRemote *remote);
/* Of those that live, as far as can be seen from here. */
gboolean ol_remote_is_first_alive(const OlRemote *remote);
/* By the peer lane: one look (data: the OlRemote), or as many as it takes. */
void ol_remote_look(gpointer data);
void ol_remote_await(OlRemote *remote, gboolean (*ready)(gconstpointer data), gconstpointer data);
void ol_remote_send(OlRemote *remote, OlIssue *issue);
/* All lanes here have come to their n-th meeting. */
void ol_remote_arrive(OlRemote *remote, guint meeting);
const atomic_uint *ol_remote_get_met(const OlRemote *remote);         /* meetings of all ranks */
const atomic_uint *ol_remote_get_steps_whole(const OlRemote *remote); /* that all ranks have done */
gint64 ol_remote_get_instant(const OlRemote *remote); /* of the last meeting, by our clock */
void ol_remote_tell_done(OlRemote *remote, guint node);
void ol_remote_tell_hash(OlRemote *remote, guint node, guint64 first, const void *bytes, gsize n);
void ol_remote_tell_step(OlRemote *remote, guint step, const OlStepState *state);
void ol_remote_tell_whole(OlRemote *remote, guint steps); /* by rank 0 */
void ol_remote_tell_end(OlRemote *remote, OlOutcome outcome, const char *message,
                        const char *table);

/* storage.c */
gboolean ol_storage_open(OlExecutor *executor, OlRankState *rank, GError **error);
/* Tells the drive which host slots it will use, and the trace which way the bytes take. */
void ol_storage_register(OlExecutor *executor, guint rank);
/* A copy by a host lane. */
void ol_work_copy_here(OlExecutor *executor, OlIssue *issue);
/* Moves bytes between host memory and a home on NVMe, from its byte `first` on. FALSE when the
 * drive failed, which aborts the run. */
gboolean ol_storage_move(OlExecutor *executor, OlIssue *issue, int home, guint64 first, void *block,
                         guint64 bytes, gboolean write);

static inline const OlGraphNode *ol_issue_node(const OlExecutor *executor, const OlIssue *issue)
{
  return ol_graph_node(executor->graph, issue->node);
}

static inline OlClip *ol_clip_of(const OlExecutor *executor, guint rank, guint step)
{
  return &executor->clips[step % OL_STEP_RING * executor->graph->n_ranks + rank];
}

/* A delayed node has nothing to work on in the first step. */
static inline gboolean ol_issue_is_idle(const OlExecutor *executor, const OlIssue *issue)
{
  return issue->step >= 0 && (guint)issue->step < ol_issue_node(executor, issue)->steps_behind;
}

static inline void *ol_issue_operand(const OlExecutor *executor, const OlIssue *issue,
                                     OlOperand operand)
{
  return ol_executor_get_buffer(executor,
                                ol_plan_operands(executor->plan, issue->node).buffer[operand]);
}

/* Whether the node brings this operand's memory into being. */
static inline gboolean ol_issue_acquires(const OlExecutor *executor, const OlIssue *issue,
                                         OlOperand operand)
{
  int buffer = ol_plan_operands(executor->plan, issue->node).buffer[operand];
  OlRange range = ol_issue_node(executor, issue)->acquires;
  const guint *acquires = ol_graph_buffer_list(executor->graph, range);
  for (guint i = 0; buffer != OL_NONE && i < range.n; i++)
    if (acquires[i] == (guint)buffer)
      return TRUE;
  return FALSE;
}

/* The elements of the node's unit that its rank has of a payload at home. */
static inline OlShard ol_node_extent(const OlExecutor *executor, guint id, OlPayload payload)
{
  const OlGraphNode *node = ol_graph_node(executor->graph, id);
  guint64 all = executor->plan->shape->units[node->unit].parameters;
  return ol_plan_is_sharded(executor->plan->config, payload)
             ? ol_plan_shard(executor->plan, node->rank, (guint)node->unit)
             : (OlShard){0, all, all};
}

static inline OlShard ol_issue_extent(const OlExecutor *executor, const OlIssue *issue,
                                      OlPayload payload)
{
  return ol_node_extent(executor, issue->node, payload);
}

static inline const OlShapeUnit *ol_issue_unit(const OlExecutor *executor, const OlIssue *issue)
{
  return &executor->plan->shape->units[ol_issue_node(executor, issue)->unit];
}

/* warm-up.c */
void ol_executor_warm_up(OlExecutor *executor);

/* dues.c */
OlDues *ol_dues_new(const OlGraph *graph, const OlCosts *costs, double slowdown);
void ol_dues_free(OlDues *dues);
/* Makes the dues of a step known; each lane calls it before its first node of the step. */
void ol_dues_prepare(OlDues *dues, guint step);
gint64 ol_dues_of(const OlDues *dues, guint step, guint node);

G_END_DECLS
