#include "tests/comm/ranks.h"

#include <check.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  Rank rank;
  RankFunction function;
  pthread_t thread;
} Runner;

static void *runner_main(void *data)
{
  Runner *runner = data;
  runner->function(&runner->rank);
  return NULL;
}

void run_ranks_of(OlComm *comm, RankFunction function, const void *data)
{
  guint n = ol_comm_get_n_ranks(comm);
  g_autofree Runner *runners = g_new0(Runner, n);

  for (guint i = 0; i < n; i++) {
    runners[i] = (Runner){.rank = {comm, i, n, data, i + 1}, .function = function};
    if (ol_comm_is_local(comm, i))
      ck_assert_int_eq(pthread_create(&runners[i].thread, NULL, runner_main, &runners[i]), 0);
  }
  for (guint i = 0; i < n; i++) {
    if (ol_comm_is_local(comm, i))
      pthread_join(runners[i].thread, NULL);
  }
  for (guint i = 0; i < n; i++)
    ck_assert_msg(!runners[i].rank.fault, "rank %u of %u: %s", i, n, runners[i].rank.fault);
}

OlComm *new_comm(guint n_ranks)
{
  g_autoptr(GError) error = NULL;

  if (g_strcmp0(g_getenv("OL_TEST_COMM"), "mpi") != 0)
    return ol_comm_new_threads(n_ranks);
  OlComm *comm = ol_comm_new_mpi(n_ranks, &error);
  ck_assert_msg(comm != NULL, "%s", error ? error->message : "no words");
  return comm;
}

gboolean has_local_rank(OlComm *comm)
{
  for (guint rank = 0; rank < ol_comm_get_n_ranks(comm); rank++)
    if (ol_comm_is_local(comm, rank))
      return TRUE;
  return FALSE;
}

void run_ranks(guint n_ranks, RankFunction function, const void *data)
{
  g_autoptr(OlComm) comm = new_comm(n_ranks);
  run_ranks_of(comm, function, data);
}

void expect(Rank *rank, gboolean holds, const char *format, ...)
{
  if (holds || rank->fault)
    return;
  va_list arguments;
  va_start(arguments, format);
  rank->fault = g_strdup_vprintf(format, arguments);
  va_end(arguments);
}

/* splitmix64's finish */
static guint64 mix(guint64 x)
{
  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

guint64 draw(guint64 seed, guint64 a, guint64 b, guint64 bound)
{
  return mix(mix(mix(seed + 1) + a) + b) % bound;
}

void dawdle(Rank *rank)
{
  guint64 what = draw(rank->random++, rank->rank, 77, 8);
  if (what == 0)
    usleep((guint)draw(rank->random, rank->rank, 78, 300));
  else if (what < 4)
    sched_yield();
}

float element(guint64 seed, guint rank, gsize i, OlDtype dtype)
{
  guint64 bits = draw(seed, rank, i, G_GUINT64_CONSTANT(1) << 40);
  double fraction = (double)(bits & 0xffff) / 65536 + 1;
  double value = ldexp(fraction, (int)(bits >> 16 & 0xff) % 21 - 10);
  return nearest(bits >> 39 ? value : -value, dtype);
}

void put(void *array, gsize i, OlDtype dtype, float value)
{
  guint32 bits;
  memcpy(&bits, &value, sizeof bits);
  if (dtype == OL_DTYPE_BF16)
    ((guint16 *)array)[i] = (guint16)(bits >> 16);
  else
    ((float *)array)[i] = value;
}

float get(const void *array, gsize i, OlDtype dtype)
{
  if (dtype == OL_DTYPE_FP32)
    return ((const float *)array)[i];
  guint32 bits = (guint32)((const guint16 *)array)[i] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float nearest(double value, OlDtype dtype)
{
  int exponent;
  double fraction = frexp(value, &exponent); /* in [½, 1), of 8 or 24 bits in these types */
  int bits = dtype == OL_DTYPE_BF16 ? 8 : 24;
  return (float)ldexp(rint(ldexp(fraction, bits)), exponent - bits);
}
