#include "engine/memory/ledger.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include <pthread.h>

struct OlLedger {
  pthread_mutex_t lock;
  guint n_ranks;
  OlLedgerTable *tables; /* [n_ranks] */
};

OlLedger *ol_ledger_new(guint n_ranks)
{
  OlLedger *ledger = g_new0(OlLedger, 1);

  pthread_mutex_init(&ledger->lock, NULL);
  ledger->n_ranks = n_ranks;
  ledger->tables = g_new0(OlLedgerTable, n_ranks);
  return ledger;
}

void ol_ledger_free(OlLedger *ledger)
{
  if (!ledger)
    return;
  pthread_mutex_destroy(&ledger->lock);
  g_free(ledger->tables);
  g_free(ledger);
}

/* With the lock held. FALSE when more is given back than is booked: nothing changes then. */
static gboolean book(OlLedgerTable *table, OlTier tier, OlPayload payload, gint64 bytes)
{
  guint64 *now = &table->now[tier][payload];
  if (bytes < 0 && *now < -(guint64)bytes)
    return FALSE;

  *now += (guint64)bytes; /* modulo 2^64: a negative one subtracts */
  table->total[tier] += (guint64)bytes;
  table->peak[tier][payload] = MAX(table->peak[tier][payload], *now);
  table->peak_total[tier] = MAX(table->peak_total[tier], table->total[tier]);
  return TRUE;
}

void ol_ledger_book(OlLedger *ledger, guint rank, OlTier tier, OlPayload payload, gint64 bytes)
{
  g_return_if_fail(rank < ledger->n_ranks && tier < OL_N_TIERS && payload < OL_N_PAYLOADS);

  pthread_mutex_lock(&ledger->lock);
  gboolean booked = book(&ledger->tables[rank], tier, payload, bytes);
  pthread_mutex_unlock(&ledger->lock);

  if (!booked)
    g_critical("ledger: more %s given back on %s of rank %u than was booked",
               ol_payload_nick(payload), ol_tier_nick(tier), rank);
}

void ol_ledger_read(OlLedger *ledger, guint rank, OlLedgerTable *table)
{
  g_return_if_fail(rank < ledger->n_ranks);

  pthread_mutex_lock(&ledger->lock);
  *table = ledger->tables[rank];
  pthread_mutex_unlock(&ledger->lock);
}

char *ol_ledger_dup_refusal(OlLedger *ledger, guint rank, OlTier tier, OlPayload payload,
                            guint64 bytes, guint64 capacity)
{
  OlLedgerTable table = {0};
  ol_ledger_read(ledger, rank, &table);

  guint64 free_bytes = capacity > table.total[tier] ? capacity - table.total[tier] : 0;
  g_autofree char *asked = ol_measure_dup_bytes((double)bytes);
  g_autofree char *left = ol_measure_dup_bytes((double)free_bytes);
  g_autofree char *whole = ol_measure_dup_bytes((double)capacity);
  /* Room enough in sum, but not in one piece: blocks are rounded and holes lie between them. */
  const char *holes = bytes <= free_bytes ? ", in pieces too small" : "";

  g_autofree char *whose =
      ledger->n_ranks > 1 ? g_strdup_printf(" of rank %u", rank) : g_strdup("");

  /* Not translated: what reads a run finds tier and rank in it, in whatever language. */
  return g_strdup_printf("out of memory on %s%s: %s of %s asked, %s free of %s%s",
                         ol_tier_plain_name(tier), whose, asked, ol_payload_name(payload), left,
                         whole, holes);
}

static void append_row(GString *text, const char *name, guint64 bytes, const char *after)
{
  g_autofree char *words = ol_measure_dup_bytes((double)bytes);
  g_string_append_printf(text, "%-12s %10s%s\n", name, words, after);
}

char *ol_ledger_dup_table(OlLedger *ledger, guint rank, OlTier tier, guint64 capacity)
{
  OlLedgerTable table = {0};
  ol_ledger_read(ledger, rank, &table);

  GString *text = g_string_new(NULL);
  guint64 *left = table.now[tier]; /* ours: each row written is struck out */
  for (guint row = 0; row < OL_N_PAYLOADS; row++) {
    OlPayload largest = 0;
    for (OlPayload payload = 1; payload < OL_N_PAYLOADS; payload++)
      largest = left[payload] > left[largest] ? payload : largest;
    if (left[largest] == 0)
      break;
    append_row(text, ol_payload_name(largest), left[largest], "");
    left[largest] = 0;
  }
  g_autofree char *whole = ol_measure_dup_bytes((double)capacity);
  g_autofree char *of = g_strdup_printf(_(" of %s"), whole);
  append_row(text, _("total"), table.total[tier], of);
  return g_string_free(text, FALSE);
}
