/* The builds of adam-kernel.c that meson.build makes. Private to this room. */
#pragma once

#include "engine/optimizer/adam.h"

void ol_adam_update_scalar(const OlAdamScalars *scalars, const OlAdamSpan *span);
void ol_adam_update_avx2(const OlAdamScalars *scalars, const OlAdamSpan *span);
void ol_adam_update_avx512(const OlAdamScalars *scalars, const OlAdamSpan *span);
