/* Ranks for a test: a thread for every rank of this process, each with the same function. What one
 * rank puts in is computed by every other, so no test looks into another rank's memory: the same
 * tests run on threads and, started by mpirun with OL_TEST_COMM=mpi, on processes. */
#pragma once

#include "engine/comm/comm.h"

typedef struct {
  OlComm *comm;
  guint rank, n_ranks;
  const void *data; /* the test's */
  guint64 random;   /* state of its delays */
  char *fault;      /* the first expectation that failed */
} Rank;

typedef void (*RankFunction)(Rank *rank);

/* A fresh one of the kind that is tested. */
OlComm *new_comm(guint n_ranks);

/* Whether any of its ranks makes its calls in this process: others hear of no failure. */
gboolean has_local_rank(OlComm *comm);

/* Runs `function` on every rank of a fresh communicator; the test fails with the first fault. */
void run_ranks(guint n_ranks, RankFunction function, const void *data);

/* The same on one that the test made. */
void run_ranks_of(OlComm *comm, RankFunction function, const void *data);

/* Records the first fault of a rank: check's own assertions belong to the main thread. */
G_GNUC_PRINTF(3, 4)
void expect(Rank *rank, gboolean holds, const char *format, ...);

/* Now and then a short sleep or a yield, different on every rank. */
void dawdle(Rank *rank);

/* A whole number below `bound`, a function of the three. */
guint64 draw(guint64 seed, guint64 a, guint64 b, guint64 bound);

/* Element i of what `rank` puts in: of both signs, over 2^±10, exact in the type. */
float element(guint64 seed, guint rank, gsize i, OlDtype dtype);

void put(void *array, gsize i, OlDtype dtype, float value);
float get(const void *array, gsize i, OlDtype dtype);

/* The nearest value of the type, ties to even: by frexp and rint. */
float nearest(double value, OlDtype dtype);
