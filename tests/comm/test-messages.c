/* Messages: whole, in order, by tag, and sent without a word from the receiver's lane. */
#include "tests/comm/ranks.h"
#include "tests/suite.h"

#include <string.h>

/* Slots of three tags are booked in a ring ahead of their messages, which come in another order of
 * tags than they are waited for. */
static void ring_of_slots(Rank *rank)
{
  enum { TAGS = 3, DEPTH = 4, ROUNDS = 200, BYTES = 700 };
  static unsigned char slots[2][TAGS][DEPTH][BYTES];
  unsigned char message[BYTES];
  guint other = 1 - rank->rank;

  for (guint tag = 0; tag < TAGS; tag++) {
    for (guint i = 0; i < DEPTH; i++)
      ol_comm_post_receive(rank->comm, rank->rank, other, tag, slots[rank->rank][tag][i], BYTES);
  }
  for (guint round = 0; round < ROUNDS; round++) {
    dawdle(rank);
    for (guint tag = TAGS; tag-- > 0;) {
      memset(message, (int)(round * 7 + tag + rank->rank), BYTES);
      expect(rank, ol_comm_send(rank->comm, rank->rank, other, tag, message, BYTES), "send failed");
    }
    for (guint tag = 0; tag < TAGS; tag++) {
      unsigned char *slot = slots[rank->rank][tag][round % DEPTH];
      expect(rank, ol_comm_wait_receive(rank->comm, rank->rank, other, tag), "receive failed");
      for (guint i = 0; i < BYTES; i++)
        expect(rank, slot[i] == (unsigned char)(round * 7 + tag + other), "round %u tag %u", round,
               tag);
      ol_comm_post_receive(rank->comm, rank->rank, other, tag, slot, BYTES);
    }
  }
  guint64 got = ol_comm_get_received(rank->comm, rank->rank);
  expect(rank, got == ROUNDS * TAGS * BYTES, "received %zu B", (gsize)got);
}

START_TEST(many_in_order)
{
  run_ranks(2, ring_of_slots, NULL);
}
END_TEST

/* Both send before either receives: with a rendezvous of the two this would lock up. */
static void both_send_first(Rank *rank)
{
  enum { BYTES = 1 << 20 };
  guint other = rank->rank ^ 1;
  g_autofree char *in = g_malloc(BYTES), *out = g_malloc(BYTES);

  ol_comm_post_receive(rank->comm, rank->rank, other, 0, in, BYTES);
  memset(out, (int)rank->rank + 1, BYTES);
  expect(rank, ol_comm_send(rank->comm, rank->rank, other, 0, out, BYTES), "send failed");
  expect(rank, ol_comm_wait_receive(rank->comm, rank->rank, other, 0), "receive failed");
  expect(rank, in[0] == (char)(other + 1) && memcmp(in, in + 1, BYTES - 1) == 0, "wrong bytes");
}

START_TEST(both_may_send_first)
{
  run_ranks(4, both_send_first, NULL);
}
END_TEST

/* Rank 1 books late; rank 0's send waits for that and for nothing more. */
static void book_late(Rank *rank)
{
  int value = 42, got = 0, none = 0;

  if (rank->rank == 0) {
    expect(rank, ol_comm_send(rank->comm, 0, 1, 5, &value, sizeof value), "send failed");
    expect(rank, ol_comm_send(rank->comm, 0, 1, 6, NULL, 0), "an empty send failed");
    return;
  }
  g_usleep(20000);
  ol_comm_post_receive(rank->comm, 1, 0, 6, &none, 0);
  ol_comm_post_receive(rank->comm, 1, 0, 5, &got, sizeof got);
  expect(rank,
         ol_comm_wait_receive(rank->comm, 1, 0, 6) && ol_comm_wait_receive(rank->comm, 1, 0, 5),
         "receive failed");
  expect(rank, got == 42 && none == 0, "got %d and %d", got, none);
}

START_TEST(booked_late)
{
  run_ranks(2, book_late, NULL);
}
END_TEST

static void to_itself(Rank *rank)
{
  int value = 7, got = 0;
  ol_comm_post_receive(rank->comm, 0, 0, 0, &got, sizeof got);
  expect(rank, ol_comm_send(rank->comm, 0, 0, 0, &value, sizeof value), "send failed");
  expect(rank, ol_comm_wait_receive(rank->comm, 0, 0, 0) && got == 7, "got %d", got);
  expect(rank, ol_comm_get_received(rank->comm, 0) == 0, "counted as traffic");
}

START_TEST(a_rank_may_write_to_itself)
{
  run_ranks(1, to_itself, NULL);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("messages");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, many_in_order);
  tcase_add_test(tcase, both_may_send_first);
  tcase_add_test(tcase, booked_late);
  tcase_add_test(tcase, a_rank_may_write_to_itself);
  return run_suite("messages", tcase);
}
