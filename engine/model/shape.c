#include "engine/model/shape.h"

#include "engine/model/layout.h"

/* One row of a unit's table of tensors: sizes in widths, or in the model's own measures. */
typedef struct {
  const char *name;
  guint rows, columns;
  OlInit init;
} TensorRow;

static void add_tensors(OlShapeUnit *unit, const TensorRow *rows, guint n_rows)
{
  for (guint i = 0; i < n_rows; i++) {
    OlShapeTensor *tensor = &unit->tensors[i];
    g_snprintf(tensor->name, sizeof tensor->name, "%s %s", unit->name, rows[i].name);
    tensor->rows = rows[i].rows;
    tensor->columns = rows[i].columns;
    tensor->init = rows[i].init;
    tensor->decays = rows[i].init == OL_INIT_NORMAL || rows[i].init == OL_INIT_RESIDUAL;
    tensor->first = unit->parameters;
    tensor->elements = (guint64)rows[i].rows * rows[i].columns;
    unit->parameters += tensor->elements;
  }
  unit->n_tensors = n_rows;
}

static void make_embed(const OlShape *shape, OlShapeUnit *unit)
{
  const TensorRow rows[OL_EMBED_N_TENSORS] = {
      [OL_EMBED_TOKEN] = {"token", shape->vocabulary, shape->width, OL_INIT_NORMAL},
      [OL_EMBED_POSITION] = {"position", shape->sequence, shape->width, OL_INIT_NORMAL},
  };
  unit->kind = OL_UNIT_EMBED;
  g_strlcpy(unit->name, "embed", sizeof unit->name);
  add_tensors(unit, rows, G_N_ELEMENTS(rows));
}

