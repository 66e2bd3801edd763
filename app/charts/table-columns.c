/* Which tables there are, and their columns. */
#include "app/charts/chart-table.h"

#include "engine/base/intl.h"

#define BYTES   OL_MEASURE_BYTES
#define SECONDS OL_MEASURE_SECONDS
#define SHARE   OL_MEASURE_FRACTION
#define WORDS   OL_MEASURE_TEXT

static const OlTableColumn ranks_columns[] = {
    {N_("Rank"), FALSE},
    {N_("Data"), TRUE},
    {N_("Stage"), TRUE},
    {N_("Slice"), TRUE},
    {N_("Shares"), FALSE},
    {N_("GPU at most"), TRUE, FALSE, BYTES},
    {N_("Busy"), TRUE, FALSE, SHARE},
    {N_("Bubble"), TRUE, FALSE, SHARE},
};
static const OlTableColumn slices_columns[] = {
    {N_("Matrix"), FALSE}, {N_("Outputs"), TRUE}, {N_("Inputs"), TRUE},
    {N_("Cut by"), FALSE}, {N_("Held"), FALSE},
};
static const OlTableColumn tiers_columns[] = {
    {N_("Bytes"), FALSE},
    {N_("GPU now"), TRUE, FALSE, BYTES},
    {N_("GPU at most"), TRUE, FALSE, BYTES},
    {N_("Host now"), TRUE, FALSE, BYTES},
    {N_("Host at most"), TRUE, FALSE, BYTES},
    {N_("NVMe now"), TRUE, FALSE, BYTES},
    {N_("NVMe at most"), TRUE, FALSE, BYTES},
};
static const OlTableColumn memory_columns[] = {
    {N_("Memory"), FALSE},
    {N_("Rank"), TRUE, TRUE},
    {N_("Bytes"), FALSE},
    {N_("At most"), TRUE, FALSE, BYTES},
    {N_("After"), TRUE, FALSE, SECONDS},
    {N_("Computing"), FALSE},
    {N_("Of the capacity"), TRUE, FALSE, SHARE},
};
static const OlTableColumn lanes_columns[] = {
    {N_("Lane"), FALSE},
    {N_("Rank"), TRUE, TRUE},
    {N_("Spans"), TRUE},
    {N_("Busy"), TRUE, FALSE, SECONDS},
    {N_("Share"), TRUE, FALSE, SHARE},
};
static const OlTableColumn spans_columns[] = {
    {N_("Span"), FALSE},
    {N_("Rank"), TRUE, TRUE},
    {N_("Lane"), FALSE},
    {N_("Step"), TRUE, FALSE, WORDS},
    {N_("From"), TRUE, FALSE, SECONDS},
    {N_("Lasts"), TRUE, FALSE, SECONDS},
    {N_("Bytes"), TRUE, FALSE, BYTES},
    {N_("Critical"), FALSE},
};

static const OlTableColumn ties_columns[] = {
    {N_("Span or bytes"), FALSE},
    {N_("Rank"), TRUE, TRUE},
    {N_("Tie"), FALSE},
    {N_("Lane or memory"), FALSE},
    {N_("From"), TRUE, FALSE, SECONDS},
    {N_("Lasts"), TRUE, FALSE, SECONDS},
    {N_("Bytes"), TRUE, FALSE, BYTES},
};
static const OlTableColumn steps_columns[] = {
    {N_("Step"), TRUE, FALSE, WORDS},
    {N_("Loss"), TRUE},
    {N_("Gradient norm"), TRUE},
    {N_("Lasts"), TRUE, FALSE, SECONDS},
    {N_("Tokens a second"), TRUE},
    {N_("Loss, pinned"), TRUE, FALSE, OL_MEASURE_NUMBER, TRUE},
    {N_("Lasts, pinned"), TRUE, FALSE, SECONDS, TRUE},
};

static const struct {
  const char *title, *nick;
  const OlTableColumn *columns;
  guint n_columns;
} tables[OL_N_TABLES] = {
    [OL_TABLE_RANKS] = {N_("Ranks and their groups"), "ranks", ranks_columns,
                        G_N_ELEMENTS(ranks_columns)},
    [OL_TABLE_SLICES] = {N_("Slices of the matrices"), "slices", slices_columns,
                         G_N_ELEMENTS(slices_columns)},
    [OL_TABLE_TIERS] = {N_("Bytes by memory"), "bytes", tiers_columns, G_N_ELEMENTS(tiers_columns)},
    [OL_TABLE_MEMORY] = {N_("Peaks by memory"), "peaks", memory_columns,
                         G_N_ELEMENTS(memory_columns)},
    [OL_TABLE_LANES] = {N_("Lanes"), "lanes", lanes_columns, G_N_ELEMENTS(lanes_columns)},
    [OL_TABLE_TIES] = {N_("The selection and what belongs to it"), "selection", ties_columns,
                       G_N_ELEMENTS(ties_columns)},
    [OL_TABLE_SPANS] = {N_("Spans in sight"), "spans", spans_columns, G_N_ELEMENTS(spans_columns)},
    [OL_TABLE_STEPS] = {N_("Steps"), "steps", steps_columns, G_N_ELEMENTS(steps_columns)},
};

const char *ol_table_title(OlTableKind kind)
{
  g_return_val_if_fail(kind < OL_N_TABLES, "");
  return _(tables[kind].title);
}

const char *ol_table_nick(OlTableKind kind)
{
  g_return_val_if_fail(kind < OL_N_TABLES, "");
  return tables[kind].nick;
}

gboolean ol_table_from_nick(const char *nick, OlTableKind *kind)
{
  for (int i = 0; i < OL_N_TABLES; i++)
    if (g_strcmp0(nick, tables[i].nick) == 0) {
      *kind = (OlTableKind)i;
      return TRUE;
    }
  return FALSE;
}

const OlTableColumn *ol_table_columns(OlTableKind kind, guint *n)
{
  g_return_val_if_fail(kind < OL_N_TABLES, NULL);
  *n = tables[kind].n_columns;
  return tables[kind].columns;
}
