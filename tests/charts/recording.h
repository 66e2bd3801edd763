/* The list of drawing calls: while one is open, every fill, stroke, clip and text is a line of it,
 * with its colour, its number of path elements and the box around it.
 *
 * Calls into cairo are caught by the linker's --wrap; block-text.c takes the place of pango. */
#pragma once

#include <cairo.h>
#include <glib.h>

/* Begins a list; NULL from then on means none. The list is the caller's. */
void recording_begin(GString *list);
void recording_end(void);

/* A line for a text, by block-text.c. */
void recording_text(cairo_t *cairo, const char *text);
