/* A communicator between processes: its life, and news of failure. */
#include "engine/base/error.h"
#include "engine/comm/mpi/mpi-private.h"
#include "engine/comm/plugin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRACE_S     2
#define LOST_STATUS 4 /* of a program that has lost a peer (design, exit statuses) */

/* ---- failure ---- */

/* Small messages, which MPI takes at once. */
static void announce(OlMpi *mpi)
{
  g_autofree char *failure = ol_comm_dup_failure(&mpi->base);
  OlParcels parcels;

  mpi->announced = TRUE;
  ol_parcels_init(&parcels, mpi, mpi->alarm);
  for (guint rank = 0; rank < mpi->base.n_ranks; rank++) {
    if (rank != mpi->rank)
      ol_parcels_send(&parcels, rank, failure, strlen(failure) + 1);
  }
  ol_parcels_clear(&parcels);
}

static void hear(OlMpi *mpi)
{
  MPI_Message message;
  MPI_Status status;
  int comes, length;

  MPI_Improbe(MPI_ANY_SOURCE, 0, mpi->alarm, &comes, &message, &status);
  if (!comes)
    return;
  MPI_Get_count(&status, MPI_BYTE, &length);
  g_autofree char *failure = g_malloc0((gsize)length + 1);
  MPI_Mrecv(failure, length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  mpi->announced = TRUE; /* by whom it happened to */
  ol_comm_fail(&mpi->base, failure);
}

gboolean ol_mpi_look(OlMpi *mpi)
{
  ol_mpi_look_after_notes(mpi); /* first: they may say why another has failed */
  hear(mpi);
  if (!ol_comm_is_aborted(&mpi->base)) {
    ol_mpi_look_after_mail(mpi);
    return TRUE;
  }
  if (!mpi->announced)
    announce(mpi);
  return FALSE;
}

static void look(OlComm *comm)
{
  ol_mpi_look((OlMpi *)comm);
}

static void leave_calls(OlComm *comm)
{
  ((OlMpi *)comm)->announced = TRUE;
}

static void lose(OlComm *comm)
{
  ((OlMpi *)comm)->lost = TRUE;
}

/* Whoever waits looks by itself. */
static void wake(OlComm *comm)
{
}

static gboolean fail(OlCommGroup *group)
{
  return ol_mpi_look((OlMpi *)group->comm);
}

/* ---- life ---- */

static gboolean is_local(const OlComm *comm, guint rank)
{
  return rank == ((const OlMpi *)comm)->rank;
}

static guint64 get_received(const OlComm *comm, guint rank)
{
  return is_local(comm, rank) ? ((const OlMpi *)comm)->received : 0;
}

static OlCommGroup *group_new(OlComm *comm, const guint *ranks, guint n)
{
  OlCommGroup *group = g_new0(OlCommGroup, 1);
  ol_comm_group_init(group, comm, ranks, n);
  return group;
}

static void group_free(OlCommGroup *group)
{
  ol_comm_group_clear(group);
  g_free(group);
}

/* After a failure something may be under way on them for ever: MPI keeps them. */
static void free_communicators(OlMpi *mpi)
{
  MPI_Comm *all[] = {&mpi->calls, &mpi->mail, &mpi->receipts, &mpi->alarm, &mpi->notes};

  if (mpi->rank == OL_COMM_NO_MEMBER || !ol_mpi_look(mpi))
    return;
  for (guint i = 0; i < G_N_ELEMENTS(all); i++)
    MPI_Comm_free(all[i]);
}

/* MPI cannot be left in order without the one that is gone. As a rule mpirun has seen it too and
 * kills within a second; a word of MPI_Abort's would only hide what the program has said. */
static void end_all(void)
{
  sleep(GRACE_S);
  MPI_Abort(MPI_COMM_WORLD, LOST_STATUS);
}

static void mpi_free(OlComm *comm)
{
  OlMpi *mpi = (OlMpi *)comm;
  if (mpi->lost)
    end_all();
  free_communicators(mpi);
  ol_mpi_free_notes(mpi);
  ol_mpi_free_mail(mpi);
  pthread_mutex_destroy(&mpi->told_lock);
  pthread_mutex_destroy(&mpi->slots_lock);
  ol_comm_clear(comm);
  g_free(mpi);
}

static const OlCommOps ops = {
    .free = mpi_free,
    .is_local = is_local,
    .get_received = get_received,
    .group_new = group_new,
    .group_free = group_free,
    .wake = wake,
    .fail = fail,
    .barrier = ol_mpi_barrier,
    .all_reduce = ol_mpi_all_reduce,
    .reduce_scatter = ol_mpi_reduce_scatter,
    .all_gather = ol_mpi_all_gather,
    .broadcast = ol_mpi_broadcast,
    .post_receive = ol_mpi_post_receive,
    .wait_receive = ol_mpi_wait_receive,
    .send = ol_mpi_send,
    .set_reader = ol_mpi_set_reader,
    .tell = ol_mpi_tell,
    .look = look,
    .is_quiet = ol_mpi_is_quiet,
    .leave = leave_calls,
    .lose = lose,
};

static void leave(void)
{
  int finalized;
  MPI_Finalized(&finalized);
  if (!finalized)
    MPI_Finalize();
}

/* The rank's thread and, before and after it, the main one: one at a time. */
static gboolean enter(GError **error)
{
  int initialized, level;

  MPI_Initialized(&initialized);
  if (!initialized) {
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    atexit(leave);
  } else {
    MPI_Query_thread(&level);
  }
  if (level >= MPI_THREAD_SERIALIZED)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
              "ranks over mpi: this MPI allows its calls from the main thread alone");
  return FALSE;
}

