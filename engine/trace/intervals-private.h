/* Sets of moments: intervals [begin, end) in ns, in order of time, none touching the next. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gint64 begin, end;
  gint64 before; /* length of all intervals before this one */
} OlInterval;

typedef struct {
  GArray *items; /* OlInterval */
} OlIntervals;

void ol_intervals_init(OlIntervals *set);
void ol_intervals_clear(OlIntervals *set);
void ol_intervals_empty(OlIntervals *set);

/* Adds one that begins no earlier than any added before. */
void ol_intervals_add(OlIntervals *set, gint64 begin, gint64 end);
gint64 ol_intervals_length(const OlIntervals *set);
/* How much of [begin, end) lies in the set. */
gint64 ol_intervals_covered(const OlIntervals *set, gint64 begin, gint64 end);
/* Length of what two sets have in common. */
gint64 ol_intervals_common(const OlIntervals *a, const OlIntervals *b);
/* Replaces `all` by the union of n sets. */
void ol_intervals_unite(OlIntervals *all, const OlIntervals *sets, guint n);

G_END_DECLS
