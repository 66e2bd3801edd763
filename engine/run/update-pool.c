#include "engine/run/update-pool.h"

#include "engine/base/bell.h"

/* A piece: about 60 µs of one thread. Smaller ones cost a fifth in memory, where the threads then
 * take turns within a few pages. */
#define PIECE (64u << 10)
/* Fewer elements, a fifth of a millisecond, are done before a helper has woken. */
#define WORTH_WAKING (256u << 10)

struct OlUpdatePool {
  guint n_helpers;
  pthread_t *helpers;
  OlBell bell;
  /* The job: written while it is closed and no helper works on it. */
  const OlAdamScalars *scalars;
  const OlAdamSpan *spans;
  guint n_pieces;
  atomic_uint next_piece;
  atomic_uint job; /* number of the latest; helpers wait for a new one */
  pthread_mutex_t lock;
  gboolean is_open; /* helpers may join; guarded by the lock */
  atomic_uint busy; /* helpers that have joined and not left yet */
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

/* A helper that wakes only when the others are done must not keep anybody waiting: it stays out. */
static gboolean join(OlUpdatePool *pool)
{
  pthread_mutex_lock(&pool->lock);
  gboolean is_open = pool->is_open;
  if (is_open)
    atomic_fetch_add(&pool->busy, 1);
  pthread_mutex_unlock(&pool->lock);
  return is_open;
}

static void set_open(OlUpdatePool *pool, gboolean is_open)
{
  pthread_mutex_lock(&pool->lock);
  pool->is_open = is_open;
  pthread_mutex_unlock(&pool->lock);
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
    if (!join(pool))
      continue;
    work(pool);
    atomic_fetch_sub(&pool->busy, 1);
    ol_bell_ring(&pool->bell);
  }
}

OlUpdatePool *ol_update_pool_new(guint threads)
{
  OlUpdatePool *pool = g_new0(OlUpdatePool, 1);
  ol_bell_init(&pool->bell);
  pthread_mutex_init(&pool->lock, NULL);
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
  pthread_mutex_destroy(&pool->lock);
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
  gsize elements = 0;
  for (guint i = 0; i < n_spans; i++) {
    pool->n_pieces += pieces_of(&spans[i]);
    elements += spans[i].elements;
  }
  atomic_store(&pool->next_piece, 0);
  if (elements < WORTH_WAKING || pool->n_helpers == 0) {
    work(pool);
    return;
  }
  set_open(pool, TRUE);
  atomic_fetch_add(&pool->job, 1);
  ol_bell_ring(&pool->bell);
  work(pool);
  set_open(pool, FALSE);
  ol_bell_wait(&pool->bell, none_busy, pool);
}
