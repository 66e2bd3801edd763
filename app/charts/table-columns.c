/* Which tables there are, and their columns. */
#include "app/charts/chart-table.h"

#define BYTES   OL_MEASURE_BYTES
#define SECONDS OL_MEASURE_SECONDS
#define SHARE   OL_MEASURE_FRACTION
#define WORDS   OL_MEASURE_TEXT

static const OlTableColumn ranks_columns[] = {
    {"Rank", FALSE},
    {"Data", TRUE},
    {"Stage", TRUE},
    {"Slice", TRUE},
    {"Shares", FALSE},
    {"GPU at most", TRUE, FALSE, BYTES},
    {"Busy", TRUE, FALSE, SHARE},
    {"Bubble", TRUE, FALSE, SHARE},
};
static const OlTableColumn slices_columns[] = {
    {"Matrix", FALSE}, {"Outputs", TRUE}, {"Inputs", TRUE}, {"Cut by", FALSE}, {"Held", FALSE},
};
static const OlTableColumn tiers_columns[] = {
    {"Bytes", FALSE},
    {"GPU now", TRUE, FALSE, BYTES},
    {"GPU at most", TRUE, FALSE, BYTES},
    {"Host now", TRUE, FALSE, BYTES},
    {"Host at most", TRUE, FALSE, BYTES},
    {"NVMe now", TRUE, FALSE, BYTES},
    {"NVMe at most", TRUE, FALSE, BYTES},
};
static const OlTableColumn memory_columns[] = {
    {"Memory", FALSE},
    {"Rank", TRUE, TRUE},
    {"Bytes", FALSE},
    {"At most", TRUE, FALSE, BYTES},
    {"After", TRUE, FALSE, SECONDS},
    {"Computing", FALSE},
    {"Of the capacity", TRUE, FALSE, SHARE},
};
static const OlTableColumn lanes_columns[] = {
    {"Lane", FALSE},
    {"Rank", TRUE, TRUE},
    {"Spans", TRUE},
    {"Busy", TRUE, FALSE, SECONDS},
    {"Share", TRUE, FALSE, SHARE},
};
static const OlTableColumn spans_columns[] = {
    {"Span", FALSE},
    {"Rank", TRUE, TRUE},
    {"Lane", FALSE},
    {"Step", TRUE, FALSE, WORDS},
    {"From", TRUE, FALSE, SECONDS},
    {"Lasts", TRUE, FALSE, SECONDS},
    {"Bytes", TRUE, FALSE, BYTES},
    {"Critical", FALSE},
};

static const OlTableColumn ties_columns[] = {
    {"Span or bytes", FALSE},      {"Rank", TRUE, TRUE},           {"Tie", FALSE},
    {"Lane or memory", FALSE},     {"From", TRUE, FALSE, SECONDS}, {"Lasts", TRUE, FALSE, SECONDS},
    {"Bytes", TRUE, FALSE, BYTES},
};
static const OlTableColumn steps_columns[] = {
    {"Step", TRUE, FALSE, WORDS},
    {"Loss", TRUE},
    {"Gradient norm", TRUE},
    {"Lasts", TRUE, FALSE, SECONDS},
    {"Tokens a second", TRUE},
    {"Loss, pinned", TRUE, FALSE, OL_MEASURE_NUMBER, TRUE},
    {"Lasts, pinned", TRUE, FALSE, SECONDS, TRUE},
};

static const struct {
  const char *title, *nick;
  const OlTableColumn *columns;
  guint n_columns;
} tables[OL_N_TABLES] = {
    [OL_TABLE_RANKS] = {"Ranks and their groups", "ranks", ranks_columns,
                        G_N_ELEMENTS(ranks_columns)},
    [OL_TABLE_SLICES] = {"Slices of the matrices", "slices", slices_columns,
                         G_N_ELEMENTS(slices_columns)},
    [OL_TABLE_TIERS] = {"Bytes by memory", "bytes", tiers_columns, G_N_ELEMENTS(tiers_columns)},
    [OL_TABLE_MEMORY] = {"Peaks by memory", "peaks", memory_columns, G_N_ELEMENTS(memory_columns)},
    [OL_TABLE_LANES] = {"Lanes", "lanes", lanes_columns, G_N_ELEMENTS(lanes_columns)},
    [OL_TABLE_TIES] = {"The selection and what belongs to it", "selection", ties_columns,
                       G_N_ELEMENTS(ties_columns)},
    [OL_TABLE_SPANS] = {"Spans in sight", "spans", spans_columns, G_N_ELEMENTS(spans_columns)},
    [OL_TABLE_STEPS] = {"Steps", "steps", steps_columns, G_N_ELEMENTS(steps_columns)},
};

const char *ol_table_title(OlTableKind kind)
{
  g_return_val_if_fail(kind < OL_N_TABLES, "");
  return tables[kind].title;
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
