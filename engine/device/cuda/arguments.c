#include "engine/device/cuda/arguments.h"

#include "engine/base/error.h"

/* FALSE when they do not fit a gsize. */
static gboolean argument_bytes(const OlArgument *argument, gsize *bytes)
{
  return !__builtin_mul_overflow(argument->rows, argument->columns, bytes) &&
         !__builtin_mul_overflow(*bytes, argument->element, bytes);
}

static gboolean is_inside(const OlGpuRange *gpu, const void *pointer, gsize bytes)
{
  guintptr begin = (guintptr)pointer, base = (guintptr)gpu->begin;
  return begin >= base && begin - base <= gpu->bytes && bytes <= gpu->bytes - (begin - base);
}

static gboolean is_outside(const OlGpuRange *gpu, const void *pointer, gsize bytes)
{
  guintptr begin = (guintptr)pointer, base = (guintptr)gpu->begin;
  return begin < base ? bytes <= base - begin : begin - base >= gpu->bytes;
}

gboolean ol_arguments_check(const OlGpuRange *gpu, const char *kernel, const OlArgument *arguments,
                            guint n_arguments, GError **error)
{
  for (guint i = 0; i < n_arguments; i++) {
    const OlArgument *a = &arguments[i];
    gsize bytes;
    if (argument_bytes(a, &bytes) && is_inside(gpu, a->pointer, bytes))
      continue;
    g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                "%s: %s at %p (%" G_GSIZE_FORMAT " × %" G_GSIZE_FORMAT
                " elements of %" G_GSIZE_FORMAT " B) is not in the GPU's memory (%" G_GSIZE_FORMAT
                " B at %p)",
                kernel, a->name, a->pointer, a->rows, a->columns, a->element, gpu->bytes,
                (const void *)gpu->begin);
    return FALSE;
  }
  return TRUE;
}

gboolean ol_arguments_check_side(const OlGpuRange *gpu, const char *kernel, const char *side,
                                 const void *pointer, gsize bytes, gboolean *on_gpu, GError **error)
{
  *on_gpu = is_inside(gpu, pointer, bytes);
  if (pointer && (*on_gpu || is_outside(gpu, pointer, bytes)))
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
              pointer ? "%s: %s at %p (%" G_GSIZE_FORMAT
                        " B) lies over the edge of the GPU's memory (%" G_GSIZE_FORMAT " B at %p)"
                      : "%s: %s is NULL",
              kernel, side, pointer, bytes, gpu->bytes, (const void *)gpu->begin);
  return FALSE;
}

gboolean ol_arguments_check_ids(const char *kernel, const char *argument, const int32_t *ids,
                                gsize first, gsize n, gsize vocabulary, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (ids[i] < 0 || (gsize)ids[i] >= vocabulary) {
      g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
                  "%s: %s[%" G_GSIZE_FORMAT "] is %d, outside the vocabulary of %" G_GSIZE_FORMAT,
                  kernel, argument, first + i, ids[i], vocabulary);
      return FALSE;
    }
  return TRUE;
}

gboolean ol_arguments_check_heads(const char *kernel, gsize sequence, gsize width, gsize heads,
                                  GError **error)
{
  if (sequence > 0 && heads > 0 && width > 0 && width % heads == 0)
    return TRUE;
  g_set_error(error, OL_ERROR, OL_ERROR_DEVICE,
              "%s: a width of %" G_GSIZE_FORMAT " does not divide into %" G_GSIZE_FORMAT
              " heads over a sequence of %" G_GSIZE_FORMAT,
              kernel, width, heads, sequence);
  return FALSE;
}
