/* Two devices given the same bytes and the same launch: a stands for what is known to be right, b
 * is put to the test. Arrays are offsets into GPU memory, the same on both; outputs and all that
 * lies between arrays begin as NaN, and what a launch has no business with must stay as it was. */
#pragma once

#include "engine/device/device.h"

#include <check.h>

typedef struct {
  const OlDeviceOps *ops;
  OlDevice *device;
  OlStream *stream;
  char *gpu;
  char *after; /* what a launch left in GPU memory, brought to the host */
} Side;

typedef struct {
  Side a, b;
  char *before; /* what both begin with */
  gsize used;   /* bytes of it */
  guint64 random;
} Pair;

/* Of the kernels that a device runs on this CPU. The thread sanitizer does not know OpenMP's
 * barriers and sees races that are none. */
#ifdef __SANITIZE_THREAD__
#define PAIR_THREADS 1
#else
#define PAIR_THREADS 2
#endif

#define PAIR_BYTES ((gsize)16 << 20)

/* A launch on one device: `arguments` has offsets, which at() makes pointers of. */
typedef void (*PairLaunch)(const Side *side, gconstpointer arguments);
void *side_at(const Side *side, gsize offset);

/* The seed comes from the clock, or from OL_TEST_SEED to see a failure again; it is printed. */
Pair *pair_new(const OlDeviceOps *a, guint a_threads, const OlDeviceOps *b, guint b_threads);
void pair_free(Pair *pair);    /* asserts that neither failed */
void pair_restart(Pair *pair); /* forgets all arrays */

double pair_uniform(Pair *pair); /* [0, 1) */
guint pair_below(Pair *pair, guint most);

/* Each gives an array's offset. Random: in [-spread, spread). */
gsize pair_random(Pair *pair, gsize n, OlDtype dtype, double spread);
gsize pair_poison(Pair *pair, gsize n, OlDtype dtype);
gsize pair_ids(Pair *pair, gsize n, guint most);

void pair_run(Pair *pair, PairLaunch launch, gconstpointer arguments);

/* [n] at `offset` may differ by `relative` of a's value plus `absolute`; pair_expect_same() then
 * has the rest to look at. */
void pair_expect_close(Pair *pair, const char *what, gsize offset, gsize n, OlDtype dtype,
                       double relative, double absolute);
/* Every byte of the memory. */
void pair_expect_same(Pair *pair, const char *what);

/* A loop test has one run for each element type. */
#define PAIR_TYPES      2
#define PAIR_DTYPE(run) ((run) == 0 ? OL_DTYPE_FP32 : OL_DTYPE_BF16)

/* main() of a suite: `test-… cuda` or `test-… virtual`, the device that is put to the test. Its own
 * arithmetic the other suites hold to fp64; the virtual one on two threads is held to itself on
 * one. Exit status 77: no such device here. */
int pair_main(int argc, char **argv, const char *suite, TCase *(*tests_new)(void));
const OlDeviceOps *pair_get_tested(void);
Pair *pair_new_tested(void); /* against the virtual one */
