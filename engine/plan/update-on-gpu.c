/* Optimizer states at home on the GPU: updated there once the whole backward is done, so nothing
 * crosses a link. */
#include "engine/plan/builder.h"

static void unit_ready(OlBuilder *builder, gpointer state, guint unit)
{
}

static void step_end(OlBuilder *builder, gpointer state)
{
  for (guint u = builder->shape->n_units; u-- > 0;) {
    const OlUnitHomes *homes = &builder->homes[u];
    ol_builder_add_update(builder, OL_LANE_COMPUTE, u, homes->gradient, homes->accumulator,
                          homes->weights);
  }
}

const OlUpdatePath ol_update_on_gpu = {.unit_ready = unit_ready, .step_end = step_end};
