/* Notes between processes: whole and in each teller's order, told by any thread, also while the
 * rank's own waits in a call, and after a failure. Ranks that are threads have none. */
#include "tests/comm/ranks.h"
#include "tests/suite.h"

#include <pthread.h>
#include <string.h>

#define ROUNDS 200
#define LARGE  (1u << 20) /* more than MPI takes at once */

typedef struct {
  Rank *rank;
  guint heard[8]; /* of each other rank */
} Ears;

static gsize size_of(guint round)
{
  return round % 50 == 49 ? LARGE : sizeof(guint32) + round % 7;
}

static void hear(guint from, const void *note, gsize bytes, gpointer data)
{
  Ears *ears = data;
  const unsigned char *all = note;
  guint32 round = ears->heard[from]++, first;

  memcpy(&first, note, sizeof first);
  expect(ears->rank, first == round && bytes == size_of(round), "note %u of rank %u is %u, %zu B",
         round, from, first, bytes);
  for (gsize i = sizeof first; i < bytes; i++)
    expect(ears->rank, all[i] == (unsigned char)(round + from), "byte %zu of note %u", i, round);
}

static void *tell_all(void *data)
{
  Rank *rank = data;
  g_autofree char *note = g_malloc(LARGE);

  for (guint32 round = 0; round < ROUNDS; round++) {
    memset(note, (int)(round + rank->rank), size_of(round));
    memcpy(note, &round, sizeof round);
    for (guint to = 0; to < rank->n_ranks; to++)
      if (to != rank->rank)
        ol_comm_tell(rank->comm, to, note, size_of(round));
  }
  return NULL;
}

static gboolean all_heard(const Ears *ears)
{
  for (guint from = 0; from < ears->rank->n_ranks; from++)
    if (from != ears->rank->rank && ears->heard[from] < ROUNDS)
      return FALSE;
  return TRUE;
}

static void listen_to_the_end(Ears *ears)
{
  while (!all_heard(ears) || !ol_comm_is_quiet(ears->rank->comm))
    ol_comm_look(ears->rank->comm);
}

static OlCommGroup *everyone(Rank *rank)
{
  guint ranks[] = {0, 1, 2, 3, 4, 5, 6, 7};
  return ol_comm_get_group(rank->comm, ranks, rank->n_ranks);
}

/* Another thread tells while this one is in one barrier after the other. */
static void tell_beside_calls(Rank *rank)
{
  Ears ears = {.rank = rank};
  pthread_t teller;

  ol_comm_set_reader(rank->comm, hear, &ears);
  expect(rank, pthread_create(&teller, NULL, tell_all, rank) == 0, "no thread");
  for (guint i = 0; i < 50; i++)
    expect(rank, ol_comm_barrier(everyone(rank), rank->rank), "barrier failed");
  pthread_join(teller, NULL);
  listen_to_the_end(&ears);
  expect(rank, ol_comm_barrier(everyone(rank), rank->rank), "barrier failed");
  ol_comm_set_reader(rank->comm, NULL, NULL);
}

START_TEST(told_beside_calls)
{
  run_ranks(8, tell_beside_calls, NULL);
}
END_TEST

/* Rank 1 waits in a call that rank 0 never makes; both leave, by a note, and go on telling. */
static void leave_on_hearing(guint from, const void *note, gsize bytes, gpointer data)
{
  Ears *ears = data;
  ears->heard[from]++;
  if (ears->heard[from] == 1 && ears->rank->rank == 1)
    ol_comm_leave(ears->rank->comm);
}

static void leave(Rank *rank)
{
  Ears ears = {.rank = rank};

  ol_comm_set_reader(rank->comm, leave_on_hearing, &ears);
  if (rank->rank == 0) {
    ol_comm_tell(rank->comm, 1, "end", 4);
    ol_comm_leave(rank->comm);
  }
  expect(rank, !ol_comm_barrier(everyone(rank), rank->rank), "a call went on");
  ol_comm_tell(rank->comm, 1 - rank->rank, "last words", 11);
  while (ears.heard[1 - rank->rank] < (rank->rank == 1 ? 2 : 1) || !ol_comm_is_quiet(rank->comm))
    ol_comm_look(rank->comm);
  ol_comm_set_reader(rank->comm, NULL, NULL);
}

START_TEST(told_after_the_end)
{
  g_autoptr(OlComm) comm = new_comm(2);
  run_ranks_of(comm, leave, NULL);
  if (has_local_rank(comm)) {
    g_autofree char *failure = ol_comm_dup_failure(comm);
    ck_assert_str_eq(failure, "the run has ended");
  }
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("notes");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, told_beside_calls);
  tcase_add_test(tcase, told_after_the_end);
  return run_suite("notes", tcase);
}
