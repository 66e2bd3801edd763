/* How a trace's ranks lie on the grid data × pipeline × tensor, what each is called, and who is in
 * whose group. A group is all ranks that differ from one in their place on one axis alone.
 *
 * rank = (data · pipeline + stage) · tensor + slice (contracts.md). */
#pragma once

#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef enum { OL_RANK_DATA, OL_RANK_PIPELINE, OL_RANK_TENSOR, OL_N_RANK_AXES } OlRankAxis;

typedef struct {
  guint n;                       /* ranks in all, at least 1 */
  guint lengths[OL_N_RANK_AXES]; /* their product is n */
  gboolean is_known;             /* FALSE: the trace does not tell; lengths are n, 1, 1 */
  guint width;                   /* of the model; 0: unknown */
  guint steps;                   /* of the run, as its config has it; 0: unknown */
} OlRanks;

/* From the trace's config. */
OlRanks ol_ranks_of_trace(const OlTrace *trace);

/* Place of a rank on one axis. */
guint ol_ranks_place(const OlRanks *ranks, guint rank, OlRankAxis axis);
/* The member of the rank's group along an axis that has this place. */
guint ol_ranks_member(const OlRanks *ranks, guint rank, OlRankAxis axis, guint place);
/* The axis of the group that two ranks share, or -1: none, or the same rank. */
int ol_ranks_shared_axis(const OlRanks *ranks, guint rank, guint other);

/* "Rank 3 · data 1, stage 1": only axes longer than 1 are named. Caller frees. */
char *ol_ranks_dup_name(const OlRanks *ranks, guint rank);
/* "ranks 1, 3, 5": the rank's group along an axis; a long one is cut in the middle. Caller frees.
 */
char *ol_ranks_dup_group(const OlRanks *ranks, guint rank, OlRankAxis axis);

/* "data", "stage", "slice": what a place on the axis is called. Static strings. */
const char *ol_rank_axis_place(OlRankAxis axis);
/* "data group", and what its ranks do together: "sum gradients". Static strings. */
const char *ol_rank_axis_group(OlRankAxis axis);
const char *ol_rank_axis_work(OlRankAxis axis);

G_END_DECLS
