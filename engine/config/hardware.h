/* The machine to model: figures of data/hardware/<name>.json, and the big model that a tiny one
 * stands for: data/models/<name>.json. Bytes, bytes/s, flop/s and seconds; powers of ten. */
#pragma once

#include "engine/base/words.h"
#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef struct {
  char *id;    /* "a100-pcie4" */
  char *title; /* "an A100, PCIe 4" */
  double peak_flops;
  double utilisation; /* achieved share of the peak, 0 … 1 */
  double gpu_bytes, gpu_bandwidth;
  double gpu_to_host, host_to_gpu, pageable; /* link rates, achieved */
  double host_bytes, host_bandwidth;         /* of the whole machine */
  double host_rate_per_thread;               /* update traffic one thread sustains */
  guint host_threads;
  double nvme_bytes, nvme_read, nvme_write;
  double peer; /* GPU to GPU, one way */
  guint gpus_per_host;
  double launch_latency, link_latency, nvme_latency, peer_latency; /* seconds */
} OlHardware;

typedef struct {
  char *id;                                /* "gpt-2b" */
  char *title;                             /* "GPT 2 B" */
  guint layers, width, heads;              /* the big shape */
  guint sequence, vocabulary;              /* of the big model */
  guint reference_layers, reference_width; /* the tiny one that stands for it */
} OlModelReference;

/* `folder` is the data folder (with hardware/ and models/); NULL: ol_data_folder(). An unknown
 * name lists the known ones; a broken file names its key. NULL on error. */
OlHardware *ol_hardware_load(const char *folder, const char *name, GError **error);
void ol_hardware_free(OlHardware *hardware);
OlModelReference *ol_model_reference_load(const char *folder, const char *name, GError **error);
void ol_model_reference_free(OlModelReference *reference);

/* Names present, sorted. Caller frees with g_strfreev(). */
char **ol_hardware_list(const char *folder);
char **ol_model_reference_list(const char *folder);

/* Where the lab's data lies: $OFFLOAD_LAB_DATA, else the build tree's when run from it, else the
 * installed one. Static string. */
const char *ol_data_folder(void);

/* A config bound to its machine: the scale of the model ship (design section 4).
 *
 *   µ = P_big / P_reference, with P = 12 · layers · width² (embeddings left out)
 *   κ = width_big / width_reference
 *
 * Capacities are bytes here: the config's MiB, else one rank's share of the profile's over µ. */
typedef struct {
  OlHardware *hardware;
  OlModelReference *reference; /* NULL when the config stands for nothing */
  double mu, kappa;
  gboolean scale_clock; /* else the machine's clock */
  guint64 capacity[OL_N_TIERS];
} OlMachine;

OlMachine *ol_machine_new(const OlRunConfig *config, const char *folder, GError **error);
void ol_machine_free(OlMachine *machine);

/* The config at full size: layers × layers_big / layers_reference (rounded), width, sequence and
 * vocabulary × κ, stands_for null, the same micro-batch and heads: tokens and activations keep
 * their ratio to weights. A copy of `config` when it stands for nothing. */
OlRunConfig *ol_machine_dup_full_size(const OlMachine *machine, const OlRunConfig *config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlHardware, ol_hardware_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlModelReference, ol_model_reference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlMachine, ol_machine_free)

G_END_DECLS
