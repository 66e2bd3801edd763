/* offload-lab-cli calibrate: measures this machine and keeps the figures for later runs. */
#include "app/cli/cli.h"

#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/run/calibration.h"

#define MOST_THREADS 256

static char *dup_words(const OlCalibration *calibration)
{
  g_autofree char *elements = ol_measure_dup_rate(calibration->element_bytes);
  g_autofree char *copies = ol_measure_dup_rate(calibration->copy_bytes);
  g_autofree char *update = ol_measure_dup_seconds(calibration->update_seconds);
  g_autofree char *node = ol_measure_dup_seconds(calibration->node_seconds);
  g_autofree char *wake = ol_measure_dup_seconds(calibration->wake_seconds);
  g_autofree char *path = ol_calibration_dup_path();

  return g_strdup_printf(_("This machine, %u of %u cores for products:\n"
                           "  %-24s %.3g GFLOP/s\n"
                           "  %-24s %s\n"
                           "  %-24s %s\n"
                           "  %-24s %s a parameter, one thread\n"
                           "  %-24s %s from thread to thread\n"
                           "  %-24s %s, all but once in a hundred times\n"
                           "Kept in %s\n"),
                         calibration->compute_threads, calibration->cores, _("products"),
                         calibration->product_flops / 1e9, _("small kernels"), elements,
                         _("copies"), copies, _("update"), update, _("a node"), node,
                         _("a sleeper is late by"), wake, path);
}

OlExit ol_command_calibrate(int argc, char **argv)
{
  int threads = 1;
  const GOptionEntry entries[] = {{"threads", 't', 0, G_OPTION_ARG_INT, &threads,
                                   _("hardware.compute_threads to measure for (1)"), "N"},
                                  {NULL}};
  g_autoptr(GError) error = NULL;
  OlCalibration calibration;
  OlExit status;

  if (!ol_cli_parse(NULL, NULL, entries, &argc, &argv, 0, &status))
    return status;
  if (threads < 1 || threads > MOST_THREADS) {
    ol_cli_complain(_("--threads must be 1 to %d"), MOST_THREADS);
    return OL_EXIT_BAD_INPUT;
  }
  if (!ol_calibration_renew(NULL, (guint)threads, &calibration, &error))
    return ol_cli_fail(error);
  g_autofree char *words = dup_words(&calibration);
  return ol_cli_print(words, &error) ? OL_EXIT_DONE : ol_cli_fail(error);
}
