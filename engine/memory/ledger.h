/* Who holds what, where: bytes asked for, by rank, tier and payload. Threads may book at once. */
#pragma once

#include "engine/base/words.h"

G_BEGIN_DECLS

typedef struct OlLedger OlLedger;

typedef struct {
  guint64 now[OL_N_TIERS][OL_N_PAYLOADS];
  guint64 peak[OL_N_TIERS][OL_N_PAYLOADS]; /* each payload's own highest */
  guint64 total[OL_N_TIERS];
  guint64 peak_total[OL_N_TIERS];
} OlLedgerTable;

OlLedger *ol_ledger_new(guint n_ranks);
void ol_ledger_free(OlLedger *ledger);

/* Books `bytes` (negative: given back). */
void ol_ledger_book(OlLedger *ledger, guint rank, OlTier tier, OlPayload payload, gint64 bytes);

/* A consistent copy of one rank's table. */
void ol_ledger_read(OlLedger *ledger, guint rank, OlLedgerTable *table);

/* "out of memory on GPU of rank 0: 4.00 MiB of activations asked, 1.20 MiB free of 46.9 MiB";
 * without the rank where there is one only. */
char *ol_ledger_dup_refusal(OlLedger *ledger, guint rank, OlTier tier, OlPayload payload,
                            guint64 bytes, guint64 capacity);

/* Who holds what on a tier, a line a payload, largest first, then the sum: for people. */
char *ol_ledger_dup_table(OlLedger *ledger, guint rank, OlTier tier, guint64 capacity);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlLedger, ol_ledger_free)

G_END_DECLS
