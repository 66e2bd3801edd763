/* Matrix products by oneDNN, whose kernels are made for the CPU they find (facts: within 10 % of
 * its peak). bf16 is for storage: operands are widened to fp32 a panel at a time, products land in
 * an fp32 panel and are rounded once. Panels bound the scratch whatever the matrix, and are so
 * large that widening is a few per cent of the time.
 *
 * Each thread makes a part of c of its own, from widening to rounding: what it widens is in its own
 * cache when it multiplies, and threads meet once a product. (Where they sleep at every meeting,
 * as on a busy machine they must, meeting at each panel doubled the time of a step on two threads.)
 */
#include "engine/device/virtual/virtual-private.h"

#include "engine/base/intl.h"

#include <oneapi/dnnl/dnnl.h>

/* k is split into equal parts of at most MAX_DEPTH, a function of k alone, since it decides the
 * order of sums. */
#define MAX_DEPTH 1024u
/* Rows and columns of c in a panel; less than the most where many threads share scratch. */
#define MAX_SIDE 512u
#define MIN_SIDE 64u

#define LITTLE_WORK (1u << 20) /* multiplications that are not worth waking a thread for */
#define ALIGNED     16u        /* rows or columns: parts of c begin on cache lines */

static gsize scratch_floats(gsize side)
{
  return 2 * side * MAX_DEPTH + side * side;
}

/* Equal parts of `n`, none above `most`. */
typedef struct {
  gsize n, parts;
} Split;

static Split split(gsize n, gsize most)
{
  return (Split){n, MAX(1, (n + most - 1) / most)};
}

static gsize split_begin(Split s, gsize part)
{
  return s.n / s.parts * part + MIN(part, s.n % s.parts);
}

static gsize split_length(Split s, gsize part)
{
  return split_begin(s, part + 1) - split_begin(s, part);
}

/* A stored matrix of which blocks are wanted in fp32. */
typedef struct {
  const char *matrix;
  gsize stride; /* elements from row to row as stored */
  OlDtype dtype;
  float *panel;
  gsize row, column; /* of the block that `panel` holds */
  gboolean filled;
} Operand;

/* One thread's share: a part of c, and scratch for it. */
typedef struct {
  const OlKernels *kernels;
  const OlMatmul *launch;
  gsize row, rows, column, columns; /* of c */
  gsize side;                       /* of a panel, at most */
  Operand a, b;
  float *product;
} Work;

/* A block in fp32, oneDNN's way: a pointer and the distance of rows. */
typedef struct {
  const float *values;
  gsize stride;
} Block;

/* Rows and columns as stored. fp32 is read where it lies; a block already widened is kept. */
static Block get_block(const OlKernels *kernels, Operand *operand, gsize row, gsize column,
                       gsize rows, gsize columns)
{
  const char *source =
      operand->matrix + (row * operand->stride + column) * ol_dtype_bytes(operand->dtype);
  if (operand->dtype == OL_DTYPE_FP32)
    return (Block){(const float *)source, operand->stride};

  if (!operand->filled || operand->row != row || operand->column != column) {
    OlWiden widen = {source, columns, operand->stride, operand->dtype, operand->panel};
    kernels->widen(&widen, 0, rows);
    operand->row = row;
    operand->column = column;
    operand->filled = TRUE;
  }
  return (Block){operand->panel, columns};
}

static Block get_block_a(Work *work, gsize i, gsize rows, gsize p, gsize depth)
{
  return work->launch->transpose_a ? get_block(work->kernels, &work->a, p, i, depth, rows)
                                   : get_block(work->kernels, &work->a, i, p, rows, depth);
}

static Block get_block_b(Work *work, gsize p, gsize depth, gsize j, gsize columns)
{
  return work->launch->transpose_b ? get_block(work->kernels, &work->b, j, p, columns, depth)
                                   : get_block(work->kernels, &work->b, p, j, depth, columns);
}

