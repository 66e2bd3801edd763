/* The numbers that charts write, and parts of a tier that stand for one: each can be pressed, and
 * leads to the spans or blocks that it comes from (number-place.h). */
#pragma once

#include "app/charts/view.h"

G_BEGIN_DECLS

typedef enum {
  OL_NUMBER_NONE,
  OL_NUMBER_PEAK,   /* of a tier, or of one payload on it */
  OL_NUMBER_HELD,   /* what a tier holds at the moment that the charts show */
  OL_NUMBER_BLOCKS, /* a payload's part of that */
  OL_NUMBER_RATE,   /* of a lane */
  OL_NUMBER_QUEUE,  /* copies that wait for a lane */
  OL_NUMBER_BUSY,   /* how long a lane works */
  OL_NUMBER_HIDDEN, /* the share of transfers that lies under compute */
  OL_NUMBER_IDLE,   /* the share of the steps in sight in which nothing is computed */
  OL_NUMBER_LOSS,   /* of a step */
  OL_NUMBER_SPEED,  /* tokens a second of a step */
  OL_N_NUMBERS
} OlNumberKind;

typedef struct {
  OlNumberKind kind;
  guint rank;
  int tier, payload, lane, step; /* that it is about, or -1 each */
  gint64 offset;                 /* of blocks: so many bytes into the payload's part */
} OlNumber;

/* About nothing but the rank. */
OlNumber ol_number(OlNumberKind kind, guint rank);

gboolean ol_number_equal(const OlNumber *a, const OlNumber *b);

/* "GPU peak 20.5 MiB, block 5": what the number says, at the moment that the view shows. Caller
 * frees. */
char *ol_number_dup_words(const OlChartView *view, const OlNumber *number);
/* What a press leads to: "press: that moment". */
const char *ol_number_get_promise(OlNumberKind kind);

G_END_DECLS
