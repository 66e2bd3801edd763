/* What every way of joining ranks shares: comm.c checks arguments, keeps groups and the first
 * failure, and calls the table of its kind. */
#pragma once

#include "engine/base/gate.h"
#include "engine/comm/comm.h"

#define OL_COMM_NO_MEMBER G_MAXUINT

/* Each kind begins its own structures with these. */
struct OlComm {
  const struct OlCommOps *ops;
  guint n_ranks;
  atomic_bool aborted;  /* set after `failure` */
  pthread_mutex_t lock; /* of the two below */
  GPtrArray *groups;
  char *failure; /* "rank 3: message" */
};

struct OlCommGroup {
  OlComm *comm;
  guint n;
  guint *ranks;     /* [n] */
  guint *member_of; /* [n_ranks], or OL_COMM_NO_MEMBER */
};

/* A call of a member, its arguments checked. */
typedef struct {
  OlCommGroup *group;
  guint rank, member;
} OlCommCall;

typedef struct OlCommOps {
  void (*free)(OlComm *comm); /* all but what ol_comm_clear() takes */
  gboolean (*is_local)(const OlComm *comm, guint rank);
  guint64 (*get_received)(const OlComm *comm, guint rank);
  OlCommGroup *(*group_new)(OlComm *comm, const guint *ranks, guint n);
  void (*group_free)(OlCommGroup *group);
  /* After the flag of failure was set: whoever waits finds it. */
  void (*wake)(OlComm *comm);
  /* FALSE, once nobody works any more on the buffers that this rank has lent to the group. */
  gboolean (*fail)(OlCommGroup *group);

  gboolean (*barrier)(const OlCommCall *call);
  gboolean (*all_reduce)(const OlCommCall *call, const void *source, void *target, gsize n,
                         OlDtype dtype);
  gboolean (*reduce_scatter)(const OlCommCall *call, const void *source, void *target,
                             const gsize *counts, OlDtype dtype, OlDtype target_dtype);
  gboolean (*all_gather)(const OlCommCall *call, const void *source, void *target,
                         const gsize *bytes);
  gboolean (*broadcast)(const OlCommCall *call, guint root, void *buffer, gsize bytes);

  void (*post_receive)(OlComm *comm, guint to, guint from, guint tag, void *target, gsize bytes);
  gboolean (*wait_receive)(OlComm *comm, guint to, guint from, guint tag);
  gboolean (*send)(OlComm *comm, guint from, guint to, guint tag, const void *source, gsize bytes);

  /* Between processes; else NULL. */
  void (*set_reader)(OlComm *comm, OlCommReader reader, gpointer data);
  void (*tell)(OlComm *comm, guint to, const void *note, gsize bytes);
  void (*look)(OlComm *comm);
  gboolean (*is_quiet)(OlComm *comm);
  void (*leave)(OlComm *comm); /* before it fails: nobody is to be told */
  void (*lose)(OlComm *comm);
} OlCommOps;

void ol_comm_init(OlComm *comm, const OlCommOps *ops, guint n_ranks);
void ol_comm_clear(OlComm *comm); /* also its groups */
void ol_comm_group_init(OlCommGroup *group, OlComm *comm, const guint *ranks, guint n);
void ol_comm_group_clear(OlCommGroup *group);

static inline gboolean ol_comm_is_aborted(OlComm *comm)
{
  return atomic_load(&comm->aborted);
}

/* ol_comm_abort() with words that say which rank it was. */
void ol_comm_fail(OlComm *comm, const char *failure);
G_GNUC_PRINTF(3, 4)
void ol_comm_abort_printf(OlComm *comm, guint rank, const char *format, ...);

/* ---- what must be alike in all members of a call ---- */

typedef enum {
  OL_COMM_BARRIER,
  OL_COMM_ALL_REDUCE,
  OL_COMM_REDUCE_SCATTER,
  OL_COMM_ALL_GATHER,
  OL_COMM_BROADCAST
} OlCommKind;

typedef struct {
  OlCommKind kind;
  gsize n; /* elements of a sum, else bytes */
  OlDtype dtype, target_dtype;
  guint root; /* rank */
} OlCommTopic;

gboolean ol_comm_topic_is(const OlCommTopic *topic, const OlCommTopic *other);
/* Aborts: this rank's call is not that of member `other`. `blocks`: only those differ. */
void ol_comm_disagree(const OlCommCall *call, const OlCommTopic *mine, guint other,
                      const OlCommTopic *topic, gboolean blocks);

static inline gsize ol_comm_total(const gsize *values, guint n)
{
  gsize sum = 0;
  for (guint i = 0; i < n; i++)
    sum += values[i];
  return sum;
}
