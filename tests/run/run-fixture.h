/* Small whole runs for the suites of this folder. */
#pragma once

#include "engine/run/run.h"
#include "engine/trace/metrics.h"
#include <check.h>

/* A sanitizer's shadow is resident too, and a wait dropped on purpose is a race. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED TRUE
#else
#define IS_SANITIZED FALSE
#endif

/* What a small run starts from: 2 layers of width 32, on the machine's clock. */
#define ON_GPU  "placement.optimizer=gpu", "placement.gradients=gpu", "optimizer.runs_on=gpu"
#define ON_HOST "placement.optimizer=host", "optimizer.runs_on=host"
#define ON_NVME                                                                                    \
  "placement.optimizer=nvme", "placement.weights=nvme", "optimizer.runs_on=host",                  \
      "hardware.nvme_folder=."
#define SCALE                                                                                      \
  "hardware.clock=scale", "hardware.stands_for=gpt-2b", "model.width=64", "model.layers=4",        \
      "model.sequence=32"

/* The small config with assignments on top; `set` ends with NULL. Caller frees. */
OlRunConfig *fixture_config(const char *const *set);

/* A run of it, not yet executed. `options` may be NULL. */
OlRun *fixture_open(const char *const *set, const OlRunOptions *options);

/* A run of it, executed. */
OlRun *fixture_run(const char *const *set, const OlRunOptions *options);
/* The same, which must end well: its weights.hash. Caller frees. */
char *fixture_hash(const char *const *set, const OlRunOptions *options);
/* The same of an executed run; borrowed. */
const char *fixture_get_hash(OlRun *run);

/* The home of a unit's payload. */
guint fixture_home(const OlPlan *plan, OlPayload payload, guint unit);

/* Gives a node alone another buffer. */
void fixture_set_operand(OlPlan *plan, guint node, OlOperand operand, guint buffer);

/* Seconds a step, the mean over all but the first. */
double fixture_step_seconds(const OlTrace *trace);

#define ck_assert_outcome(run, expected)                                                           \
  do {                                                                                             \
    const OlTrace *ended = ol_run_get_trace(run);                                                  \
    ck_assert(ended->ended);                                                                       \
    ck_assert_msg(ended->outcome == (expected), "%s: %s", ol_outcome_nick(ended->outcome),         \
                  ended->message ? ended->message : "");                                           \
  } while (0)

/* main() of a suite with the given cases. */
int fixture_main(const char *name, const TTest *const *tests, guint n_tests, double timeout);
