/* Config in, trace out: the two drivers behind one door. */
#pragma once

#include "engine/comm/comm.h"
#include "engine/plan/plan.h"
#include "engine/run/control.h"
#include "engine/run/recorder.h"
#include "engine/trace/trace.h"

G_BEGIN_DECLS

typedef struct OlRun OlRun;

typedef struct {
  const char *data_folder;      /* NULL: ol_data_folder() */
  const char *calibration_path; /* NULL: the cache folder's */
  OlControl *control;           /* borrowed; NULL: none */
  /* Joins processes, one a rank; borrowed; NULL: all ranks are threads of this one. Every process
   * makes the same run then, and calls from its main thread; the trace of rank 0's has all. */
  OlComm *comm;
  gboolean poison; /* released blocks are filled with NaN: for tests */
  /* For tests: called on the compute lane before each step's first node is issued, all lanes idle,
   * with the run, to look at homes. */
  void (*before_step)(OlRun *run, guint step, gpointer data);
  void (*edit_plan)(OlPlan *plan, gpointer data); /* for tests: drop a wait or a copy */
  const struct OlDiskSystem *disk_system;         /* for tests: a drive that fails */
  gpointer test_data;
} OlRunOptions;

/* Loads the machine, plans, chooses s when none is set. Refuses with OL_ERROR_BAD_INPUT or
 * _DEVICE. The trace is there, empty, from now on. */
OlRun *ol_run_new(const OlRunConfig *config, const OlRunOptions *options, GError **error);
void ol_run_free(OlRun *run);

const OlPlan *ol_run_get_plan(const OlRun *run);
const OlMachine *ol_run_get_machine(const OlRun *run);
double ol_run_get_slowdown(const OlRun *run); /* NAN on the machine's clock */
OlTrace *ol_run_get_trace(OlRun *run);        /* borrowed; locked by the recorder while running */
OlRecorder *ol_run_get_recorder(OlRun *run);
void *ol_run_get_buffer(OlRun *run, guint buffer); /* its memory, while running */

/* Runs to the end on real memory; returns when done, out of memory, stopped or failed: the trace's
 * outcome says which. Blocks; call from any thread, once. */
void ol_run_execute(OlRun *run);

/* Of several processes, whether this one is to tell people how the run has ended: rank 0's, or,
 * where that has died, the first that lives. */
gboolean ol_run_speaks_for_all(const OlRun *run);

/* The same plan simulated: a new trace. */
OlTrace *ol_run_simulate(OlRun *run);

/* Seconds a step at full size on the profile's real rates: a simulation of its own. NAN when the
 * config stands for nothing, or does not fit at full size, or its plan would be too large there.
 * Both traces tell it. */
double ol_run_step_seconds_there(const OlRunConfig *config, const char *data_folder,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlRun, ol_run_free)

G_END_DECLS
