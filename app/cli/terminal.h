/* Words for people in a terminal, and what they type. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Prints `text` broken at spaces and newlines, every line after the first indented like what stands
 * before it. */
void ol_terminal_print(const char *before, const char *text);

/* An option of a question: "  A  text". */
void ol_terminal_print_option(guint index, const char *text);

/* A line of standard input, stripped; NULL when there is none: whoever answered has left. Caller
 * frees. */
char *ol_terminal_ask(const char *prompt);

/* What a letter (A …) or a number (1 …) chooses of n, from 0; -1 when it is neither. */
int ol_terminal_choice(const char *answer, guint n);

/* Asks until it is one of n letters or numbers; -1 when whoever answered has left. */
int ol_terminal_ask_letter(const char *prompt, guint n);

G_END_DECLS
