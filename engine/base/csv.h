/* Comma-separated values, as RFC 4180 has them: lines end in CR LF, and a cell that holds a comma,
 * a quote or a line break is quoted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One cell, with the comma before it unless it is the first of its line. NULL is empty. */
void ol_csv_put_text(GString *text, gboolean first, const char *cell);
/* The same of words from elsewhere: a spreadsheet would run a cell that begins as a formula does,
 * and an apostrophe before it keeps it a text. */
void ol_csv_put_words(GString *text, gboolean first, const char *words);
/* A number with a point, whatever the desktop's language; not finite: empty, for unknown. */
void ol_csv_put_number(GString *text, gboolean first, double value);
void ol_csv_end_line(GString *text);

G_END_DECLS
