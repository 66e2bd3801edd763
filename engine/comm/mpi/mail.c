/* Messages between processes. One comes in whenever its receiver looks, whatever it waits for; it
 * is copied into the oldest slot booked for it, now or later, and only then is its sender told. */
#include "engine/comm/mpi/mpi-private.h"

#include <string.h>

typedef struct {
  guint from, tag;
  void *target;
  gsize bytes;
  gboolean filled;
} Slot;

/* Before a message's bytes. */
typedef struct {
  guint tag;
} Head;

/* A message that is coming in, or has and waits for a slot. */
typedef struct {
  guint from;
  MPI_Request request;
  char *data; /* head and bytes */
  gsize bytes;
  gboolean is_whole;
  gboolean *told; /* from this rank to itself: where the sender is told */
} Arrival;

static void arrival_free(Arrival *arrival)
{
  g_free(arrival->data);
  g_free(arrival);
}

void ol_mpi_free_mail(OlMpi *mpi)
{
  for (guint i = 0; i < mpi->arrivals->len; i++) {
    Arrival *arrival = g_ptr_array_index(mpi->arrivals, i);
    if (arrival->is_whole) /* else MPI may still write there */
      arrival_free(arrival);
  }
  g_ptr_array_unref(mpi->arrivals);
  g_queue_clear_full(&mpi->slots, g_free);
}

/* ---- slots ---- */

/* The oldest slot for these; under the lock. */
static Slot *find_slot(OlMpi *mpi, guint from, guint tag, gboolean also_filled)
{
  for (GList *link = mpi->slots.head; link; link = link->next) {
    Slot *slot = link->data;
    if (slot->from == from && slot->tag == tag && (also_filled || !slot->filled))
      return slot;
  }
  return NULL;
}

void ol_mpi_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target, gsize bytes)
{
  OlMpi *mpi = (OlMpi *)comm;
  Slot *slot = g_new(Slot, 1);

  *slot = (Slot){from, tag, target, bytes, FALSE};
  pthread_mutex_lock(&mpi->slots_lock);
  g_queue_push_tail(&mpi->slots, slot);
  pthread_mutex_unlock(&mpi->slots_lock);
}

gboolean ol_mpi_wait_receive(OlComm *comm, guint to, guint from, guint tag)
{
  OlMpi *mpi = (OlMpi *)comm;
  guint looks = 0;

  pthread_mutex_lock(&mpi->slots_lock);
  Slot *slot = find_slot(mpi, from, tag, TRUE);
  pthread_mutex_unlock(&mpi->slots_lock);
  if (!slot)
    ol_comm_abort_printf(comm, to, "waits for a message from rank %u (tag %u) without a slot", from,
                         tag);
  gboolean goes_on = ol_mpi_look(mpi);
  while (slot && goes_on && !slot->filled) {
    ol_mpi_rest(&looks);
    goes_on = ol_mpi_look(mpi);
  }
  if (!slot)
    return FALSE;
  if (goes_on)
    mpi->received += from == to ? 0 : slot->bytes;
  pthread_mutex_lock(&mpi->slots_lock);
  g_queue_remove(&mpi->slots, slot);
  pthread_mutex_unlock(&mpi->slots_lock);
  g_free(slot);
  return goes_on;
}

/* ---- arrivals ---- */

static void tell_sender(OlMpi *mpi, const Arrival *arrival)
{
  OlParcels parcels;

  if (arrival->told) {
    *arrival->told = TRUE;
    return;
  }
  /* An empty message, which MPI takes at once. */
  ol_parcels_init(&parcels, mpi, mpi->receipts);
  ol_parcels_send(&parcels, arrival->from, NULL, 0);
  ol_parcels_clear(&parcels);
}

