/* A communicator between processes over MPI: its life in mpi.c, collectives in collectives.c,
 * messages in mail.c, both made of parcels (parcels.c), and notes in notes.c.
 *
 * Only the rank's own thread calls MPI, and nothing of its memory is lent to MPI: what goes out is
 * copied first, what comes in is copied last. So a failure can leave any transfer unfinished, and
 * yet nobody touches the rank's memory any more (comm.h). Whoever waits looks, over and over, after
 * everything that may come in: data, messages of others, news of a failure. */
#pragma once

#include "engine/comm/comm-private.h"

#include <mpi.h>

typedef struct {
  OlComm base;
  guint rank; /* this process's, or OL_COMM_NO_MEMBER */
  guint64 received;
  /* A communicator a purpose, so that nothing is taken for something else. */
  MPI_Comm calls, mail, receipts, alarm, notes;
  atomic_bool announced; /* a failure: every other rank has been told, or told us, or need not */
  atomic_bool lost;      /* a process is gone: MPI cannot be ended in order any more */

  pthread_mutex_t slots_lock; /* any thread may book */
  GQueue slots;               /* of mail.c, in the order of booking */
  GPtrArray *arrivals;        /* of mail.c: messages that have no slot yet, or are coming in */

  pthread_mutex_t told_lock; /* any thread may tell */
  GQueue told;               /* of notes.c: not yet sent */
  GQueue sent, coming;       /* of notes.c: under way */
  OlCommReader reader;
  gpointer reader_data;
} OlMpi;

/* ---- parcels: transfers that are under way together ---- */

typedef struct {
  OlMpi *mpi;
  MPI_Comm over;
  GArray *requests;   /* MPI_Request */
  GPtrArray *buffers; /* of both ways */
} OlParcels;

void ol_parcels_init(OlParcels *parcels, OlMpi *mpi, MPI_Comm over);
/* source: [bytes] is copied. */
void ol_parcels_send(OlParcels *parcels, guint to, const void *source, gsize bytes);
/* Where [bytes] from that rank will lie until the parcels are cleared. */
const void *ol_parcels_receive(OlParcels *parcels, guint from, gsize bytes);
/* All are through; FALSE after a failure. */
gboolean ol_parcels_wait(OlParcels *parcels);
/* What a failure has left under way keeps its buffers for good: MPI may still use them. */
void ol_parcels_clear(OlParcels *parcels);

/* ---- waiting ---- */

/* Looks after all that may come in. FALSE once there is a failure. */
gboolean ol_mpi_look(OlMpi *mpi);
/* Between two looks; *looks counts them, from 0. */
void ol_mpi_rest(guint *looks);

/* ---- rows of the table: see OlCommOps ---- */

gboolean ol_mpi_barrier(const OlCommCall *call);
gboolean ol_mpi_all_reduce(const OlCommCall *call, const void *source, void *target, gsize n,
                           OlDtype dtype);
gboolean ol_mpi_reduce_scatter(const OlCommCall *call, const void *source, void *target,
                               const gsize *counts, OlDtype dtype, OlDtype target_dtype);
gboolean ol_mpi_all_gather(const OlCommCall *call, const void *source, void *target,
                           const gsize *bytes);
gboolean ol_mpi_broadcast(const OlCommCall *call, guint root, void *buffer, gsize bytes);
void ol_mpi_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target, gsize bytes);
gboolean ol_mpi_wait_receive(OlComm *comm, guint to, guint from, guint tag);
gboolean ol_mpi_send(OlComm *comm, guint from, guint to, guint tag, const void *source,
                     gsize bytes);

/* mail.c: what has come in since the last look. */
void ol_mpi_look_after_mail(OlMpi *mpi);
void ol_mpi_free_mail(OlMpi *mpi);

/* notes.c */
void ol_mpi_set_reader(OlComm *comm, OlCommReader reader, gpointer data);
void ol_mpi_tell(OlComm *comm, guint to, const void *note, gsize bytes);
gboolean ol_mpi_is_quiet(OlComm *comm);
void ol_mpi_look_after_notes(OlMpi *mpi);
void ol_mpi_free_notes(OlMpi *mpi);
