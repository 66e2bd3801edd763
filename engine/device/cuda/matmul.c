/* Matrix products by cuBLAS: bf16 or fp32 factors, sums in fp32. cuBLAS is column-major, so that a
 * row-major c = a·b is asked for as cᵀ = bᵀ·aᵀ. One handle and one workspace a stream: the same
 * product then gives the same bits each time. */
#include "engine/device/cuda/cuda-private.h"

#include "engine/base/error.h"

cublasHandle_t ol_cuda_blas(OlStream *stream, const char *kernel)
{
  OlDevice *device = stream->device;
  if (stream->blas)
    return stream->blas;
  if (!OL_TRY(device, kernel, cudaMalloc, &stream->workspace, OL_CUDA_WORKSPACE) ||
      !ol_cuda_blas_ok(device, kernel, "cublasCreate", cublasCreate(&stream->blas)))
    return NULL;
  /* No TF32 for fp32 factors, no partial sums below fp32 for bf16 ones. */
  cublasMath_t mode = CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  gboolean ready =
      ol_cuda_blas_ok(device, kernel, "cublasSetStream",
                      cublasSetStream(stream->blas, stream->cuda)) &&
      ol_cuda_blas_ok(device, kernel, "cublasSetWorkspace",
                      cublasSetWorkspace(stream->blas, stream->workspace, OL_CUDA_WORKSPACE)) &&
      ol_cuda_blas_ok(device, kernel, "cublasSetMathMode", cublasSetMathMode(stream->blas, mode));
  return ready ? stream->blas : NULL;
}

static cudaDataType_t type_of(OlDtype dtype)
{
  return dtype == OL_DTYPE_BF16 ? CUDA_R_16BF : CUDA_R_32F;
}

static cublasOperation_t operation_of(const OlFactor *factor)
{
  return factor->transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/* cuBLAS counts in int. */
static gboolean fits(const OlProduct *p)
{
  return MAX(MAX(p->m, p->n), MAX(p->k, p->batch)) <= G_MAXINT &&
         MAX(MAX(p->a.leading, p->b.leading), p->c_leading) <= G_MAXINT;
}

gboolean ol_cuda_multiply(OlStream *stream, const char *kernel, const OlProduct *p)
{
  if (!fits(p)) {
    ol_cuda_fail(stream->device, g_error_new(OL_ERROR, OL_ERROR_DEVICE,
                                             "%s: %" G_GSIZE_FORMAT " × %" G_GSIZE_FORMAT
                                             " × %" G_GSIZE_FORMAT " is too large for cuBLAS",
                                             kernel, p->m, p->n, p->k));
    return FALSE;
  }
  if (p->m == 0 || p->n == 0 || p->batch == 0)
    return TRUE;
  cublasHandle_t blas = ol_cuda_blas(stream, kernel);
  if (!blas)
    return FALSE;
  float one = 1, kept = p->accumulate ? 1 : 0;
  return ol_cuda_blas_ok(
      stream->device, kernel, "cublasGemmStridedBatchedEx",
      cublasGemmStridedBatchedEx(blas, operation_of(&p->b), operation_of(&p->a), (int)p->n,
                                 (int)p->m, (int)p->k, &one, p->b.data, type_of(p->dtype),
                                 (int)p->b.leading, (long long)p->b.step, p->a.data,
                                 type_of(p->dtype), (int)p->a.leading, (long long)p->a.step, &kept,
                                 p->c, type_of(p->c_dtype), (int)p->c_leading, (long long)p->c_step,
                                 (int)p->batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/* Rows `first` … of l's product into c: [rows][n]. */
static gboolean multiply_rows(OlStream *stream, const OlMatmul *l, gsize first, gsize rows, void *c,
                              OlDtype c_dtype, gboolean accumulate)
{
  gsize a_leading = MAX(1, l->transpose_a ? l->m : l->k);
  gsize a_offset = first * (l->transpose_a ? 1 : l->k) * ol_dtype_bytes(l->dtype);
  OlProduct product = {
      .m = rows,
      .n = l->n,
      .k = l->k,
      .batch = 1,
      .a = {(const char *)l->a + a_offset, l->transpose_a, a_leading, 0},
      .b = {l->b, l->transpose_b, MAX(1, l->transpose_b ? l->k : l->n), 0},
      .dtype = l->dtype,
      .c = c,
      .c_leading = l->n,
      .c_dtype = c_dtype,
      .accumulate = accumulate,
  };
  return ol_cuda_multiply(stream, "matmul", &product);
}

/* Through an fp32 panel, rounded once at its end: what cuBLAS cannot add or store by itself. */
static void multiply_panels(OlStream *stream, const OlMatmul *l)
{
  gsize row_bytes = l->n * sizeof(float);
  gsize most = MAX(1, OL_CUDA_SCRATCH / row_bytes);
  float *panel = ol_cuda_scratch(stream, "matmul", MIN(most, l->m) * row_bytes);
  for (gsize first = 0; panel && first < l->m; first += most) {
    gsize rows = MIN(most, l->m - first);
    if (!multiply_rows(stream, l, first, rows, panel, OL_DTYPE_FP32, FALSE) ||
        !ol_cuda_ok(stream->device, "matmul", "launch",
                    ol_cuda_finish(l, panel, first, rows, stream->cuda)))
      return;
  }
}

void ol_cuda_run_matmul(OlStream *stream, const OlMatmul *l)
{
  gsize e = ol_dtype_bytes(l->dtype);
  if (!OL_CHECK(stream, "matmul", {"a", l->a, l->m, l->k, e}, {"b", l->b, l->k, l->n, e},
                {"c", l->c, l->m, l->n, ol_dtype_bytes(l->c_dtype)}) ||
      (l->bias && !OL_CHECK(stream, "matmul", {"bias", l->bias, 1, l->n, e})) || l->m == 0 ||
      l->n == 0)
    return;

  gboolean bf16_c = l->c_dtype == OL_DTYPE_BF16;
  if (bf16_c && (l->dtype == OL_DTYPE_FP32 || (l->bias && l->accumulate))) {
    multiply_panels(stream, l);
    return;
  }
  /* A bias of c's type or a narrower one is spread without rounding; the product is added to it. */
  if (l->bias &&
      !ol_cuda_ok(stream->device, "matmul", "launch", ol_cuda_spread_bias(l, stream->cuda)))
    return;
  multiply_rows(stream, l, 0, l->m, l->c, l->c_dtype, l->accumulate || l->bias != NULL);
}
