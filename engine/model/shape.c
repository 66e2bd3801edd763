#include "engine/model/shape.h"

#include "engine/model/layout.h"

/* One row of a unit's table of tensors: sizes in the whole model. */
typedef struct {
  const char *name;
  guint rows, columns;
  OlInit init;
  OlSlicing slicing;
} TensorRow;

static void init_tensor(const OlShape *shape, OlShapeTensor *tensor, const OlShapeUnit *unit,
                        const TensorRow *row)
{
  gboolean by_columns = row->slicing == OL_SLICING_COLUMNS;
  gboolean by_rows = row->slicing != OL_SLICING_NONE && !by_columns;
  g_snprintf(tensor->name, sizeof tensor->name, "%s %s", unit->name, row->name);
  tensor->rows = by_rows ? row->rows / shape->slices : row->rows;
  tensor->columns = by_columns ? row->columns / shape->slices : row->columns;
  tensor->slicing = row->slicing;
  tensor->init = row->init;
  tensor->decays = row->init == OL_INIT_NORMAL || row->init == OL_INIT_RESIDUAL;
  tensor->elements = (guint64)tensor->rows * tensor->columns;
}

/* A tensor of one slice is as good as whole. */
static gboolean is_sliced(const OlShape *shape, const OlShapeTensor *tensor)
{
  return shape->slices > 1 && tensor->slicing != OL_SLICING_NONE;
}

static void place_tensors(const OlShape *shape, OlShapeUnit *unit, gboolean sliced)
{
  for (guint i = 0; i < unit->n_tensors; i++) {
    OlShapeTensor *tensor = &unit->tensors[i];
    if (is_sliced(shape, tensor) != sliced)
      continue;
    tensor->first = unit->parameters;
    unit->parameters += tensor->elements;
  }
}

static void add_tensors(const OlShape *shape, OlShapeUnit *unit, const TensorRow *rows,
                        guint n_rows)
{
  unit->n_tensors = n_rows;
  for (guint i = 0; i < n_rows; i++) {
    init_tensor(shape, &unit->tensors[i], unit, &rows[i]);
    unit->model_parameters += (guint64)rows[i].rows * rows[i].columns;
  }
  place_tensors(shape, unit, FALSE);
  unit->whole = unit->parameters;
  place_tensors(shape, unit, TRUE);
}

static void make_embed(const OlShape *shape, OlShapeUnit *unit)
{
  const TensorRow rows[OL_EMBED_N_TENSORS] = {
      [OL_EMBED_TOKEN] = {"token", shape->vocabulary, shape->width, OL_INIT_NORMAL},
      [OL_EMBED_POSITION] = {"position", shape->sequence, shape->width, OL_INIT_NORMAL},
  };
  unit->kind = OL_UNIT_EMBED;
  g_strlcpy(unit->name, "embed", sizeof unit->name);
  add_tensors(shape, unit, rows, G_N_ELEMENTS(rows));
}

