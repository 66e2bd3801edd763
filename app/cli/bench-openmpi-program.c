/* offload-lab-bench-openmpi, started by mpirun: what Open MPI's own collectives take for the cases
 * of bench comm. Sums are of fp32. Rank 0 prints, a line a case: the size's place, the kind, µs. */
#include "app/cli/bench-comm-kinds.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call(OlBenchCommKind kind, char *source, char *target, gsize bytes, int rank, int ranks)
{
  int n = (int)(bytes / sizeof(float)), part = n / ranks;

  switch (kind) {
  case OL_BENCH_ALL_REDUCE:
    MPI_Allreduce(source, target, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    break;
  case OL_BENCH_REDUCE_SCATTER:
    MPI_Reduce_scatter_block(source, target, part, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    break;
  case OL_BENCH_ALL_GATHER:
    MPI_Allgather(source, part, MPI_FLOAT, target, part, MPI_FLOAT, MPI_COMM_WORLD);
    break;
  case OL_BENCH_BROADCAST:
    MPI_Bcast(target, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    break;
  default:
    if (rank == 0)
      MPI_Send(source, n, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
      MPI_Recv(target, n, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* µs of a call; as for threads, from the first rank's start to the last one's end. */
static double measure(OlBenchCommKind kind, char *source, char *target, gsize bytes, int rank,
                      int ranks)
{
  guint repeats = ol_bench_comm_repeats((guint)ranks, bytes);
  double us[OL_BENCH_COMM_SAMPLES];

  for (guint sample = 0; sample < OL_BENCH_COMM_SAMPLES; sample++) {
    double begin, end, first, last;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    for (guint i = 0; i < repeats; i++)
      call(kind, source, target, bytes, rank, ranks);
    end = MPI_Wtime();
    MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    us[sample] = (last - first) * 1e6 / repeats;
  }
  qsort(us, OL_BENCH_COMM_SAMPLES, sizeof *us, compare);
  return us[OL_BENCH_COMM_SAMPLES / 2];
}

int main(int argc, char **argv)
{
  gsize most = ol_bench_comm_sizes[G_N_ELEMENTS(ol_bench_comm_sizes) - 1];
  int rank, ranks;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *memory = g_malloc(2 * most);
  memset(memory, 0x3c, 2 * most);
  for (guint s = 0; s < G_N_ELEMENTS(ol_bench_comm_sizes); s++)
    for (guint kind = 0; kind < OL_BENCH_N_KINDS; kind++) {
      double us = measure((OlBenchCommKind)kind, memory, memory + most, ol_bench_comm_sizes[s],
                          rank, ranks);
      if (rank == 0)
        printf("%u %u %.17g\n", s, kind, us);
    }
  g_free(memory);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
