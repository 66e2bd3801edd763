/* Matrix products by oneDNN, whose kernels are made for the CPU they find (facts: within 10 % of
 * its peak). bf16 is for storage: operands are widened to fp32 a panel at a time, products land in
 * an fp32 panel and are rounded once. Panels bound the scratch whatever the matrix, and are so
 * large that widening is a few per cent of the time. */
#include "engine/device/virtual/virtual-private.h"

#include <oneapi/dnnl/dnnl.h>

/* k is split into equal parts of at most MAX_DEPTH, a function of k alone, since it decides the
 * order of sums. */
#define MAX_DEPTH 2048u
#define MAX_SIDE  512u /* rows and columns of c in a panel */

#define A_FLOATS (MAX_SIDE * MAX_DEPTH)
#define C_FLOATS (MAX_SIDE * MAX_SIDE)
G_STATIC_ASSERT(2 * A_FLOATS + C_FLOATS <= OL_SCRATCH_FLOATS);

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

/* A block in fp32, oneDNN's way: a pointer and the distance of rows. */
typedef struct {
  const float *values;
  gsize stride;
} Block;

/* Rows and columns as stored. fp32 is read where it lies; a block already widened is kept. */
static Block get_block(OlDevice *device, Operand *operand, gsize row, gsize column, gsize rows,
                       gsize columns)
{
  const char *source =
      operand->matrix + (row * operand->stride + column) * ol_dtype_bytes(operand->dtype);
  if (operand->dtype == OL_DTYPE_FP32)
    return (Block){(const float *)source, operand->stride};

  if (!operand->filled || operand->row != row || operand->column != column) {
    OlWiden widen = {source, columns, operand->stride, operand->dtype, operand->panel};
    ol_virtual_over(device, device->kernels->widen, &widen, rows, 1, rows * columns);
    operand->row = row;
    operand->column = column;
    operand->filled = TRUE;
  }
  return (Block){operand->panel, columns};
}

static Block get_block_a(OlDevice *device, const OlMatmul *l, Operand *a, gsize i, gsize rows,
                         gsize p, gsize depth)
{
  return l->transpose_a ? get_block(device, a, p, i, depth, rows)
                        : get_block(device, a, i, p, rows, depth);
}

static Block get_block_b(OlDevice *device, const OlMatmul *l, Operand *b, gsize p, gsize depth,
                         gsize j, gsize columns)
{
  return l->transpose_b ? get_block(device, b, j, p, columns, depth)
                        : get_block(device, b, p, j, depth, columns);
}

/* The panel of c with rows i … and columns j … */
static gboolean multiply_panel(OlDevice *device, const OlMatmul *l, Operand *a, Operand *b,
                               float *product, gsize i, gsize rows, gsize j, gsize columns)
{
  Split depths = split(l->k, MAX_DEPTH);
  for (gsize part = 0; part < depths.parts; part++) {
    gsize p = split_begin(depths, part), depth = split_length(depths, part);
    Block block_a = get_block_a(device, l, a, i, rows, p, depth);
    Block block_b = get_block_b(device, l, b, p, depth, j, columns);
    if (dnnl_sgemm(l->transpose_a ? 'T' : 'N', l->transpose_b ? 'T' : 'N', (dnnl_dim_t)rows,
                   (dnnl_dim_t)columns, (dnnl_dim_t)depth, 1.0f, block_a.values,
                   (dnnl_dim_t)block_a.stride, block_b.values, (dnnl_dim_t)block_b.stride,
                   part == 0 ? 0.0f : 1.0f, product, (dnnl_dim_t)columns) != dnnl_success)
      return FALSE;
  }

  OlFinish finish = {
      .product = product,
      .columns = columns,
      .stride = l->n,
      .bias = l->bias ? (const char *)l->bias + j * ol_dtype_bytes(l->dtype) : NULL,
      .dtype = l->dtype,
      .accumulate = l->accumulate,
      .c = (char *)l->c + (i * l->n + j) * ol_dtype_bytes(l->c_dtype),
      .c_dtype = l->c_dtype,
  };
  ol_virtual_over(device, device->kernels->finish, &finish, rows, 1, rows * columns);
  return TRUE;
}

static gboolean multiply(OlDevice *device, const OlMatmul *l)
{
  float *scratch = device->scratch;
  Operand a = {l->a, l->transpose_a ? l->m : l->k, l->dtype, scratch};
  Operand b = {l->b, l->transpose_b ? l->k : l->n, l->dtype, scratch + A_FLOATS};
  float *product = scratch + 2 * A_FLOATS;
  Split across = split(l->n, MAX_SIDE), down = split(l->m, MAX_SIDE);

  for (gsize column = 0; column < across.parts; column++)
    for (gsize row = 0; row < down.parts; row++)
      if (!multiply_panel(device, l, &a, &b, product, split_begin(down, row),
                          split_length(down, row), split_begin(across, column),
                          split_length(across, column)))
        return FALSE;
  return TRUE;
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
    ol_virtual_fail(device,
                    "matmul: oneDNN refused %" G_GSIZE_FORMAT " × %" G_GSIZE_FORMAT
                    " × %" G_GSIZE_FORMAT,
                    l->m, l->n, l->k);
}

void ol_virtual_matmul(OlStream *stream, const OlMatmul *launch)
{
  ol_stream_push(stream, run_matmul, FALSE, launch, sizeof *launch);
}
