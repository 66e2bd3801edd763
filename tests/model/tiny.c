#include "tests/model/tiny.h"

#include "engine/model/task.h"
#include <check.h>
#include <math.h>
#include <string.h>

#define GUARD_BYTES 64
#define GUARD_VALUE 0x5a

OlRunConfig tiny_config(guint layers, guint width, guint heads, guint sequence, guint vocabulary,
                        guint micro_batch, OlPrecision precision)
{
  OlRunConfig config = {.precision = precision};
  config.parallel.tensor = 1;
  config.model.layers = layers;
  config.model.width = width;
  config.model.heads = heads;
  config.model.sequence = sequence;
  config.model.vocabulary = vocabulary;
  config.batch.micro_batch = micro_batch;
  return config;
}

/* A block, NaN all over, with a guard behind it. */
static void *take(Tiny *tiny, gsize bytes)
{
  char *block = tiny->gpu + tiny->used;
  memset(block, 0xff, bytes);
  memset(block + bytes, GUARD_VALUE, GUARD_BYTES);
  tiny->used += (bytes + GUARD_BYTES + 63) / 64 * 64;
  return block;
}

static void check_guard(const void *block, gsize bytes)
{
  for (gsize i = 0; i < GUARD_BYTES; i++)
    if (((const char *)block)[bytes + i] != GUARD_VALUE)
      ck_abort_msg("written beyond a block");
}

static gsize unit_bytes(const Tiny *tiny, guint unit)
{
  return tiny->shape->units[unit].parameters * tiny->shape->element_bytes;
}

static void take_unit(Tiny *tiny, guint unit)
{
  const OlShape *shape = tiny->shape;
  gsize states = shape->units[unit].parameters * sizeof(float);
  OlGptBuffers *b = &tiny->units[unit];
  gsize boundary = ol_shape_boundary_bytes(shape, unit);
  *b = (OlGptBuffers){
      .weights = take(tiny, unit_bytes(tiny, unit)),
      .gradient = take(tiny, unit_bytes(tiny, unit)),
      .tokens = tiny->tokens,
      .input = unit > 0 ? tiny->units[unit - 1].output : NULL,
      .output = boundary ? take(tiny, boundary) : NULL,
      .inner = take(tiny, ol_shape_inner_bytes(shape, unit)),
      .work = take(tiny, MAX(ol_shape_forward_work_bytes(shape, unit),
                             ol_shape_backward_work_bytes(shape, unit))),
      .d_output = boundary ? take(tiny, boundary) : NULL,
      .d_input = unit > 0 ? (void *)tiny->units[unit - 1].d_output : NULL,
      .loss_scale = 1.0 / (double)tiny_tokens(tiny),
      .loss = &tiny->loss,
  };
  tiny->master[unit] = take(tiny, states);
  tiny->moment1[unit] = take(tiny, states);
  tiny->moment2[unit] = take(tiny, states);
  memset(tiny->moment1[unit], 0, states);
  memset(tiny->moment2[unit], 0, states);
}

Tiny *tiny_new(const OlRunConfig *config, guint compute_threads)
{
  Tiny *tiny = g_new0(Tiny, 1);
  OlDeviceOptions options = {.compute_threads = compute_threads, .gpu_bytes = (guint64)1 << 30};
  GError *error = NULL;
  tiny->ops = ol_device_virtual();
  tiny->device = tiny->ops->open(&options, &error);
  ck_assert_msg(tiny->device != NULL, "%s", error ? error->message : "");
  tiny->stream = tiny->ops->stream_new(tiny->device, "model");
  tiny->gpu = tiny->ops->get_gpu_memory(tiny->device);
  tiny->shape = ol_shape_new(config);

  guint n_units = tiny->shape->n_units;
  tiny->units = g_new0(OlGptBuffers, n_units);
  tiny->master = g_new0(float *, n_units);
  tiny->moment1 = g_new0(float *, n_units);
  tiny->moment2 = g_new0(float *, n_units);
  tiny->tokens = take(tiny, 2 * tiny_tokens(tiny) * sizeof(int32_t));
  for (guint unit = 0; unit < n_units; unit++)
    take_unit(tiny, unit);
  return tiny;
}

static void check_guards(const Tiny *tiny)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    const OlGptBuffers *b = &tiny->units[unit];
    gsize boundary = ol_shape_boundary_bytes(tiny->shape, unit);
    check_guard(b->weights, unit_bytes(tiny, unit));
    check_guard(b->gradient, unit_bytes(tiny, unit));
    check_guard(b->inner, ol_shape_inner_bytes(tiny->shape, unit));
    check_guard(b->work, ol_shape_backward_work_bytes(tiny->shape, unit));
    if (boundary) {
      check_guard(b->output, boundary);
      check_guard(b->d_output, boundary);
    }
  }
}

