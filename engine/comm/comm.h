/* Collectives: what ranks do together, over whatever joins them.
 *
 * A rank calls from one thread, its peer lane; all members of a group make the same calls on it in
 * the same order. A call blocks until this rank's part is done: then its source may be overwritten
 * and its target is whole. It returns FALSE once the communicator was aborted; the target is then
 * not defined. Either way nobody touches the rank's memory for that call any more.
 *
 * Sums run in fp32 in the order of the group's ranks and are rounded once, to the type of the
 * target, so no result depends on timing. What only moves is counted in bytes, what is summed in
 * elements. Counts may be uneven or zero; a group may have one member.
 *
 * Calls that do not fit together (another kind, another size, a rank outside the group, buffers
 * that overlap where they must not) abort the communicator with a message that says so. */
#pragma once

#include "engine/comm/shard.h"
#include "engine/device/device.h"

G_BEGIN_DECLS

typedef struct OlComm OlComm;           /* all ranks, and how they are joined */
typedef struct OlCommGroup OlCommGroup; /* some of them, in an order */

/* The ranks 0 … n_ranks - 1 are threads of this process and read each other's memory. */
OlComm *ol_comm_new_threads(guint n_ranks);
/* The ranks 0 … n_ranks - 1 are processes that mpirun has started, this one among them or not; they
 * may lie on several machines. 0: as many ranks as there are processes. All of them make the same
 * communicators in the same order, from their main thread, and free them so. NULL with
 * OL_ERROR_DEVICE when the plug-in or Open MPI is missing, or OL_ERROR_BAD_INPUT when there are
 * fewer processes than ranks. */
OlComm *ol_comm_new_mpi(guint n_ranks, GError **error);
/* After every call on it has returned. Its groups go with it. */
void ol_comm_free(OlComm *comm);
guint ol_comm_get_n_ranks(const OlComm *comm);
/* Whether `rank` makes its calls in this process. */
gboolean ol_comm_is_local(const OlComm *comm, guint rank);

/* The group of these ranks in this order, made at the first asking; the ranks differ and n ≥ 1.
 * Any thread may ask. Every member asks before its first call on the group, and members that share
 * several groups ask for them in the same order. Owned by the communicator. */
OlCommGroup *ol_comm_get_group(OlComm *comm, const guint *ranks, guint n);
guint ol_comm_group_get_n_members(const OlCommGroup *group);

/* ---- on a group, by every member ---- */

gboolean ol_comm_barrier(OlCommGroup *group, guint rank);

/* target: [n] = Σ members' source: [n]; target may equal source. Each rank receives its own shard
 * from every other member and the others' shards once. */
gboolean ol_comm_all_reduce(OlCommGroup *group, guint rank, const void *source, void *target,
                            gsize n, OlDtype dtype);

/* source: [Σ counts]; target: [counts[member]] = Σ members' source, of it this member's block: the
 * blocks lie in the order of the group. `counts` is alike in all members. The target may be of
 * another type, so that a sum that goes on stays in fp32; of the same type, it may be the member's
 * own block of its source. Receives the block from every other member. */
gboolean ol_comm_reduce_scatter(OlCommGroup *group, guint rank, const void *source, void *target,
                                const gsize *counts, OlDtype dtype, OlDtype target_dtype);

/* target: [Σ bytes] = the members' sources, [bytes[member]] each, in the order of the group.
 * `bytes` is alike in all members. The source may be the member's own block of its target.
 * Receives every other member's block. */
gboolean ol_comm_all_gather(OlCommGroup *group, guint rank, const void *source, void *target,
                            const gsize *bytes);

/* buffer: [bytes], read at rank `root`, written at every other member. */
gboolean ol_comm_broadcast(OlCommGroup *group, guint rank, guint root, void *buffer, gsize bytes);

/* ---- from rank to rank ---- */

/* Books `target`: [bytes] at rank `to` for a message from `from` with this tag; never blocks. Any
 * thread of that rank may book ahead. Messages with the same ends and tag fill the slots in the
 * order in which they were booked. The slot is lent until its wait has returned, or, after an
 * abort, until the calls of every rank have. */
void ol_comm_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target, gsize bytes);

/* Returns when the oldest slot booked for these ends and tag is filled. */
gboolean ol_comm_wait_receive(OlComm *comm, guint to, guint from, guint tag);

/* Returns when source: [bytes] lies in its slot. Waits for the slot to be booked, never for the
 * receiver to want what is in it. */
gboolean ol_comm_send(OlComm *comm, guint from, guint to, guint tag, const void *source,
                      gsize bytes);

/* ---- notes: between ranks that are processes, and of them alone ---- */

/* What another rank has told this one. Those of one rank come in the order in which it told them;
 * heard on the thread that makes this rank's calls, whenever that looks or waits in one. */
typedef void (*OlCommReader)(guint from, const void *note, gsize bytes, gpointer data);
/* Until there is a reader, notes wait. From the thread that makes the calls. */
void ol_comm_set_reader(OlComm *comm, OlCommReader reader, gpointer data);

/* Copies note: [bytes], for another rank; any thread may tell, and never waits. It goes out when
 * the thread that makes the calls looks or waits in one. Notes go on after a failure. */
void ol_comm_tell(OlComm *comm, guint to, const void *note, gsize bytes);

/* Sends and hears what there is. By the thread that makes the calls. */
void ol_comm_look(OlComm *comm);
/* Whether all that was told has gone out. By that thread. */
gboolean ol_comm_is_quiet(OlComm *comm);

/* ---- failure ---- */

/* Ends every call on the communicator, now and later, on all ranks. Any thread may call it; the
 * first one's message is kept. */
void ol_comm_abort(OlComm *comm, guint rank, const char *message);

/* Between processes: the same in this one alone; the others hear of it by notes. */
void ol_comm_leave(OlComm *comm);
/* Between processes: one of them is gone. Nobody waits for it when this one ends; all end then. */
void ol_comm_lose(OlComm *comm);

/* "rank 3: message", or NULL while there is no failure. Caller frees. */
char *ol_comm_dup_failure(OlComm *comm);

/* ---- traffic ---- */

/* Bytes that came to `rank` from other ranks by its calls so far, counted where they are copied.
 * Asked for by the thread that makes that rank's calls. */
guint64 ol_comm_get_received(const OlComm *comm, guint rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlComm, ol_comm_free)

G_END_DECLS
