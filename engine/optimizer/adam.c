#include "engine/optimizer/adam.h"

#include "engine/optimizer/adam-builds.h"

OlAdamScalars ol_adam_scalars(const OlAdamSettings *settings, guint step)
{
  double t = step + 1.0;
  double correction1 = 1.0 - pow(settings->beta1, t);
  double correction2 = 1.0 - pow(settings->beta2, t);

  return (OlAdamScalars){
      .beta1 = (float)settings->beta1,
      .one_minus_beta1 = (float)(1.0 - settings->beta1),
      .beta2 = (float)settings->beta2,
      .one_minus_beta2 = (float)(1.0 - settings->beta2),
      .step_size = (float)(settings->learning_rate / correction1),
      .inverse_root_correction = (float)(1.0 / sqrt(correction2)),
      .epsilon = (float)settings->epsilon,
      .decay = (float)(1.0 - settings->learning_rate * settings->weight_decay),
      .gradient_scale = 1,
  };
}

/* From the plainest to the widest: a CPU that can run one can run those before it. */
guint ol_adam_builds(const char *const **names, const OlAdamFunction **functions)
{
#ifdef OL_ADAM_X86
  static const char *const build_names[] = {"scalar", "avx2", "avx512"};
  static const OlAdamFunction build_functions[] = {ol_adam_update_scalar, ol_adam_update_avx2,
                                                   ol_adam_update_avx512};
  gboolean avx2 = __builtin_cpu_supports("avx2");
  gboolean avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
  guint n = avx512 ? 3 : avx2 ? 2 : 1;
#else
  static const char *const build_names[] = {"scalar"};
  static const OlAdamFunction build_functions[] = {ol_adam_update_scalar};
  guint n = 1;
#endif

  if (names)
    *names = build_names;
  if (functions)
    *functions = build_functions;
  return n;
}

void ol_adam_update(const OlAdamScalars *scalars, const OlAdamSpan *span)
{
  const OlAdamFunction *functions;
  guint n = ol_adam_builds(NULL, &functions);

  functions[n - 1](scalars, span);
}