void tiny_free(Tiny *tiny)
{
  GError *error = NULL;
  tiny->ops->stream_free(tiny->stream);
  gboolean failed = tiny->ops->get_error(tiny->device, &error);
  ck_assert_msg(!failed, "%s", error ? error->message : "");
  check_guards(tiny);
  tiny->ops->close(tiny->device);
  ol_shape_free(tiny->shape);
  g_free(tiny->units);
  g_free(tiny->master);
  g_free(tiny->moment1);
  g_free(tiny->moment2);
  g_free(tiny);
}

gsize tiny_tokens(const Tiny *tiny)
{
  return (gsize)tiny->shape->sequence * tiny->shape->micro_batch;
}

static void round_weights(Tiny *tiny, guint unit)
{
  void *weights = (void *)tiny->units[unit].weights;
  for (guint64 i = 0; i < tiny->shape->units[unit].parameters; i++)
    if (tiny->shape->element_bytes == 2)
      ((uint16_t *)weights)[i] = ol_bf16_from_float(tiny->master[unit][i]);
    else
      ((float *)weights)[i] = tiny->master[unit][i];
}

void tiny_start(Tiny *tiny, guint64 seed)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    for (guint t = 0; t < tiny->shape->units[unit].n_tensors; t++) {
      const OlShapeTensor *tensor = &tiny->shape->units[unit].tensors[t];
      double spread = 0.02 / (tensor->init == OL_INIT_RESIDUAL ? sqrt(2 * tiny->shape->layers) : 1);
      for (guint64 i = 0; i < tensor->elements; i++)
        tiny->master[unit][tensor->first + i] =
            tensor->init == OL_INIT_ONE ? 1
            : tensor->init == OL_INIT_ZERO
                ? 0
                : (float)(spread * (double)ol_task_initial_normal(seed, tensor->name, i));
    }
    round_weights(tiny, unit);
  }
}

void tiny_set_weights(Tiny *tiny, const float *all)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    guint64 n = tiny->shape->units[unit].parameters;
    memcpy(tiny->master[unit], all, n * sizeof(float));
    round_weights(tiny, unit);
    all += n;
  }
}

void tiny_set_tokens(Tiny *tiny, const int32_t *tokens)
{
  memcpy(tiny->tokens, tokens, 2 * tiny_tokens(tiny) * sizeof *tokens);
}

void tiny_set_sums(Tiny *tiny, guint64 seed, guint step)
{
  guint sequence = tiny->shape->sequence;
  for (guint i = 0; i < tiny->shape->micro_batch; i++)
    ol_task_sums_sample(seed, step, i, sequence, tiny->tokens + i * sequence,
                        tiny->tokens + tiny_tokens(tiny) + i * sequence);
}

double tiny_forward(Tiny *tiny)
{
  for (guint unit = 0; unit < tiny->shape->n_units; unit++)
    ol_gpt_forward(tiny->ops, tiny->stream, tiny->shape, unit, OL_PIECE_WHOLE, &tiny->units[unit]);
  tiny->ops->stream_synchronize(tiny->stream);
  return tiny->loss;
}

void tiny_backward(Tiny *tiny)
{
  for (guint unit = tiny->shape->n_units; unit-- > 0;)
    ol_gpt_backward(tiny->ops, tiny->stream, tiny->shape, unit, OL_PIECE_WHOLE, &tiny->units[unit]);
  tiny->ops->stream_synchronize(tiny->stream);
}

void tiny_update(Tiny *tiny, const OlAdamSettings *settings, guint step)
{
  gboolean bf16 = tiny->shape->element_bytes == 2;
  OlAdamScalars scalars = ol_adam_scalars(settings, step);
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    for (guint t = 0; t < tiny->shape->units[unit].n_tensors; t++) {
      const OlShapeTensor *tensor = &tiny->shape->units[unit].tensors[t];
      OlGptBuffers *b = &tiny->units[unit];
      OlAdamSpan span = {
          .elements = tensor->elements,
          .master = tiny->master[unit] + tensor->first,
          .moment1 = tiny->moment1[unit] + tensor->first,
          .moment2 = tiny->moment2[unit] + tensor->first,
          .gradient = (char *)b->gradient + tensor->first * tiny->shape->element_bytes,
          .gradient_is_fp32 = !bf16,
          .weights_out = bf16 ? (uint16_t *)b->weights + tensor->first : NULL,
          .decays = tensor->decays,
      };
      ol_adam_update(&scalars, &span);
    }
    round_weights(tiny, unit);
  }
}

float *tiny_read_gradients(Tiny *tiny)
{
  float *all = g_new(float, tiny->shape->parameters), *next = all;
  for (guint unit = 0; unit < tiny->shape->n_units; unit++)
    for (guint64 i = 0; i < tiny->shape->units[unit].parameters; i++) {
      const void *gradient = tiny->units[unit].gradient;
      *next++ = tiny->shape->element_bytes == 2 ? ol_bf16_to_float(((const uint16_t *)gradient)[i])
                                                : ((const float *)gradient)[i];
    }
  return all;
}
