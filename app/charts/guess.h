/* A predicted number on the chart that it belongs to: a ghost that can be dragged until it is
 * locked, and what was measured beside it. Bytes lie in the box of their memory. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

struct OlGuess {
  OlTier tier;
  OlPayload first;  /* both begin where this payload does */
  double capacity;  /* of the tier, bytes here: its box before anything has run */
  double predicted; /* bytes here; NAN: nothing yet */
  double measured;  /* bytes here; NAN: not yet */
  gboolean is_open; /* can be dragged */
  char *said;       /* "predicted 8 B", or what can be done; owned by whoever owns the guess */
  char *found;      /* "measured 12 B", or NULL */
};

/* Above what the chart draws. */
void ol_guess_draw(OlChart chart, OlCanvas *canvas);

/* What its bars are, where boxes of several ranks have no room for words: for a subtitle. Often
 * empty. Caller frees. */
char *ol_guess_dup_key(OlChart chart, const OlChartView *view);

/* In words, for a chart's description; "" where there is none. Caller frees. */
char *ol_guess_dup_words(OlChart chart, const OlChartView *view);

/* Whether a point lies where the guess can be taken hold of. */
gboolean ol_guess_is_at(OlChart chart, double x, double y, double width, double height,
                        const OlChartView *view, const OlChartStyle *style);
/* The bytes that dragging it to x means: never beyond the box. */
double ol_guess_bytes_at(double x, double width, double height, const OlChartView *view,
                         const OlChartStyle *style);

G_END_DECLS
