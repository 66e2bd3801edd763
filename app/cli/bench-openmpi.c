#include "app/cli/bench-openmpi.h"

#include "engine/base/error.h"
#include "engine/base/installed.h"
#include <string.h>

static char *dup_program(void)
{
  g_autofree char *folder = ol_installed_dup_folder(OL_HELPERS_INSTALLED);
  return g_build_filename(folder ? folder : OL_HELPERS_BUILD, "offload-lab-bench-openmpi", NULL);
}

/* A line a case: size's place, kind, µs. */
static gboolean read_times(const char *text, double us[][OL_BENCH_N_KINDS], GError **error)
{
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  guint n = 0;

  for (char **line = lines; *line; line++) {
    char *end;
    guint64 size = g_ascii_strtoull(*line, &end, 10), kind = g_ascii_strtoull(end, &end, 10);
    double time = g_ascii_strtod(end, NULL);
    if (size >= G_N_ELEMENTS(ol_bench_comm_sizes) || kind >= OL_BENCH_N_KINDS || time <= 0)
      continue; /* mpirun may say something as well */
    us[size][kind] = time;
    n++;
  }
  if (n == G_N_ELEMENTS(ol_bench_comm_sizes) * OL_BENCH_N_KINDS)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "its program told %u times", n);
  return FALSE;
}

gboolean ol_bench_openmpi_time(guint n_ranks, double us[][OL_BENCH_N_KINDS], GError **error)
{
  g_autofree char *mpirun = g_find_program_in_path("mpirun"), *program = dup_program();
  g_autofree char *ranks = g_strdup_printf("%u", n_ranks), *told = NULL, *said = NULL;
  const char *arguments[] = {mpirun, "--oversubscribe", "--bind-to", "none", "-n",
                             ranks,  program,           NULL};
  g_auto(GStrv) environment = g_get_environ();
  int status;

  if (!mpirun || !g_file_test(program, G_FILE_TEST_IS_EXECUTABLE)) {
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE, "there is no %s", mpirun ? program : "mpirun");
    return FALSE;
  }
  environment = g_environ_setenv(environment, "OMPI_ALLOW_RUN_AS_ROOT", "1", TRUE);
  environment = g_environ_setenv(environment, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", TRUE);
  if (!g_spawn_sync(NULL, (char **)arguments, environment, G_SPAWN_DEFAULT, NULL, NULL, &told,
                    &said, &status, error))
    return FALSE;
  if (g_spawn_check_wait_status(status, error))
    return read_times(told, us, error);
  g_prefix_error(error, "%s: ", g_strstrip(said));
  return FALSE;
}
