/* Mutations of a text, for the fuzz tests: the same ones from the same seed. */
#pragma once

#include <glib.h>
#include <string.h>

/* How long a fuzz test goes on: whatever it finds is found again, since the mutations come in the
 * same order; a faster machine only gets further. */
static inline gint64 fuzz_end_us(void)
{
  return g_get_monotonic_time() + (g_getenv("OFFLOAD_LAB_LONG") ? 300 : 30) * G_USEC_PER_SEC;
}

/* Another digit for the next one, so that many mutants stay JSON with other values. */
static inline void change_digit(GString *text, gsize at, guint digit)
{
  while (at < text->len && !g_ascii_isdigit(text->str[at]))
    at++;
  if (at < text->len)
    text->str[at] = '0' + digit;
}

/* One change from the stream of `random`: a byte, a cut, a repeated part, a digit or one of the
 * `pieces`. The text is never left empty. */
static inline void mutate(GString *text, GRand *random, const char *const *pieces, guint n_pieces)
{
  gsize at = g_rand_int_range(random, 0, text->len);
  gsize length = g_rand_int_range(random, 1, 40);
  length = MIN(length, text->len - at);
  switch (g_rand_int_range(random, 0, 7)) {
  case 0:
    text->str[at] = g_rand_int_range(random, 0, 256);
    break;
  case 1:
    g_string_erase(text, at, MIN(length, 12));
    break;
  case 2:
    g_string_truncate(text, MAX(at, 1));
    break;
  case 3: { /* a piece of the text again, somewhere else */
    g_autofree char *part = g_memdup2(text->str + at, length);
    g_string_insert_len(text, g_rand_int_range(random, 0, text->len), part, length);
    break;
  }
  case 4:
  case 5:
    change_digit(text, at, g_rand_int_range(random, 0, 10));
    break;
  default: {
    const char *piece = pieces[g_rand_int_range(random, 0, n_pieces)];
    if (g_rand_boolean(random))
      g_string_erase(text, at, MIN(text->len - at, strlen(piece)));
    g_string_insert(text, at, piece);
  }
  }
  if (text->len == 0)
    g_string_append_c(text, '{');
}