/* FALSE while there is no slot for it. */
static gboolean deliver(OlMpi *mpi, const Arrival *arrival)
{
  Head head;

  memcpy(&head, arrival->data, sizeof head);
  pthread_mutex_lock(&mpi->slots_lock);
  Slot *slot = find_slot(mpi, arrival->from, head.tag, FALSE);
  pthread_mutex_unlock(&mpi->slots_lock);
  if (!slot)
    return FALSE;
  if (slot->bytes != arrival->bytes) {
    ol_comm_abort_printf(&mpi->base, arrival->from,
                         "sends %" G_GSIZE_FORMAT " bytes to rank %u (tag %u), which has booked "
                         "%" G_GSIZE_FORMAT,
                         arrival->bytes, mpi->rank, head.tag, slot->bytes);
    return TRUE;
  }
  if (slot->bytes > 0)
    memcpy(slot->target, arrival->data + sizeof head, slot->bytes);
  slot->filled = TRUE;
  tell_sender(mpi, arrival);
  return TRUE;
}

static void take_in(OlMpi *mpi)
{
  MPI_Message message;
  MPI_Status status;
  int comes, length;

  MPI_Improbe(MPI_ANY_SOURCE, 0, mpi->mail, &comes, &message, &status);
  if (!comes)
    return;
  MPI_Get_count(&status, MPI_BYTE, &length);
  Arrival *arrival = g_new0(Arrival, 1);
  arrival->from = (guint)status.MPI_SOURCE;
  arrival->data = g_malloc((gsize)length);
  arrival->bytes = (gsize)length - sizeof(Head);
  MPI_Imrecv(arrival->data, length, MPI_BYTE, &message, &arrival->request);
  g_ptr_array_add(mpi->arrivals, arrival);
}

/* In the order in which they came: of two with the same ends and tag the first goes first, and is
 * whole first, since it was sent first. */
void ol_mpi_look_after_mail(OlMpi *mpi)
{
  take_in(mpi);
  for (guint i = 0; i < mpi->arrivals->len;) {
    Arrival *arrival = g_ptr_array_index(mpi->arrivals, i);
    int through = arrival->is_whole;
    if (!through)
      MPI_Test(&arrival->request, &through, MPI_STATUS_IGNORE);
    arrival->is_whole = through;
    if (through && deliver(mpi, arrival)) {
      arrival_free(arrival);
      g_ptr_array_remove_index(mpi->arrivals, i);
    } else {
      i++;
    }
  }
}

/* ---- the sender ---- */

static char *pack(guint tag, const void *source, gsize bytes)
{
  Head head = {tag};
  char *data = g_malloc(sizeof head + bytes);
  memcpy(data, &head, sizeof head);
  if (bytes > 0)
    memcpy(data + sizeof head, source, bytes);
  return data;
}

static gboolean send_to_itself(OlMpi *mpi, guint tag, const void *source, gsize bytes)
{
  Arrival *arrival = g_new0(Arrival, 1);
  gboolean told = FALSE, goes_on;
  guint looks = 0;

  *arrival = (Arrival){.from = mpi->rank, .bytes = bytes, .is_whole = TRUE, .told = &told};
  arrival->data = pack(tag, source, bytes);
  g_ptr_array_add(mpi->arrivals, arrival);
  while ((goes_on = ol_mpi_look(mpi)) && !told)
    ol_mpi_rest(&looks);
  return goes_on;
}

gboolean ol_mpi_send(OlComm *comm, guint from, guint to, guint tag, const void *source, gsize bytes)
{
  OlMpi *mpi = (OlMpi *)comm;
  OlParcels parcel, receipt;

  if (bytes > G_MAXINT - sizeof(Head)) {
    ol_comm_abort_printf(comm, from, "a message of %" G_GSIZE_FORMAT " bytes: MPI takes 2 GiB",
                         bytes);
    return ol_mpi_look(mpi);
  }
  if (!ol_mpi_look(mpi))
    return FALSE;
  if (from == to)
    return send_to_itself(mpi, tag, source, bytes);
  g_autofree char *data = pack(tag, source, bytes);
  ol_parcels_init(&parcel, mpi, mpi->mail);
  ol_parcels_init(&receipt, mpi, mpi->receipts);
  ol_parcels_receive(&receipt, to, 0);
  ol_parcels_send(&parcel, to, data, sizeof(Head) + bytes);
  gboolean done = ol_parcels_wait(&parcel) && ol_parcels_wait(&receipt);
  ol_parcels_clear(&receipt);
  ol_parcels_clear(&parcel);
  return done;
}
