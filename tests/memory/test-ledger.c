#include "engine/memory/ledger.h"
#include "tests/suite.h"

#include <pthread.h>
#include <string.h>

#define MIB (1 << 20)

/* Random bookings against sums kept here. */
START_TEST(sums_and_peaks)
{
  enum { RANKS = 3 };
  g_autoptr(OlLedger) ledger = ol_ledger_new(RANKS);
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  OlLedgerTable expected[RANKS] = {0};

  for (guint i = 0; i < 5000; i++) {
    guint rank = g_rand_int_range(random, 0, RANKS);
    OlTier tier = g_rand_int_range(random, 0, OL_N_TIERS);
    OlPayload payload = g_rand_int_range(random, 0, OL_N_PAYLOADS);
    OlLedgerTable *table = &expected[rank];
    guint64 *now = &table->now[tier][payload];
    gint64 bytes = g_rand_int_range(random, 1, 1000);
    if (*now && g_rand_boolean(random))
      bytes = -(gint64)(1 + g_rand_int(random) % *now);

    ol_ledger_book(ledger, rank, tier, payload, bytes);
    *now += (guint64)bytes;
    table->peak[tier][payload] = MAX(table->peak[tier][payload], *now);
    guint64 total = 0;
    for (guint p = 0; p < OL_N_PAYLOADS; p++)
      total += table->now[tier][p];
    table->total[tier] = total;
    table->peak_total[tier] = MAX(table->peak_total[tier], total);
  }
  for (guint rank = 0; rank < RANKS; rank++) {
    OlLedgerTable got;
    ol_ledger_read(ledger, rank, &got);
    ck_assert(memcmp(&got, &expected[rank], sizeof got) == 0);
  }
}
END_TEST

/* The total's peak is of one moment: less than the sum of payload peaks here. */
START_TEST(peak_of_the_total_is_of_one_moment)
{
  g_autoptr(OlLedger) ledger = ol_ledger_new(1);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, 100);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, -100);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, 70);
  OlLedgerTable table;
  ol_ledger_read(ledger, 0, &table);
  ck_assert_uint_eq(table.peak[OL_TIER_GPU][OL_PAYLOAD_WEIGHTS], 100);
  ck_assert_uint_eq(table.peak[OL_TIER_GPU][OL_PAYLOAD_ACTIVATIONS], 70);
  ck_assert_uint_eq(table.peak_total[OL_TIER_GPU], 100);
  ck_assert_uint_eq(table.total[OL_TIER_GPU], 70);
}
END_TEST

static void *book_and_give_back(void *ledger)
{
  for (guint i = 0; i < 20000; i++) {
    ol_ledger_book(ledger, 0, OL_TIER_HOST, OL_PAYLOAD_STAGING, 3);
    ol_ledger_book(ledger, 0, OL_TIER_HOST, OL_PAYLOAD_STAGING, -2);
  }
  return NULL;
}

START_TEST(threads_book_at_once)
{
  g_autoptr(OlLedger) ledger = ol_ledger_new(1);
  pthread_t threads[4];
  for (guint i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, book_and_give_back, ledger);
  for (guint i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  OlLedgerTable table;
  ol_ledger_read(ledger, 0, &table);
  ck_assert_uint_eq(table.now[OL_TIER_HOST][OL_PAYLOAD_STAGING], 80000);
  ck_assert_uint_eq(table.total[OL_TIER_HOST], 80000);
}
END_TEST

START_TEST(refusal_in_words)
{
  g_autoptr(OlLedger) ledger = ol_ledger_new(2);
  ol_ledger_book(ledger, 1, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, 9 * MIB);
  g_autofree char *words =
      ol_ledger_dup_refusal(ledger, 1, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, 4 * MIB, 10 * MIB);
  ck_assert_str_eq(words, "out of memory on GPU of rank 1: 4 MiB of activations asked, "
                          "1 MiB free of 10 MiB");

  /* Enough in sum, refused all the same: the words say why. */
  g_autofree char *holes =
      ol_ledger_dup_refusal(ledger, 1, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, MIB / 2, 10 * MIB);
  ck_assert_ptr_nonnull(strstr(holes, "pieces too small"));
}
END_TEST

START_TEST(table_in_words)
{
  g_autoptr(OlLedger) ledger = ol_ledger_new(1);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, 2 * MIB);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_ACTIVATIONS, 5 * MIB);
  ol_ledger_book(ledger, 0, OL_TIER_HOST, OL_PAYLOAD_MASTER, 9 * MIB);
  g_autofree char *table = ol_ledger_dup_table(ledger, 0, OL_TIER_GPU, 8 * MIB);
  ck_assert_str_eq(table, "activations       5 MiB\n"
                          "weights           2 MiB\n"
                          "total             7 MiB of 8 MiB\n");
  g_autofree char *empty = ol_ledger_dup_table(ledger, 0, OL_TIER_NVME, 8 * MIB);
  ck_assert_str_eq(empty, "total               0 B of 8 MiB\n");
}
END_TEST

static void count_critical(const char *domain, GLogLevelFlags level, const char *message,
                           gpointer count)
{
  ++*(guint *)count;
}

START_TEST(giving_back_too_much_is_told)
{
  g_autoptr(OlLedger) ledger = ol_ledger_new(1);
  guint criticals = 0;
  g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
  g_log_set_default_handler(count_critical, &criticals);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, 5);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, -6);
  ol_ledger_book(ledger, 0, OL_TIER_GPU, OL_PAYLOAD_WEIGHTS, G_MININT64);
  ck_assert_uint_eq(criticals, 2);
  OlLedgerTable table;
  ol_ledger_read(ledger, 0, &table);
  ck_assert_uint_eq(table.total[OL_TIER_GPU], 5);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("ledger");
  tcase_add_test(tests, sums_and_peaks);
  tcase_add_test(tests, peak_of_the_total_is_of_one_moment);
  tcase_add_test(tests, threads_book_at_once);
  tcase_add_test(tests, refusal_in_words);
  tcase_add_test(tests, table_in_words);
  tcase_add_test(tests, giving_back_too_much_is_told);
  return run_suite("ledger", tests);
}
