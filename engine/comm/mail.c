/* Messages between threads: the receiver books a slot, the sender copies into it.
 *
 * A slot is in its receiver's list from its booking until its wait returns. The list's lock guards
 * the list and who takes a slot; the copying itself is done without it. */
#include "engine/comm/threads-private.h"

#include "engine/base/intl.h"

typedef enum { BOOKED, FILLING, FILLED } SlotState;

typedef struct Slot {
  guint from, tag;
  void *target;
  gsize bytes;
  _Atomic SlotState state;
  struct Slot *next; /* booked later */
} Slot;

struct OlCommMail {
  pthread_mutex_t lock;
  Slot *oldest;
  OlGate gate;
};

OlCommMail *ol_comm_mail_new(void)
{
  OlCommMail *mail = g_new0(OlCommMail, 1);
  pthread_mutex_init(&mail->lock, NULL);
  ol_gate_init(&mail->gate);
  return mail;
}

void ol_comm_mail_free(OlCommMail *mail)
{
  while (mail->oldest) {
    Slot *slot = mail->oldest;
    mail->oldest = slot->next;
    g_free(slot);
  }
  ol_gate_clear(&mail->gate);
  pthread_mutex_destroy(&mail->lock);
  g_free(mail);
}

void ol_comm_mail_wake(OlCommMail *mail)
{
  ol_gate_step(&mail->gate);
}

/* The oldest slot for these, and not further than `state`; under the lock. */
static Slot *find(OlCommMail *mail, guint from, guint tag, SlotState state)
{
  Slot *slot = mail->oldest;
  while (slot && !(slot->from == from && slot->tag == tag && slot->state <= state))
    slot = slot->next;
  return slot;
}

static void remove_slot(OlCommMail *mail, Slot *slot)
{
  pthread_mutex_lock(&mail->lock);
  Slot **link = &mail->oldest;
  while (*link != slot)
    link = &(*link)->next;
  *link = slot->next;
  pthread_mutex_unlock(&mail->lock);
  g_free(slot);
}

void ol_comm_threads_post_receive(OlComm *comm, guint to, guint from, guint tag, void *target,
                                  gsize bytes)
{
  OlCommMail *mail = ol_comm_end(comm, to)->mail;
  Slot *slot = g_new(Slot, 1);
  *slot = (Slot){from, tag, target, bytes, BOOKED, NULL};
  pthread_mutex_lock(&mail->lock);
  Slot **end = &mail->oldest;
  while (*end)
    end = &(*end)->next;
  *end = slot;
  pthread_mutex_unlock(&mail->lock);
  ol_gate_step(&mail->gate);
}

/* ---- the receiver ---- */

/* Whether the slot is still nobody's, once no sender can take it any more: see take_slot(). */
static gboolean is_left(OlCommMail *mail, Slot *slot)
{
  pthread_mutex_lock(&mail->lock);
  gboolean left = atomic_load(&slot->state) == BOOKED;
  pthread_mutex_unlock(&mail->lock);
  return left;
}

/* A slot that is being filled when the communicator is aborted is waited for. */
static gboolean wait_until_filled(OlComm *comm, OlCommMail *mail, Slot *slot)
{
  for (;;) {
    guint64 seen = ol_gate_get(&mail->gate);
    gboolean aborted = ol_comm_is_aborted(comm);
    if (atomic_load(&slot->state) == FILLED)
      return TRUE;
    if (aborted && is_left(mail, slot))
      return FALSE;
    ol_gate_wait(&mail->gate, seen + 1);
  }
}

gboolean ol_comm_threads_wait_receive(OlComm *comm, guint to, guint from, guint tag)
{
  OlCommMail *mail = ol_comm_end(comm, to)->mail;
  pthread_mutex_lock(&mail->lock);
  Slot *slot = find(mail, from, tag, FILLED);
  pthread_mutex_unlock(&mail->lock);
  if (!slot) {
    ol_comm_abort_printf(comm, to, _("waits for a message from rank %u (tag %u) without a slot"),
                         from, tag);
    return FALSE;
  }

  gboolean filled = wait_until_filled(comm, mail, slot) && !ol_comm_is_aborted(comm);
  if (filled)
    ol_comm_end(comm, to)->received += from == to ? 0 : slot->bytes;
  remove_slot(mail, slot);
  return filled;
}

/* ---- the sender ---- */

/* The oldest slot still empty, made this sender's; NULL when there is none yet or after an abort.
 * The flag is looked at under the lock, so that a receiver that saw it set and its slot BOOKED can
 * take the slot away. */
static Slot *take_slot(OlComm *comm, OlCommMail *mail, guint from, guint tag)
{
  pthread_mutex_lock(&mail->lock);
  Slot *slot = ol_comm_is_aborted(comm) ? NULL : find(mail, from, tag, BOOKED);
  if (slot)
    slot->state = FILLING;
  pthread_mutex_unlock(&mail->lock);
  return slot;
}

static void hand_over(OlCommMail *mail, Slot *slot)
{
  atomic_store(&slot->state, FILLED);
  ol_gate_step(&mail->gate);
}

gboolean ol_comm_threads_send(OlComm *comm, guint from, guint to, guint tag, const void *source,
                              gsize bytes)
{
  OlCommMail *mail = ol_comm_end(comm, to)->mail;
  for (;;) {
    guint64 seen = ol_gate_get(&mail->gate);
    Slot *slot = take_slot(comm, mail, from, tag);
    if (slot) {
      gboolean fits = slot->bytes == bytes;
      if (!fits)
        ol_comm_abort_printf(comm, from,
                             _("sends %zu bytes to rank %u (tag %u), which has "
                               "booked %" G_GSIZE_FORMAT),
                             bytes, to, tag, slot->bytes);
      else if (bytes > 0)
        memcpy(slot->target, source, bytes);
      hand_over(mail, slot);
      return fits;
    }
    if (ol_comm_is_aborted(comm))
      return FALSE;
    ol_gate_wait(&mail->gate, seen + 1);
  }
}
