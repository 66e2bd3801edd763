/* The values that a slider stops at: round ones, close together where they are small, so that one
 * slider goes from 1 to 100 000 and what it gives divides well. */
#pragma once

#include "app/sandbox/field-words.h"

G_BEGIN_DECLS

/* Rising, of double. Whole numbers and sizes: each up to 8, then four to a doubling (8, 10, 12, 14,
 * 16 …). Others: twentieths up to 1, else 1, 2, 5 × 10^k; a 0 where the slider begins there. Empty
 * when the key has no slider. Caller unrefs. */
GArray *ol_slider_stops_new(const OlField *field, const OlFieldWords *words, OlFormKind kind);

/* The stop nearest to `value`, counted in the ratio of numbers; the first for NAN. */
guint ol_slider_stops_find(const GArray *stops, double value);

G_END_DECLS
