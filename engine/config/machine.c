/* A config bound to the machine it models: scale and capacities (design section 4). */
#include "engine/config/hardware.h"

#include <math.h>

#define MIB 1048576.0

/* Embeddings left out: P = 12 · layers · width². */
static double parameters_of(double layers, double width)
{
  return 12 * layers * width * width;
}

static void set_scale(OlMachine *machine)
{
  const OlModelReference *big = machine->reference;
  machine->mu = machine->kappa = 1;
  if (!big)
    return;
  machine->mu = parameters_of(big->layers, big->width) /
                parameters_of(big->reference_layers, big->reference_width);
  machine->kappa = (double)big->width / big->reference_width;
}

/* `mib` here when the config sets it, else the hardware's bytes there. */
static guint64 capacity_here(double mib, double bytes_there, double mu)
{
  return mib > 0 ? mib * MIB : bytes_there / mu;
}

static void set_capacities(OlMachine *machine, const OlRunConfig *config)
{
  const OlHardware *hardware = machine->hardware;
  double ranks = hardware->gpus_per_host; /* that share a host and its drive */
  machine->capacity[OL_TIER_GPU] =
      capacity_here(config->hardware.gpu_mib, hardware->gpu_bytes, machine->mu);
  machine->capacity[OL_TIER_HOST] =
      capacity_here(config->hardware.host_mib, hardware->host_bytes / ranks, machine->mu);
  machine->capacity[OL_TIER_NVME] =
      capacity_here(config->hardware.nvme_mib, hardware->nvme_bytes / ranks, machine->mu);
}

OlMachine *ol_machine_new(const OlRunConfig *config, const char *folder, GError **error)
{
  g_autoptr(OlMachine) machine = g_new0(OlMachine, 1);
  machine->hardware = ol_hardware_load(folder, config->hardware.profile, error);
  if (!machine->hardware)
    return NULL;
  if (config->hardware.stands_for) {
    machine->reference = ol_model_reference_load(folder, config->hardware.stands_for, error);
    if (!machine->reference)
      return NULL;
  }
  machine->scale_clock = ol_run_config_has_scale_clock(config);
  set_scale(machine);
  set_capacities(machine, config);
  return g_steal_pointer(&machine);
}

void ol_machine_free(OlMachine *machine)
{
  if (!machine)
    return;
  ol_hardware_free(machine->hardware);
  ol_model_reference_free(machine->reference);
  g_free(machine);
}

OlRunConfig *ol_machine_dup_full_size(const OlMachine *machine, const OlRunConfig *config)
{
  OlRunConfig *full = ol_run_config_copy(config);
  const OlModelReference *big = machine->reference;
  if (!big)
    return full;
  full->model.layers = round((double)config->model.layers * big->layers / big->reference_layers);
  full->model.layers = MAX(full->model.layers, 1);
  full->model.width = round(config->model.width * machine->kappa);
  full->model.sequence = round(config->model.sequence * machine->kappa);
  full->model.vocabulary = round(config->model.vocabulary * machine->kappa);
  full->hardware.gpu_mib = full->hardware.host_mib = full->hardware.nvme_mib = 0;
  full->hardware.slowdown = 0;
  g_clear_pointer(&full->hardware.stands_for, g_free);
  return full;
}
