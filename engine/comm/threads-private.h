/* What the parts of the communicator between threads share: its life in threads.c, collectives on
 * a group in collectives.c, messages from rank to rank in mail.c. */
#pragma once

#include "engine/comm/comm-private.h"

#define OL_COMM_CACHE_LINE 64

typedef struct OlCommMail OlCommMail; /* the slots booked at one rank */

/* One rank's. */
typedef struct {
  _Alignas(OL_COMM_CACHE_LINE) guint64 received; /* bytes; only its own thread's to touch */
  OlCommMail *mail;
} OlCommEnd;

typedef struct {
  OlComm base;
  OlCommEnd *ends; /* [n_ranks] */
} OlCommThreads;

static inline OlCommEnd *ol_comm_end(OlComm *comm, guint rank)
{
  return &((OlCommThreads *)comm)->ends[rank];
}

/* Rows of the table: see OlCommOps. */
OlCommGroup *ol_comm_threads_group_new(OlComm *comm, const guint *ranks, guint n);
void ol_comm_threads_group_free(OlCommGroup *group);
void ol_comm_threads_group_wake(OlCommGroup *group);
gboolean ol_comm_threads_fail(OlCommGroup *group);
gboolean ol_comm_threads_barrier(const OlCommCall *call);
gboolean ol_comm_threads_all_reduce(const OlCommCall *call, const void *source, void *target,
                                    gsize n, OlDtype dtype);
gboolean ol_comm_threads_reduce_scatter(const OlCommCall *call, const void *source, void *target,
                                        const gsize *counts, OlDtype dtype, OlDtype target_dtype);
gboolean ol_comm_threads_all_gather(const OlCommCall *call, const void *source, void *target,
                                    const gsize *bytes);
gboolean ol_comm_threads_broadcast(const OlCommCall *call, guint root, void *buffer, gsize bytes);
void ol_comm_threads_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target,
                                  gsize bytes);
gboolean ol_comm_threads_wait_receive(OlComm *comm, guint to, guint from, guint tag);
gboolean ol_comm_threads_send(OlComm *comm, guint from, guint to, guint tag, const void *source,
                              gsize bytes);

OlCommMail *ol_comm_mail_new(void);
void ol_comm_mail_free(OlCommMail *mail);
void ol_comm_mail_wake(OlCommMail *mail);
