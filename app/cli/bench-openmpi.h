/* What Open MPI takes for the cases of bench comm, by a program of its own under mpirun
 * (bench-openmpi-program.c): the lab itself links nothing of it. */
#pragma once

#include "app/cli/bench-comm-kinds.h"

G_BEGIN_DECLS

/* us: [sizes][kinds], medians. OL_ERROR_DEVICE when mpirun or the program is missing or fails. */
gboolean ol_bench_openmpi_time(guint n_ranks, double us[][OL_BENCH_N_KINDS], GError **error);

G_END_DECLS
