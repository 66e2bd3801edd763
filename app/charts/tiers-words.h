/* The words of Where the bytes are. Figures are never cut: what has no room is said in fewer words
 * or on more lines. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

/* "18.1 / 44.7 MiB", the unit once where it is the same; `capacity` 0: not known. Caller frees. */
char *ol_tiers_dup_amount(const OlChartView *view, gint64 total, gint64 capacity);
/* The same on two lines: "18.1 MiB" and "of 44.7 MiB". Caller frees both. */
void ol_tiers_dup_amount_lines(const OlChartView *view, gint64 total, gint64 capacity,
                               char **total_line, char **capacity_line);
/* The most room that an amount may need, whatever runs: what depends on the figures would jump. */
double ol_tiers_amount_width(OlCanvas *canvas, OlTextRole role);

/* The first of these, NULL-terminated, that fits into `lines` lines of `room`, else the last.
 * Borrowed. */
const char *ol_tiers_choose(OlCanvas *canvas, OlTextRole role, double room, int lines,
                            ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
