#include "engine/config/hardware.h"

#include "engine/base/intl.h"
#include "engine/config/figures-private.h"

#define RATE(member)                                                                               \
  {                                                                                                \
#member, "B/s", G_STRUCT_OFFSET(OlHardware, member), FALSE, 1e3, 1e18                          \
  }
#define SIZE(member)                                                                               \
  {                                                                                                \
#member, "B", G_STRUCT_OFFSET(OlHardware, member), FALSE, 1e3, 1e18                            \
  }
#define LATENCY(member)                                                                            \
  {                                                                                                \
#member, "s", G_STRUCT_OFFSET(OlHardware, member), FALSE, 0, 1                                 \
  }

static const OlFigure hardware_figures[] = {
    {"peak_flops", "flop/s", G_STRUCT_OFFSET(OlHardware, peak_flops), FALSE, 1e6, 1e21},
    {"utilisation", "of the peak", G_STRUCT_OFFSET(OlHardware, utilisation), FALSE, 0.001, 1},
    SIZE(gpu_bytes),
    RATE(gpu_bandwidth),
    RATE(gpu_to_host),
    RATE(host_to_gpu),
    RATE(pageable),
    SIZE(host_bytes),
    RATE(host_bandwidth),
    RATE(host_rate_per_thread),
    {"host_threads", "threads", G_STRUCT_OFFSET(OlHardware, host_threads), TRUE, 1, 4096},
    SIZE(nvme_bytes),
    RATE(nvme_read),
    RATE(nvme_write),
    RATE(peer),
    {"gpus_per_host", "GPUs", G_STRUCT_OFFSET(OlHardware, gpus_per_host), TRUE, 1, 64},
    LATENCY(launch_latency),
    LATENCY(link_latency),
    LATENCY(nvme_latency),
    LATENCY(peer_latency),
};

#define COUNT(member, unit, most)                                                                  \
  {                                                                                                \
#member, unit, G_STRUCT_OFFSET(OlModelReference, member), TRUE, 1, most                        \
  }

static const OlFigure model_figures[] = {
    COUNT(layers, "layers", 10000),        COUNT(width, "wide", 1e6),
    COUNT(heads, "heads", 10000),          COUNT(sequence, "tokens", 1e7),
    COUNT(vocabulary, "tokens", 1e7),      COUNT(reference_layers, "layers", 1000),
    COUNT(reference_width, "wide", 65536),
};

static const OlFigureFile hardware_file = {"hardware", "hardware.profile", hardware_figures,
                                           G_N_ELEMENTS(hardware_figures)};
static const OlFigureFile model_file = {"models", "hardware.stands_for", model_figures,
                                        G_N_ELEMENTS(model_figures)};

static void translate(char **title)
{
  g_autofree char *text = *title;
  *title = text ? g_strdup(_(text)) : NULL;
}

OlHardware *ol_hardware_load(const char *folder, const char *name, GError **error)
{
  g_autoptr(OlHardware) hardware = g_new0(OlHardware, 1);
  hardware->id = g_strdup(name);
  hardware->title = ol_figures_load(&hardware_file, folder, name, hardware, error);
  translate(&hardware->title);
  return hardware->title ? g_steal_pointer(&hardware) : NULL;
}

void ol_hardware_free(OlHardware *hardware)
{
  if (!hardware)
    return;
  g_free(hardware->id);
  g_free(hardware->title);
  g_free(hardware);
}

OlModelReference *ol_model_reference_load(const char *folder, const char *name, GError **error)
{
  g_autoptr(OlModelReference) reference = g_new0(OlModelReference, 1);
  reference->id = g_strdup(name);
  reference->title = ol_figures_load(&model_file, folder, name, reference, error);
  translate(&reference->title);
  return reference->title ? g_steal_pointer(&reference) : NULL;
}

void ol_model_reference_free(OlModelReference *reference)
{
  if (!reference)
    return;
  g_free(reference->id);
  g_free(reference->title);
  g_free(reference);
}

char **ol_hardware_list(const char *folder)
{
  return ol_figures_list(&hardware_file, folder);
}

char **ol_model_reference_list(const char *folder)
{
  return ol_figures_list(&model_file, folder);
}
