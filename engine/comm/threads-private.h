/* What the parts of the communicator between threads share: its life in threads.c, collectives on
 * a group in collectives.c, messages from rank to rank in mail.c. */
#pragma once

#include "engine/base/gate.h"
#include "engine/comm/comm.h"

#define OL_COMM_CACHE_LINE 64

typedef struct OlCommMail OlCommMail; /* the slots booked at one rank */

/* One rank's. */
typedef struct {
  _Alignas(OL_COMM_CACHE_LINE) guint64 received; /* bytes; only its own thread's to touch */
  OlCommMail *mail;
} OlCommEnd;

struct OlComm {
  guint n_ranks;
  OlCommEnd *ends;      /* [n_ranks] */
  atomic_bool aborted;  /* set after `failure` */
  pthread_mutex_t lock; /* of the two below */
  GPtrArray *groups;
  char *failure;
};

static inline gboolean ol_comm_is_aborted(OlComm *comm)
{
  return atomic_load(&comm->aborted);
}

G_GNUC_PRINTF(3, 4)
void ol_comm_abort_printf(OlComm *comm, guint rank, const char *format, ...);

OlCommGroup *ol_comm_group_new(OlComm *comm, const guint *ranks, guint n);
void ol_comm_group_free(OlCommGroup *group);
gboolean ol_comm_group_is(const OlCommGroup *group, const guint *ranks, guint n);
void ol_comm_group_wake(OlCommGroup *group);

OlCommMail *ol_comm_mail_new(void);
void ol_comm_mail_free(OlCommMail *mail);
void ol_comm_mail_wake(OlCommMail *mail);
