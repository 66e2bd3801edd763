/* What is said of a run, part by part: some are numbers, which lead to what they come from. */
#pragma once

#include "app/charts/number.h"

G_BEGIN_DECLS

typedef struct {
  char *words;
  OlNumberKind kind; /* of what it leads to; OL_NUMBER_NONE: nothing */
} OlRunPart;

GArray *ol_run_parts_new(void); /* of OlRunPart; caller unrefs */
void ol_run_parts_add(GArray *parts, OlNumberKind kind, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* How long a step took; it leads to the last one. */
void ol_run_parts_add_step(GArray *parts, const OlChartView *view, double seconds);
/* The loss of the last step, where one is known. */
void ol_run_parts_add_loss(GArray *parts, const OlTrace *trace);

/* "Done · 0.71 s a step". Caller frees. */
char *ol_run_parts_dup_words(const GArray *parts);
/* The same as markup; a part that leads somewhere is a link, whose address is the part's index.
 * Caller frees. */
char *ol_run_parts_dup_markup(const GArray *parts);

G_END_DECLS
