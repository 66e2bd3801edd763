#include "engine/run/update-pool.h"

#include "engine/run/bell.h"

/* 16 K elements: about 30 µs of one thread, and 224 KiB of states, which stay in its cache. */
#define PIECE (16u << 10)

struct OlUpdatePool {
  guint n_helpers;
  pthread_t *helpers;
  OlBell bell;
  /* The job: written while no helper works on one. */
  const OlAdamScalars *scalars;
  const OlAdamSpan *spans;
  guint n_pieces;
  atomic_uint next_piece;
  atomic_uint job;  /* number of the latest; helpers wait for a new one */
  atomic_uint busy; /* helpers that have not left it yet */
  atomic_bool quit;
};

typedef struct {
  OlUpdatePool *pool;
  guint seen; /* the last job it worked on */
} Helper;

static guint pieces_of(const OlAdamSpan *span)
{
  return (guint)((span->elements + PIECE - 1) / PIECE);
}

static void update_piece(const OlAdamScalars *scalars, const OlAdamSpan *span, guint piece)
{
  gsize first = (gsize)piece * PIECE;
  OlAdamSpan part = *span;
  part.elements = MIN((gsize)PIECE, span->elements - first);
  part.piece_of = span->elements;
  part.master += first;
  part.moment1 += first;
  part.moment2 += first;
  gsize gradient_bytes = span->gradient_is_fp32 ? sizeof(float) : sizeof(uint16_t);
  part.gradient = (const char *)span->gradient + first * gradient_bytes;
  if (part.weights_out)
    part.weights_out += first;
  ol_adam_update(scalars, &part);
}

static void work(OlUpdatePool *pool)
{
  guint span = 0, before = 0; /* pieces of the spans before it */
  for (;;) {
    guint piece = atomic_fetch_add(&pool->next_piece, 1);
    if (piece >= pool->n_pieces)
      return;
    while (piece - before >= pieces_of(&pool->spans[span]))
      before += pieces_of(&pool->spans[span++]);
    update_piece(pool->scalars, &pool->spans[span], piece - before);
  }
}

static gboolean has_job(gconstpointer data)
{
  const Helper *helper = data;
  return atomic_load(&helper->pool->quit) || atomic_load(&helper->pool->job) != helper->seen;
}

static void *helper_main(void *data)
{
  Helper helper = {data, 0};
  OlUpdatePool *pool = helper.pool;
  for (;;) {
    ol_bell_wait(&pool->bell, has_job, &helper);
    if (atomic_load(&pool->quit))
      return NULL;
    helper.seen = atomic_load(&pool->job);
    work(pool);
    atomic_fetch_sub(&pool->busy, 1);
    ol_bell_ring(&pool->bell);
  }
}

OlUpdatePool *ol_update_pool_new(guint threads)
{
  OlUpdatePool *pool = g_new0(OlUpdatePool, 1);
  ol_bell_init(&pool->bell);
  pool->helpers = g_new(pthread_t, MAX(threads, 1));
  /* Fewer than asked, when the system refuses, is only slower. */
  while (pool->n_helpers + 1 < threads &&
         pthread_create(&pool->helpers[pool->n_helpers], NULL, helper_main, pool) == 0)
    pool->n_helpers++;
  return pool;
}

void ol_update_pool_free(OlUpdatePool *pool)
{
  if (!pool)
    return;
  atomic_store(&pool->quit, TRUE);
  ol_bell_ring(&pool->bell);
  for (guint i = 0; i < pool->n_helpers; i++)
    pthread_join(pool->helpers[i], NULL);
  ol_bell_clear(&pool->bell);
  g_free(pool->helpers);
  g_free(pool);
}

static gboolean none_busy(gconstpointer data)
{
  const OlUpdatePool *pool = data;
  return atomic_load(&pool->busy) == 0;
}

void ol_update_pool_run(OlUpdatePool *pool, const OlAdamScalars *scalars, const OlAdamSpan *spans,
                        guint n_spans)
{
  pool->scalars = scalars;
  pool->spans = spans;
  pool->n_pieces = 0;
  for (guint i = 0; i < n_spans; i++)
    pool->n_pieces += pieces_of(&spans[i]);
  atomic_store(&pool->next_piece, 0);
  if (pool->n_pieces > 1 && pool->n_helpers > 0) {
    atomic_store(&pool->busy, pool->n_helpers);
    atomic_fetch_add(&pool->job, 1);
    ol_bell_ring(&pool->bell);
  }
  work(pool);
  ol_bell_wait(&pool->bell, none_busy, pool);
}