static gboolean check_size(guint *n_ranks, GError **error)
{
  int n_processes;
  MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
  if (*n_ranks == 0)
    *n_ranks = (guint)n_processes;
  if ((guint)n_processes >= *n_ranks)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              "ranks over mpi: %u ranks need as many processes, and there %s %d; start the program "
              "with mpirun -n %u",
              *n_ranks, n_processes == 1 ? "is" : "are", n_processes, *n_ranks);
  return FALSE;
}

static void make_communicators(OlMpi *mpi)
{
  MPI_Comm *all[] = {&mpi->calls, &mpi->mail, &mpi->receipts, &mpi->alarm, &mpi->notes};
  int range[1][3] = {{0, (int)mpi->base.n_ranks - 1, 1}}, rank;
  MPI_Group world, members;

  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mpi->rank = (guint)rank < mpi->base.n_ranks ? (guint)rank : OL_COMM_NO_MEMBER;
  if (mpi->rank == OL_COMM_NO_MEMBER)
    return;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &members);
  for (guint i = 0; i < G_N_ELEMENTS(all); i++)
    MPI_Comm_create_group(MPI_COMM_WORLD, members, (int)i, all[i]);
  MPI_Group_free(&members);
  MPI_Group_free(&world);
}

__attribute__((visibility("default"))) OlComm *ol_comm_plugin(guint version, guint n_ranks,
                                                              GError **error);

OlComm *ol_comm_plugin(guint version, guint n_ranks, GError **error)
{
  if (version != OL_COMM_PLUGIN_VERSION) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "ranks over mpi: the plug-in was built for another version of the lab; build the "
                "lab again");
    return NULL;
  }
  if (!enter(error) || !check_size(&n_ranks, error))
    return NULL;
  OlMpi *mpi = g_new0(OlMpi, 1);
  ol_comm_init(&mpi->base, &ops, n_ranks);
  pthread_mutex_init(&mpi->slots_lock, NULL);
  pthread_mutex_init(&mpi->told_lock, NULL);
  g_queue_init(&mpi->slots);
  mpi->arrivals = g_ptr_array_new();
  make_communicators(mpi);
  return &mpi->base;
}
