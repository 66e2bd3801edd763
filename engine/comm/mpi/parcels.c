#include "engine/comm/mpi/mpi-private.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES ((gsize)1 << 30) /* of one transfer: MPI counts in int */
#define YIELDS     2000u            /* before it sleeps between looks */
#define SLEEP_US   50u

void ol_parcels_init(OlParcels *parcels, OlMpi *mpi, MPI_Comm over)
{
  *parcels = (OlParcels){mpi, over, g_array_new(FALSE, FALSE, sizeof(MPI_Request)),
                         g_ptr_array_new_with_free_func(g_free)};
}

static void *add_buffer(OlParcels *parcels, gsize bytes)
{
  void *buffer = g_malloc(MAX(bytes, 1));
  g_ptr_array_add(parcels->buffers, buffer);
  return buffer;
}

void ol_parcels_send(OlParcels *parcels, guint to, const void *source, gsize bytes)
{
  char *buffer = add_buffer(parcels, bytes);
  if (bytes > 0)
    memcpy(buffer, source, bytes);
  for (gsize at = 0; at == 0 || at < bytes; at += MOST_BYTES) {
    MPI_Request request;
    MPI_Isend(buffer + at, (int)MIN(MOST_BYTES, bytes - at), MPI_BYTE, (int)to, 0, parcels->over,
              &request);
    g_array_append_val(parcels->requests, request);
  }
}

const void *ol_parcels_receive(OlParcels *parcels, guint from, gsize bytes)
{
  char *buffer = add_buffer(parcels, bytes);
  for (gsize at = 0; at == 0 || at < bytes; at += MOST_BYTES) {
    MPI_Request request;
    MPI_Irecv(buffer + at, (int)MIN(MOST_BYTES, bytes - at), MPI_BYTE, (int)from, 0, parcels->over,
              &request);
    g_array_append_val(parcels->requests, request);
  }
  return buffer;
}

static gboolean are_through(OlParcels *parcels)
{
  int all = 1;
  MPI_Testall((int)parcels->requests->len, (MPI_Request *)(void *)parcels->requests->data, &all,
              MPI_STATUSES_IGNORE);
  return all;
}

gboolean ol_parcels_wait(OlParcels *parcels)
{
  guint looks = 0;
  while (!are_through(parcels)) {
    if (!ol_mpi_look(parcels->mpi))
      return FALSE;
    ol_mpi_rest(&looks);
  }
  g_array_set_size(parcels->requests, 0);
  return ol_mpi_look(parcels->mpi);
}

void ol_parcels_clear(OlParcels *parcels)
{
  if (parcels->requests->len > 0)
    g_ptr_array_set_free_func(parcels->buffers, NULL);
  g_ptr_array_unref(parcels->buffers);
  g_array_unref(parcels->requests);
}

/* As a gate waits (engine/base/bell.h); nothing rings here, so it sleeps a little at a time. */
void ol_mpi_rest(guint *looks)
{
  if ((*looks)++ < YIELDS)
    sched_yield();
  else
    usleep(SLEEP_US);
}
