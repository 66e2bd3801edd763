/* The first driver of a plan: its graph on real memory, one thread a lane (design section 2).
 *
 * A lane issues its nodes in plan order: the fill, then the step as often as asked, then the hash;
 * between the parts all lanes meet. A node on a device lane is issued onto a stream and done when
 * the stream has passed it; a node on a host lane runs on the lane's thread. */
#pragma once

#include "engine/comm/comm.h"
#include "engine/device/device.h"
#include "engine/model/text.h"
#include "engine/plan/plan.h"
#include "engine/run/control.h"
#include "engine/run/cost.h"
#include "engine/run/recorder.h"

G_BEGIN_DECLS

typedef struct OlExecutor OlExecutor;

typedef struct {
  const OlPlan *plan; /* all borrowed */
  const OlDeviceOps *ops;
  OlRecorder *recorder;
  OlControl *control;
  const OlCosts *costs;
  double slowdown;     /* NAN: on the machine's clock */
  double step_seconds; /* modelled, what lateness is a share of */
  OlComm *comm;        /* joins processes, one a rank; NULL: all ranks are threads of this one */
  gboolean poison;
  const OlText *text;                     /* of task `text`, else NULL */
  const struct OlDiskSystem *disk_system; /* for tests: a drive that fails; NULL: the real one */
  /* Before each step's first node, on the compute lane, all lanes idle; NULL: none. */
  void (*before_step)(guint step, gpointer data);
  gpointer before_step_data;
} OlExecutorOptions;

/* Opens the device and reserves the tiers. OL_ERROR_DEVICE, or _OUT_OF_MEMORY of this machine. */
OlExecutor *ol_executor_new(const OlExecutorOptions *options, GError **error);
void ol_executor_free(OlExecutor *executor);

/* Runs to the end and ends the recorder's trace with the outcome. Once. */
void ol_executor_run(OlExecutor *executor);

/* After it: see ol_run_speaks_for_all(). */
gboolean ol_executor_speaks_for_all(const OlExecutor *executor);

/* Where a buffer lies; NULL for OL_NONE and for one that found no room. */
void *ol_executor_get_buffer(const OlExecutor *executor, int buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlExecutor, ol_executor_free)

G_END_DECLS
