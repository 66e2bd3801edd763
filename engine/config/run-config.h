/* What to run: one JSON object (design section 8). Parsed once, validated whole.
 *
 * Every key may be left out and takes its default. Every error names its key path and what is
 * allowed there. */
#pragma once

#include "engine/base/words.h"
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef enum { OL_PRECISION_BF16, OL_PRECISION_FP32 } OlPrecision;
typedef enum { OL_TASK_SUMS, OL_TASK_TEXT } OlTaskKind;
typedef enum { OL_RUNS_ON_GPU, OL_RUNS_ON_HOST } OlRunsOn;
typedef enum { OL_UNIT_ORDER_FORWARD, OL_UNIT_ORDER_ALTERNATE } OlUnitOrder;
typedef enum { OL_RECOMPUTE_NONE, OL_RECOMPUTE_SELECTIVE, OL_RECOMPUTE_FULL } OlRecompute;
typedef enum { OL_SCHEDULE_GPIPE, OL_SCHEDULE_1F1B, OL_SCHEDULE_INTERLEAVED } OlSchedule;
typedef enum { OL_DEVICE_VIRTUAL, OL_DEVICE_CUDA } OlDeviceKind;
typedef enum { OL_CLOCK_AUTO, OL_CLOCK_SCALE, OL_CLOCK_MACHINE } OlClockKind;

typedef struct {
  char *name;
  guint steps;  /* 1 … 100 000 */
  guint64 seed; /* 0 … 2^53 - 1 */
  OlPrecision precision;
  struct {
    guint layers, width, heads, sequence, vocabulary;
  } model;
  struct {
    OlTaskKind kind;
    char *file; /* for `text`; else NULL */
  } task;
  struct {
    guint micro_batch;   /* samples a data rank and micro-batch */
    guint micro_batches; /* a step */
  } batch;
  struct {
    OlTier weights, gradients, optimizer, activations;
  } placement;
  struct {
    double learning_rate, beta1, beta2, epsilon, weight_decay;
    double clip_norm; /* 0: none */
    OlRunsOn runs_on;
    double gpu_fraction; /* 0 … 1 */
    gboolean delayed;
    guint threads; /* of the modelled host; 0: null, all of them */
  } optimizer;
  struct {
    guint prefetch; /* units ahead; 0 is serial */
    gboolean write_back, pinned;
    OlUnitOrder order;
  } overlap;
  OlRecompute recompute;
  struct {
    guint data, zero, tensor, pipeline;
    OlSchedule schedule;
    guint chunks;
  } parallel;
  struct {
    OlDeviceKind device;
    OlClockKind clock; /* OL_CLOCK_AUTO: null, scale on virtual, machine on cuda */
    char *profile;     /* name of data/hardware/<name>.json */
    char *stands_for;  /* name of data/models/<name>.json; NULL: µ = κ = 1 */
    double slowdown;   /* s; 0: null, chosen */
    guint compute_threads;
    double gpu_mib, host_mib, nvme_mib; /* here; 0: null, from the profile */
    char *nvme_folder;                  /* NULL: the cache folder */
    guint nvme_depth;                   /* blocks in flight each way; 0: null, the disk's default */
    guint nvme_block_kib; /* of a transfer: a multiple of 4; 0: null, the disk's default */
  } hardware;
} OlRunConfig;

OlRunConfig *ol_run_config_new_default(void);
OlRunConfig *ol_run_config_copy(const OlRunConfig *config);
void ol_run_config_free(OlRunConfig *config);

/* Parses `text` (`length` bytes, -1: to the NUL) over the defaults. `where` names the source in
 * messages ("serial.json", "standard input"). OL_ERROR_BAD_INPUT with every fault found, one line
 * each. NULL on error. */
OlRunConfig *ol_run_config_parse(const char *text, gssize length, const char *where,
                                 GError **error);

/* The same from a JSON object that is part of a larger file; `path` is put before key paths. */
OlRunConfig *ol_run_config_from_json(JsonObject *object, const char *path, GError **error);

/* A copy of `config` with the keys of `set` changed: {"overlap.prefetch": 2, …}, dotted paths to
 * scalars. The result is validated whole. NULL on error. */
OlRunConfig *ol_run_config_with(const OlRunConfig *config, JsonObject *set, const char *path,
                                GError **error);

/* The same for the command line's `--set key=value` strings: a value is read as JSON when it
 * parses as such, else as text. */
OlRunConfig *ol_run_config_with_assignments(const OlRunConfig *config, const char *const *set,
                                            GError **error);

/* One fault of a config: the key (or group of keys) that it stands at, and what is allowed there.
 */
typedef struct {
  char *path, *reason;
} OlConfigFault;

/* The same for who mends faults one by one, as a form does. NULL when there are any: *faults, if
 * not NULL, then gets all, of OlConfigFault; the caller unrefs. Else it is set to NULL. */
OlRunConfig *ol_run_config_try_assignments(const OlRunConfig *config, const char *const *set,
                                           GPtrArray **faults);

/* Else it is the machine's. */
gboolean ol_run_config_has_scale_clock(const OlRunConfig *config);

/* The whole config as JSON, with every key. Caller owns. */
JsonNode *ol_run_config_to_json(const OlRunConfig *config);
char *ol_run_config_dup_text(const OlRunConfig *config, gboolean pretty);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlRunConfig, ol_run_config_free)

G_END_DECLS
