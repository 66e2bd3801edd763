/* The charts' twins in figures: what each shows, as rows of text, for who reads better than looks
 * and for whoever wants the exact number. Units as in the view. */
#pragma once

#include "app/charts/charts.h"
#include "engine/trace/metrics.h"

G_BEGIN_DECLS

typedef enum {
  OL_TABLE_RANKS,  /* a row a rank: its place, what it shares with the selected one, its figures */
  OL_TABLE_SLICES, /* a row a matrix of a block: what the selected rank holds of it */
  OL_TABLE_TIERS,  /* a row a payload: bytes now and at most, by tier */
  OL_TABLE_MEMORY, /* a row a rank, tier and payload: its peak, when, and of what share of the
                      capacity; and the block that did not fit */
  OL_TABLE_LANES,  /* a row a rank and lane: spans, busy time and share of the visible range */
  OL_TABLE_TIES,   /* a row for the selection and each span and buffer that belongs to it */
  OL_TABLE_SPANS,  /* a row a span of the selected rank in sight, by time, up to a limit */
  OL_TABLE_STEPS,  /* a row a step: its loss and speed, and the pinned run's; the last ones */
  OL_N_TABLES
} OlTableKind;

#define OL_TABLE_MOST_COLUMNS 8
#define OL_TABLE_MOST_SPANS   300u

typedef struct {
  const char *title;
  gboolean is_figure; /* reads best at the right edge */
  gboolean of_ranks;  /* says nothing where there is a single rank */
  OlMeasure measure;  /* of its figures; text where words take their place ("before") */
  gboolean of_pinned; /* says nothing where no run is pinned */
} OlTableColumn;

typedef struct {
  char *cells[OL_TABLE_MOST_COLUMNS];   /* one a column; NULL beyond */
  double values[OL_TABLE_MOST_COLUMNS]; /* what a cell's words round, in bytes, seconds or 0 … 1;
                                           NAN: it is no figure, or unknown */
  int span;                             /* that the row is about, or -1 */
  OlNumber number;                      /* … or the number that it tells, to be pressed */
} OlTableRow;

/* "Bytes by memory" */
const char *ol_table_title(OlTableKind kind);
/* "bytes": its name on command lines and in actions. */
const char *ol_table_nick(OlTableKind kind);
gboolean ol_table_from_nick(const char *nick, OlTableKind *kind);
/* The columns are the same for every view. *n of them. */
const OlTableColumn *ol_table_columns(OlTableKind kind, guint *n);
/* Rows of OlTableRow, none while nothing has run. Caller unrefs. */
GPtrArray *ol_table_rows_new(OlTableKind kind, const OlChartView *view);
/* What is to be said below the rows ("the first 300 of 12 000 spans in sight"), or NULL. Caller
 * frees. */
char *ol_table_dup_note(OlTableKind kind, const OlChartView *view);

G_END_DECLS