static void make_block(const OlShape *shape, OlShapeUnit *unit, guint block)
{
  guint h = shape->width;
  const TensorRow rows[OL_BLOCK_N_TENSORS] = {
      [OL_BLOCK_NORM1_GAIN] = {"norm1 gain", h, 1, OL_INIT_ONE},
      [OL_BLOCK_NORM1_BIAS] = {"norm1 bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_QKV_WEIGHT] = {"qkv weight", 3 * h, h, OL_INIT_NORMAL},
      [OL_BLOCK_QKV_BIAS] = {"qkv bias", 3 * h, 1, OL_INIT_ZERO},
      [OL_BLOCK_PROJECTION_WEIGHT] = {"projection weight", h, h, OL_INIT_RESIDUAL},
      [OL_BLOCK_PROJECTION_BIAS] = {"projection bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_NORM2_GAIN] = {"norm2 gain", h, 1, OL_INIT_ONE},
      [OL_BLOCK_NORM2_BIAS] = {"norm2 bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_EXPAND_WEIGHT] = {"expand weight", 4 * h, h, OL_INIT_NORMAL},
      [OL_BLOCK_EXPAND_BIAS] = {"expand bias", 4 * h, 1, OL_INIT_ZERO},
      [OL_BLOCK_CONTRACT_WEIGHT] = {"contract weight", h, 4 * h, OL_INIT_RESIDUAL},
      [OL_BLOCK_CONTRACT_BIAS] = {"contract bias", h, 1, OL_INIT_ZERO},
  };
  unit->kind = OL_UNIT_BLOCK;
  g_snprintf(unit->name, sizeof unit->name, "block %u", block);
  add_tensors(unit, rows, G_N_ELEMENTS(rows));
}

static void make_head(const OlShape *shape, OlShapeUnit *unit)
{
  const TensorRow rows[OL_HEAD_N_TENSORS] = {
      [OL_HEAD_NORM_GAIN] = {"norm gain", shape->width, 1, OL_INIT_ONE},
      [OL_HEAD_NORM_BIAS] = {"norm bias", shape->width, 1, OL_INIT_ZERO},
      [OL_HEAD_WEIGHT] = {"weight", shape->vocabulary, shape->width, OL_INIT_NORMAL},
  };
  unit->kind = OL_UNIT_HEAD;
  g_strlcpy(unit->name, "head", sizeof unit->name);
  add_tensors(unit, rows, G_N_ELEMENTS(rows));
}

OlShape *ol_shape_new(const OlRunConfig *config)
{
  OlShape *shape = g_new0(OlShape, 1);
  shape->layers = config->model.layers;
  shape->width = config->model.width;
  shape->heads = config->model.heads;
  shape->sequence = config->model.sequence;
  shape->vocabulary = config->model.vocabulary;
  shape->micro_batch = config->batch.micro_batch;
  shape->element_bytes = config->precision == OL_PRECISION_BF16 ? 2 : 4;
  shape->n_units = shape->layers + 2;
  shape->units = g_new0(OlShapeUnit, shape->n_units);

  make_embed(shape, &shape->units[0]);
  for (guint block = 0; block < shape->layers; block++)
    make_block(shape, &shape->units[1 + block], block);
  make_head(shape, &shape->units[shape->n_units - 1]);

  for (guint unit = 0; unit < shape->n_units; unit++)
    shape->parameters += shape->units[unit].parameters;
  return shape;
}

void ol_shape_free(OlShape *shape)
{
  if (shape == NULL)
    return;
  g_free(shape->units);
  g_free(shape);
}

guint64 ol_shape_largest_unit(const OlShape *shape)
{
  guint64 largest = 0;
  for (guint unit = 0; unit < shape->n_units; unit++)
    largest = MAX(largest, shape->units[unit].parameters);
  return largest;
}

guint64 ol_shape_boundary_bytes(const OlShape *shape, guint unit)
{
  return shape->units[unit].kind == OL_UNIT_HEAD ? 0 : ol_layout_row_bytes(shape);
}

guint64 ol_shape_inner_bytes(const OlShape *shape, guint unit)
{
  switch (shape->units[unit].kind) {
  case OL_UNIT_EMBED:
    return ol_layout_embed_inner(shape).total;
  case OL_UNIT_BLOCK:
    return ol_layout_block_inner(shape).total;
  case OL_UNIT_HEAD:
    return ol_layout_head_inner(shape).total;
  }
  g_assert_not_reached();
}

/* Beyond what a unit keeps, its backward needs (layout.h says where each lies):
 *   embed  nothing
 *   block  e·5·n·h: the gradient of the widest array, and of one narrow one
 *   head   e·n·h: the gradient of the final norm's output */
guint64 ol_shape_backward_work_bytes(const OlShape *shape, guint unit)
{
  switch (shape->units[unit].kind) {
  case OL_UNIT_EMBED:
    return 0;
  case OL_UNIT_BLOCK:
    return ol_layout_block_work(shape).total;
  case OL_UNIT_HEAD:
    return ol_layout_head_work(shape).total;
  }
  g_assert_not_reached();
}

/* A forward writes straight into what the unit keeps. */
guint64 ol_shape_forward_work_bytes(const OlShape *shape, guint unit)
{
  return 0;
}

double ol_shape_forward_flops(const OlShape *shape, guint unit)
{
  double n = (double)ol_layout_tokens(shape), h = shape->width;
  switch (shape->units[unit].kind) {
  case OL_UNIT_EMBED:
    return 0;
  case OL_UNIT_BLOCK:
    return 2 * n * 12 * h * h + 4 * n * shape->sequence * h;
  case OL_UNIT_HEAD:
    return 2 * n * h * shape->vocabulary;
  }
  g_assert_not_reached();
}

double ol_shape_backward_flops(const OlShape *shape, guint unit)
{
  return 2 * ol_shape_forward_flops(shape, unit);
}

static double weight_bytes(const OlShape *shape, guint unit)
{
  return (double)shape->element_bytes * (double)shape->units[unit].parameters;
}

double ol_shape_forward_touched(const OlShape *shape, guint unit)
{
  guint64 input = unit == 0 ? 0 : ol_shape_boundary_bytes(shape, unit - 1);
  guint64 kept = ol_shape_inner_bytes(shape, unit) + ol_shape_boundary_bytes(shape, unit);
  return weight_bytes(shape, unit) + (double)(input + kept);
}

double ol_shape_backward_touched(const OlShape *shape, guint unit)
{
  return 2 * ol_shape_forward_touched(shape, unit) + weight_bytes(shape, unit);
}

guint64 ol_shape_probabilities_bytes(const OlShape *shape, guint unit)
{
  if (shape->units[unit].kind != OL_UNIT_BLOCK)
    return 0;
  OlBlockInner inner = ol_layout_block_inner(shape);
  return inner.total - inner.probabilities;
}

double ol_shape_recompute_flops(const OlShape *shape, guint unit, OlRecompute recompute)
{
  double n = (double)ol_layout_tokens(shape), h = shape->width;
  switch (recompute) {
  case OL_RECOMPUTE_NONE:
    return 0;
  case OL_RECOMPUTE_SELECTIVE:
    return 4 * n * shape->sequence * h;
  case OL_RECOMPUTE_FULL:
    return ol_shape_forward_flops(shape, unit) - 2 * n * 4 * h * h;
  }
  g_assert_not_reached();
}

OlShard ol_shape_shard(const OlShape *shape, guint unit, guint members, guint member)
{
  guint64 n = shape->units[unit].parameters;
  if (members == 1)
    return (OlShard){0, n, n};
  guint64 even = (n + members - 1) / members;
  guint64 part = (even + OL_SHARD_ALIGNMENT - 1) / OL_SHARD_ALIGNMENT * OL_SHARD_ALIGNMENT;
  guint64 first = MIN(part * member, n);
  return (OlShard){first, MIN(part, n - first), part};
}