static void make_block(const OlShape *shape, OlShapeUnit *unit, guint block)
{
  guint h = shape->width;
  const TensorRow rows[OL_BLOCK_N_TENSORS] = {
      [OL_BLOCK_NORM1_GAIN] = {"norm1 gain", h, 1, OL_INIT_ONE},
      [OL_BLOCK_NORM1_BIAS] = {"norm1 bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_QKV_WEIGHT] = {"qkv weight", 3 * h, h, OL_INIT_NORMAL, OL_SLICING_THIRDS},
      [OL_BLOCK_QKV_BIAS] = {"qkv bias", 3 * h, 1, OL_INIT_ZERO, OL_SLICING_THIRDS},
      [OL_BLOCK_PROJECTION_WEIGHT] = {"projection weight", h, h, OL_INIT_RESIDUAL,
                                      OL_SLICING_COLUMNS},
      [OL_BLOCK_PROJECTION_BIAS] = {"projection bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_NORM2_GAIN] = {"norm2 gain", h, 1, OL_INIT_ONE},
      [OL_BLOCK_NORM2_BIAS] = {"norm2 bias", h, 1, OL_INIT_ZERO},
      [OL_BLOCK_EXPAND_WEIGHT] = {"expand weight", 4 * h, h, OL_INIT_NORMAL, OL_SLICING_ROWS},
      [OL_BLOCK_EXPAND_BIAS] = {"expand bias", 4 * h, 1, OL_INIT_ZERO, OL_SLICING_ROWS},
      [OL_BLOCK_CONTRACT_WEIGHT] = {"contract weight", h, 4 * h, OL_INIT_RESIDUAL,
                                    OL_SLICING_COLUMNS},
      [OL_BLOCK_CONTRACT_BIAS] = {"contract bias", h, 1, OL_INIT_ZERO},
  };
  unit->kind = OL_UNIT_BLOCK;
  g_snprintf(unit->name, sizeof unit->name, "block %u", block);
  add_tensors(shape, unit, rows, G_N_ELEMENTS(rows));
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
  add_tensors(shape, unit, rows, G_N_ELEMENTS(rows));
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
  shape->slices = config->parallel.tensor;
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
 *   block  e·5·n·h/t: the gradient of the widest array, and of one narrow one
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

guint64 ol_shape_partial_bytes(const OlShape *shape)
{
  return ol_layout_row_bytes(shape);
}

/* Of a block: the cores of its heads, and the products of its MLP. */
static double core_flops(const OlShape *shape)
{
  return 4 * (double)ol_layout_tokens(shape) * shape->sequence * ol_layout_slice(shape);
}

static double mlp_flops(const OlShape *shape)
{
  return 2 * (double)ol_layout_tokens(shape) * 8 * shape->width * ol_layout_slice(shape);
}

static double attention_flops(const OlShape *shape)
{
  return 2 * (double)ol_layout_tokens(shape) * 4 * shape->width * ol_layout_slice(shape) +
         core_flops(shape);
}

static double block_flops(const OlShape *shape, OlPiece piece)
{
  gboolean whole = piece == OL_PIECE_WHOLE;
  return (whole || piece == OL_PIECE_ATTENTION ? attention_flops(shape) : 0) +
         (whole || piece == OL_PIECE_MLP ? mlp_flops(shape) : 0);
}

double ol_shape_forward_flops(const OlShape *shape, guint unit, OlPiece piece)
{
  double n = (double)ol_layout_tokens(shape), h = shape->width;
  switch (shape->units[unit].kind) {
  case OL_UNIT_EMBED:
    return 0;
  case OL_UNIT_BLOCK:
    return block_flops(shape, piece);
  case OL_UNIT_HEAD:
    return 2 * n * h * shape->vocabulary;
  }
  g_assert_not_reached();
}

double ol_shape_backward_flops(const OlShape *shape, guint unit, OlPiece piece)
{
  return 2 * ol_shape_forward_flops(shape, unit, piece);
}

/* Elements of the tensors that a piece of a block's pass uses. */
static guint64 piece_parameters(const OlShapeUnit *unit, OlPiece piece)
{
  guint first = piece == OL_PIECE_MLP ? OL_BLOCK_NORM2_GAIN : 0;
  guint end = piece == OL_PIECE_ATTENTION ? OL_BLOCK_NORM2_GAIN : unit->n_tensors;
  guint64 elements = 0;
  for (guint i = first; i < end && piece != OL_PIECE_JOIN; i++)
    elements += unit->tensors[i].elements;
  return elements;
}

static double weight_bytes(const OlShape *shape, guint unit, OlPiece piece)
{
  return (double)shape->element_bytes * (double)piece_parameters(&shape->units[unit], piece);
}

/* What a piece of a block's forward keeps: the join its output, the MLP from `middle` on. */
static guint64 piece_kept(const OlShape *shape, guint unit, OlPiece piece)
{
  guint64 boundary = ol_shape_boundary_bytes(shape, unit);
  if (piece == OL_PIECE_WHOLE)
    return ol_shape_inner_bytes(shape, unit) + boundary;
  OlBlockInner inner = ol_layout_block_inner(shape);
  if (piece == OL_PIECE_MLP)
    return inner.probabilities - inner.middle;
  return piece == OL_PIECE_JOIN ? boundary : inner.middle + inner.total - inner.probabilities;
}

/* Between its pieces a block's pass writes a part of a sum, and reads the sum. */
static guint64 piece_exchanged(const OlShape *shape, OlPiece piece)
{
  guint64 partial = ol_shape_partial_bytes(shape);
  return piece == OL_PIECE_WHOLE ? 0 : piece == OL_PIECE_MLP ? 2 * partial : partial;
}

double ol_shape_forward_touched(const OlShape *shape, guint unit, OlPiece piece)
{
  guint64 input = unit == 0 ? 0 : ol_shape_boundary_bytes(shape, unit - 1);
  guint64 memory = input + piece_kept(shape, unit, piece) + piece_exchanged(shape, piece);
  return weight_bytes(shape, unit, piece) + (double)memory;
}

double ol_shape_backward_touched(const OlShape *shape, guint unit, OlPiece piece)
{
  return 2 * ol_shape_forward_touched(shape, unit, piece) + weight_bytes(shape, unit, piece);
}

guint64 ol_shape_probabilities_bytes(const OlShape *shape, guint unit)
{
  if (shape->units[unit].kind != OL_UNIT_BLOCK)
    return 0;
  OlBlockInner inner = ol_layout_block_inner(shape);
  return inner.total - inner.probabilities;
}

double ol_shape_recompute_flops(const OlShape *shape, guint unit, OlRecompute recompute,
                                OlPiece piece)
{
  double last = 2 * (double)ol_layout_tokens(shape) * 4 * shape->width * ol_layout_slice(shape);
  switch (recompute) {
  case OL_RECOMPUTE_NONE:
    return 0;
  case OL_RECOMPUTE_SELECTIVE:
    return core_flops(shape);
  case OL_RECOMPUTE_FULL:
    return block_flops(shape, piece) - (piece == OL_PIECE_ATTENTION ? 0 : last);
  }
  g_assert_not_reached();
}

guint64 ol_shape_whole_index(const OlShape *shape, const OlShapeTensor *tensor, guint slice,
                             guint64 i)
{
  guint64 row = i / tensor->columns, column = i % tensor->columns;
  guint64 third = tensor->rows / 3; /* of q, k or v: a multiple of 3 when it matters */
  switch (tensor->slicing) {
  case OL_SLICING_NONE:
    return i;
  case OL_SLICING_ROWS:
    return i + slice * tensor->elements;
  case OL_SLICING_THIRDS:
    row += (row / third * (shape->slices - 1) + slice) * third;
    return row * tensor->columns + column;
  case OL_SLICING_COLUMNS:
    return (row * shape->slices + slice) * tensor->columns + column;
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