/* The panel of c with rows i … and columns j … */
static gboolean multiply_panel(Work *work, gsize i, gsize rows, gsize j, gsize columns)
{
  const OlMatmul *l = work->launch;
  Split depths = split(l->k, MAX_DEPTH);
  for (gsize part = 0; part < depths.parts; part++) {
    gsize p = split_begin(depths, part), depth = split_length(depths, part);
    Block a = get_block_a(work, i, rows, p, depth), b = get_block_b(work, p, depth, j, columns);
    if (dnnl_sgemm(l->transpose_a ? 'T' : 'N', l->transpose_b ? 'T' : 'N', (dnnl_dim_t)rows,
                   (dnnl_dim_t)columns, (dnnl_dim_t)depth, 1.0f, a.values, (dnnl_dim_t)a.stride,
                   b.values, (dnnl_dim_t)b.stride, part == 0 ? 0.0f : 1.0f, work->product,
                   (dnnl_dim_t)columns) != dnnl_success)
      return FALSE;
  }

  OlFinish finish = {
      .product = work->product,
      .columns = columns,
      .stride = l->n,
      .bias = l->bias ? (const char *)l->bias + j * ol_dtype_bytes(l->dtype) : NULL,
      .dtype = l->dtype,
      .accumulate = l->accumulate,
      .c = (char *)l->c + (i * l->n + j) * ol_dtype_bytes(l->c_dtype),
      .c_dtype = l->c_dtype,
  };
  work->kernels->finish(&finish, 0, rows);
  return TRUE;
}

static gboolean multiply_part(Work *work)
{
  Split across = split(work->columns, work->side), down = split(work->rows, work->side);
  for (gsize j = 0; j < across.parts; j++)
    for (gsize i = 0; i < down.parts; i++)
      if (!multiply_panel(work, work->row + split_begin(down, i), split_length(down, i),
                          work->column + split_begin(across, j), split_length(across, j)))
        return FALSE;
  return TRUE;
}

/* Where worker `index` of `workers` begins in n rows or columns. */
static gsize part_begin(gsize n, gsize index, gsize workers)
{
  gsize units = (n + ALIGNED - 1) / ALIGNED;
  return MIN(n, units * index / workers * ALIGNED);
}

/* The longer side of c is shared out. */
static Work work_of(OlDevice *device, const OlMatmul *l, gsize side, gsize index, gsize workers)
{
  float *scratch = device->scratch + index * scratch_floats(side);
  float *panel_b = scratch + side * MAX_DEPTH;
  gboolean by_rows = l->m >= l->n;
  gsize n = by_rows ? l->m : l->n, begin = part_begin(n, index, workers);
  gsize length = part_begin(n, index + 1, workers) - begin;
  return (Work){.kernels = device->kernels,
                .launch = l,
                .row = by_rows ? begin : 0,
                .rows = by_rows ? length : l->m,
                .column = by_rows ? 0 : begin,
                .columns = by_rows ? l->n : length,
                .side = side,
                .a = {l->a, l->transpose_a ? l->m : l->k, l->dtype, scratch},
                .b = {l->b, l->transpose_b ? l->k : l->n, l->dtype, panel_b},
                .product = panel_b + side * MAX_DEPTH};
}

static gsize count_workers(const OlDevice *device, const OlMatmul *l)
{
  gsize units = (MAX(l->m, l->n) + ALIGNED - 1) / ALIGNED;
  gboolean little = (double)l->m * (double)l->n * (double)l->k < LITTLE_WORK;
  return little ? 1
                : MIN(MIN(device->compute_threads, units),
                      OL_SCRATCH_FLOATS / scratch_floats(MIN_SIDE));
}

static gboolean multiply(OlDevice *device, const OlMatmul *l)
{
  gsize workers = count_workers(device, l), side = MAX_SIDE, refused = 0;
  while (workers * scratch_floats(side) > OL_SCRATCH_FLOATS)
    side /= 2;
#pragma omp parallel for num_threads((int)workers) schedule(static) reduction(+ : refused)         \
    if (workers > 1)
  for (gsize index = 0; index < workers; index++) {
    Work work = work_of(device, l, side, index, workers);
    refused += !multiply_part(&work);
  }
  return refused == 0;
}

static void run_matmul(OlStream *stream, const void *launch)
{
  const OlMatmul *l = launch;
  OlDevice *device = ol_stream_get_device(stream);
  gsize e = ol_dtype_bytes(l->dtype);
  if (!OL_CHECK(device, "matmul", {"a", l->a, l->m, l->k, e}, {"b", l->b, l->k, l->n, e},
                {"c", l->c, l->m, l->n, ol_dtype_bytes(l->c_dtype)}) ||
      (l->bias && !OL_CHECK(device, "matmul", {"bias", l->bias, 1, l->n, e})))
    return;
  if (l->m == 0 || l->n == 0)
    return;

  pthread_mutex_lock(&device->scratch_lock);
  gboolean multiplied = multiply(device, l);
  pthread_mutex_unlock(&device->scratch_lock);
  if (!multiplied)
    ol_virtual_fail(device, _("matmul: oneDNN refused %zu × %zu × %zu"), l->m, l->n, l->k);
}

void ol_virtual_matmul(OlStream *stream, const OlMatmul *launch)
{
  ol_stream_push(stream, run_matmul, FALSE, launch, sizeof *launch);
}
