#include "engine/device/virtual/kernels.h"

extern const OlKernels ol_kernels_baseline;
#ifdef OL_KERNELS_X86
extern const OlKernels ol_kernels_avx2, ol_kernels_avx512;
#endif

guint ol_kernels_builds(const OlKernels *const **builds)
{
#ifdef OL_KERNELS_X86
  static const OlKernels *const all[] = {&ol_kernels_baseline, &ol_kernels_avx2,
                                         &ol_kernels_avx512};
  gboolean avx2 = __builtin_cpu_supports("avx2");
  gboolean avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  guint n = avx512 ? 3 : avx2 ? 2 : 1;
#else
  static const OlKernels *const all[] = {&ol_kernels_baseline};
  guint n = 1;
#endif

  *builds = all;
  return n;
}
