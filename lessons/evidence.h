/* Evidence: claims about metrics of an experiment's runs, each with a run in which it is false. */
#pragma once

#include "lessons/experiment.h"

G_BEGIN_DECLS

typedef enum {
  OL_CLAIM_HOLDS,
  OL_CLAIM_FAILS,
  OL_CLAIM_ERROR /* a run is missing, a metric absent, or a claim about time on a late run */
} OlClaimState;

typedef struct {
  OlClaimState state;
  char *words; /* "run overlap: hidden.fraction is 0.75, at least 0.6" or what went wrong */
} OlClaimResult;

/* Judges a claim on its own run, or (`on_counter_run`) on fails_on, where it should be false. */
OlClaimResult ol_claim_judge(const OlClaim *claim, const OlExperiment *experiment,
                             gboolean on_counter_run);
void ol_claim_result_clear(OlClaimResult *result);

/* Whether it speaks of time, and so counts only on a run that was not late. That a lane's busy time
 * is exactly, or more than, 0 says only whether it worked. */
gboolean ol_claim_is_about_time(const OlClaim *claim);

/* Every claim holds and is false on its counter-run. Appends a line a claim to `report`. */
gboolean ol_evidence_check(const OlExperiment *experiment, GString *report);

G_END_DECLS
