/* Notes between processes: told by any thread, sent and heard by the rank's own one whenever it
 * looks. Nobody waits for anybody here, so a note can say what a call in progress waits for. */
#include "engine/comm/mpi/mpi-private.h"

#include <string.h>

/* One that is to go out, goes out, or comes in. */
typedef struct {
  guint rank; /* the other end */
  gsize bytes;
  char *data;
  MPI_Request request;
} Note;

static Note *note_new(guint rank, gsize bytes)
{
  Note *note = g_new0(Note, 1);
  *note = (Note){.rank = rank, .bytes = bytes, .data = g_malloc(MAX(bytes, 1))};
  return note;
}

static void note_free(gpointer data)
{
  Note *note = data;
  g_free(note->data);
  g_free(note);
}

void ol_mpi_set_reader(OlComm *comm, OlCommReader reader, gpointer data)
{
  OlMpi *mpi = (OlMpi *)comm;
  mpi->reader = reader;
  mpi->reader_data = data;
}

void ol_mpi_tell(OlComm *comm, guint to, const void *bytes, gsize n)
{
  OlMpi *mpi = (OlMpi *)comm;
  Note *note = note_new(to, n);
  memcpy(note->data, bytes, n);
  pthread_mutex_lock(&mpi->told_lock);
  g_queue_push_tail(&mpi->told, note);
  pthread_mutex_unlock(&mpi->told_lock);
}

static Note *next_told(OlMpi *mpi)
{
  pthread_mutex_lock(&mpi->told_lock);
  Note *note = g_queue_pop_head(&mpi->told);
  pthread_mutex_unlock(&mpi->told_lock);
  return note;
}

gboolean ol_mpi_is_quiet(OlComm *comm)
{
  OlMpi *mpi = (OlMpi *)comm;
  pthread_mutex_lock(&mpi->told_lock);
  gboolean quiet = mpi->told.length == 0 && mpi->sent.length == 0;
  pthread_mutex_unlock(&mpi->told_lock);
  return quiet;
}

static gboolean is_through(Note *note)
{
  int through;
  MPI_Test(&note->request, &through, MPI_STATUS_IGNORE);
  return through;
}

static void send_told(OlMpi *mpi)
{
  for (Note *note = next_told(mpi); note; note = next_told(mpi)) {
    MPI_Isend(note->data, (int)note->bytes, MPI_BYTE, (int)note->rank, 0, mpi->notes,
              &note->request);
    g_queue_push_tail(&mpi->sent, note);
  }
  for (GList *link = mpi->sent.head, *next; link; link = next) {
    next = link->next;
    if (!is_through(link->data))
      continue;
    note_free(link->data);
    g_queue_delete_link(&mpi->sent, link);
  }
}

static gboolean take_in(OlMpi *mpi)
{
  MPI_Message message;
  MPI_Status status;
  int comes, length;

  MPI_Improbe(MPI_ANY_SOURCE, 0, mpi->notes, &comes, &message, &status);
  if (!comes)
    return FALSE;
  MPI_Get_count(&status, MPI_BYTE, &length);
  Note *note = note_new((guint)status.MPI_SOURCE, (gsize)length);
  MPI_Imrecv(note->data, length, MPI_BYTE, &message, &note->request);
  g_queue_push_tail(&mpi->coming, note);
  return TRUE;
}

/* The first that came is read first, and the next only after it. */
void ol_mpi_look_after_notes(OlMpi *mpi)
{
  send_told(mpi);
  while (mpi->reader && take_in(mpi))
    ;
  while (mpi->coming.length > 0 && is_through(mpi->coming.head->data)) {
    Note *note = g_queue_pop_head(&mpi->coming);
    mpi->reader(note->rank, note->data, note->bytes, mpi->reader_data);
    note_free(note);
  }
}

/* What a failure has left under way keeps its memory: MPI may still use it. */
void ol_mpi_free_notes(OlMpi *mpi)
{
  g_queue_clear_full(&mpi->told, note_free);
  g_queue_clear(&mpi->sent);
  g_queue_clear(&mpi->coming);
}
