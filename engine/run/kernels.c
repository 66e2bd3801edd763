/* What a node does, by op: launches on the lane's stream, or plain C on a host lane's thread. The
 * two give the same bits. */
#include "engine/run/executor-private.h"

#include "engine/base/bf16.h"
#include "engine/model/gpt.h"
#include "engine/model/task.h"

static gsize batch_tokens(const OlExecutor *executor)
{
  const OlRunConfig *config = executor->plan->config;
  return (gsize)config->batch.micro_batch * config->model.sequence;
}

static OlDtype weights_dtype(const OlExecutor *executor)
{
  return executor->plan->config->precision == OL_PRECISION_FP32 ? OL_DTYPE_FP32 : OL_DTYPE_BF16;
}

static void put_sample(const OlExecutor *executor, guint step, guint64 sample, int32_t *inputs,
                       int32_t *targets)
{
  const OlRunConfig *config = executor->plan->config;
  guint sequence = config->model.sequence;
  if (executor->options.text)
    ol_text_sample(executor->options.text, config->seed, step, sample, sequence, inputs, targets);
  else
    ol_task_sums_sample(config->seed, step, sample, sequence, inputs, targets);
}

/* The samples of one micro-batch of one step: [2][tokens], inputs then targets. They lie in the
 * issue's own host memory until the copy is done. */
static void put_tokens(OlExecutor *executor, OlIssue *issue, void *target)
{
  const OlRunConfig *config = executor->plan->config;
  gsize n = batch_tokens(executor);
  guint sequence = config->model.sequence, batch = config->batch.micro_batch;
  int32_t *tokens = issue->lane->tokens + issue->slot * 2 * n;
  const OlGraphNode *node = ol_issue_node(executor, issue);
  /* Samples of the global batch: by micro-batch, then by data rank. */
  guint64 place =
      (guint64)node->micro_batch * config->parallel.data + ol_plan_data_index(config, node->rank);
  guint64 first = place * batch;
  for (guint i = 0; i < batch; i++)
    put_sample(executor, (guint)issue->step, first + i, tokens + (gsize)i * sequence,
               tokens + n + (gsize)i * sequence);
  executor->ops->copy(issue->lane->stream, target, tokens, 2 * n * sizeof *tokens);
}

static OlGptBuffers gpt_buffers(const OlExecutor *executor, const OlIssue *issue)
{
  const OlRunConfig *config = executor->plan->config;
  guint micro_batches = config->batch.micro_batches;
  const OlGraphNode *node = ol_issue_node(executor, issue);
  guint ranks = executor->graph->n_ranks;
  guint share = ((guint)issue->step % OL_STEP_RING * ranks + node->rank) * micro_batches +
                (guint)node->micro_batch;
  return (OlGptBuffers){
      .weights = ol_issue_operand(executor, issue, OL_OPERAND_WEIGHTS),
      .gradient = ol_issue_operand(executor, issue, OL_OPERAND_GRADIENT),
      .tokens = ol_issue_operand(executor, issue, OL_OPERAND_TOKENS),
      .input = ol_issue_operand(executor, issue, OL_OPERAND_INPUT),
      .output = ol_issue_operand(executor, issue, OL_OPERAND_OUTPUT),
      .inner = ol_issue_operand(executor, issue, OL_OPERAND_INNER),
      .probabilities = ol_issue_operand(executor, issue, OL_OPERAND_PROBABILITIES),
      .d_output = ol_issue_operand(executor, issue, OL_OPERAND_D_OUTPUT),
      .d_input = ol_issue_operand(executor, issue, OL_OPERAND_D_INPUT),
      .work = ol_issue_operand(executor, issue, OL_OPERAND_WORK),
      .partial = ol_issue_operand(executor, issue, OL_OPERAND_PARTIAL),
      .summed = ol_issue_operand(executor, issue, OL_OPERAND_SUMMED),
      .is_first_slice = ol_plan_slice(config, node->rank) == 0,
      .loss_scale = 1.0 / ((double)batch_tokens(executor) * micro_batches * config->parallel.data),
      .loss = executor->losses + share};
}

/* What arrived from another stage lies in a slot that the next message needs. */
static void keep_input(OlExecutor *executor, OlIssue *issue)
{
  void *arrived = ol_issue_operand(executor, issue, OL_OPERAND_SOURCE);
  guint unit = (guint)ol_issue_node(executor, issue)->unit;
  if (arrived)
    executor->ops->copy(issue->lane->stream, ol_issue_operand(executor, issue, OL_OPERAND_INPUT),
                        arrived, ol_shape_boundary_bytes(executor->plan->shape, unit - 1));
}

static void work_forward(OlExecutor *executor, OlIssue *issue)
{
  guint unit = (guint)ol_issue_node(executor, issue)->unit;
  OlGptBuffers buffers = gpt_buffers(executor, issue);
  keep_input(executor, issue);
  if (ol_issue_acquires(executor, issue, OL_OPERAND_TOKENS))
    put_tokens(executor, issue, ol_issue_operand(executor, issue, OL_OPERAND_TOKENS));
  ol_gpt_forward(executor->ops, issue->lane->stream, executor->plan->shape, unit,
                 ol_issue_node(executor, issue)->piece, &buffers);
}

static void work_recompute(OlExecutor *executor, OlIssue *issue)
{
  guint unit = (guint)ol_issue_node(executor, issue)->unit;
  OlGptBuffers buffers = gpt_buffers(executor, issue);
  ol_gpt_recompute(executor->ops, issue->lane->stream, executor->plan->shape, unit,
                   executor->plan->config->recompute, ol_issue_node(executor, issue)->piece,
                   &buffers);
}

static void work_backward(OlExecutor *executor, OlIssue *issue)
{
  guint unit = (guint)ol_issue_node(executor, issue)->unit;
  OlGptBuffers buffers = gpt_buffers(executor, issue);
  ol_gpt_backward(executor->ops, issue->lane->stream, executor->plan->shape, unit,
                  ol_issue_node(executor, issue)->piece, &buffers);
}

static OlAccumulate accumulate_launch(const OlExecutor *executor, const OlIssue *issue)
{
  return (OlAccumulate){.n = ol_issue_extent(executor, issue, OL_PAYLOAD_GRADIENTS).count,
                        .first = ol_issue_node(executor, issue)->micro_batch == 0,
                        .x = ol_issue_operand(executor, issue, OL_OPERAND_GRADIENT),
                        .sum = ol_issue_operand(executor, issue, OL_OPERAND_ACCUMULATOR),
                        .dtype = weights_dtype(executor)};
}

static void work_accumulate(OlExecutor *executor, OlIssue *issue)
{
  OlAccumulate launch = accumulate_launch(executor, issue);
  executor->ops->accumulate(issue->lane->stream, &launch);
}

static void work_accumulate_here(OlExecutor *executor, OlIssue *issue)
{
  OlAccumulate a = accumulate_launch(executor, issue);
  const uint16_t *x16 = a.x;
  const float *x32 = a.x;
  for (gsize i = 0; i < a.n; i++) {
    float x = a.dtype == OL_DTYPE_BF16 ? ol_bf16_to_float(x16[i]) : x32[i];
    a.sum[i] = (a.first ? 0.0f : a.sum[i]) + x;
  }
}

static OlCast cast_launch(const OlExecutor *executor, const OlIssue *issue)
{
  return (OlCast){.n = ol_issue_extent(executor, issue, OL_PAYLOAD_GRADIENTS).count,
                  .x = ol_issue_operand(executor, issue, OL_OPERAND_ACCUMULATOR),
                  .y = ol_issue_operand(executor, issue, OL_OPERAND_GRADIENT)};
}

static void work_cast(OlExecutor *executor, OlIssue *issue)
{
  OlCast launch = cast_launch(executor, issue);
  executor->ops->cast(issue->lane->stream, &launch);
}

static void work_cast_here(OlExecutor *executor, OlIssue *issue)
{
  OlCast cast = cast_launch(executor, issue);
  for (gsize i = 0; i < cast.n; i++)
    cast.y[i] = ol_bf16_from_float(cast.x[i]);
}

/* Pageable host memory goes through a pinned buffer, a piece at a time, as CUDA does it. */
static void bounce(OlExecutor *executor, OlIssue *issue, gsize bytes)
{
  OlStream *stream = issue->lane->stream;
  char *target = ol_issue_operand(executor, issue, OL_OPERAND_TARGET);
  const char *source = ol_issue_operand(executor, issue, OL_OPERAND_SOURCE);
  int staging = ol_plan_operands(executor->plan, issue->node).buffer[OL_OPERAND_STAGING];
  void *piece = ol_executor_get_buffer(executor, staging);
  gsize most = ol_graph_buffer(executor->graph, (guint)staging)->bytes;
  for (gsize first = 0; first < bytes; first += most) {
    gsize n = MIN(most, bytes - first);
    executor->ops->copy(stream, piece, source + first, n);
    executor->ops->copy(stream, target + first, piece, n);
  }
}

static void work_copy(OlExecutor *executor, OlIssue *issue)
{
  gsize bytes = ol_issue_node(executor, issue)->bytes;
  if (bytes == 0)
    return;
  if (ol_issue_operand(executor, issue, OL_OPERAND_STAGING))
    bounce(executor, issue, bytes);
  else
    executor->ops->copy(issue->lane->stream, ol_issue_operand(executor, issue, OL_OPERAND_TARGET),
                        ol_issue_operand(executor, issue, OL_OPERAND_SOURCE), bytes);
  issue->bytes = bytes;
}

static OlAdamScalars adam_scalars(const OlExecutor *executor, const OlIssue *issue)
{
  const OlRunConfig *config = executor->plan->config;
  OlAdamSettings settings = {.learning_rate = config->optimizer.learning_rate,
                             .beta1 = config->optimizer.beta1,
                             .beta2 = config->optimizer.beta2,
                             .epsilon = config->optimizer.epsilon,
                             .weight_decay = config->optimizer.weight_decay};
  guint of_step = (guint)issue->step - ol_issue_node(executor, issue)->steps_behind;
  OlAdamScalars scalars = ol_adam_scalars(&settings, of_step);
  if (config->optimizer.clip_norm > 0)
    scalars.gradient_scale =
        (float)ol_clip_of(executor, ol_issue_node(executor, issue)->rank, of_step)->scale;
  return scalars;
}

/* What to update of one tensor: of the elements that this rank updates, which lie one after the
 * other from the start of every buffer. In bf16 an fp32 sum stands for a gradient that is rounded
 * before it enters Adam; in fp32 the weights are their own master, of which a rank may have all,
 * and nothing is rounded. */
static OlAdamSpan adam_span(const OlExecutor *executor, const OlIssue *issue,
                            const OlShapeTensor *tensor)
{
  gboolean fp32 = weights_dtype(executor) == OL_DTYPE_FP32;
  OlShard shard = ol_issue_extent(executor, issue, OL_PAYLOAD_MASTER);
  guint64 begin = MAX(tensor->first, shard.first);
  guint64 end = MIN(tensor->first + tensor->elements, shard.first + shard.count);
  if (begin >= end)
    return (OlAdamSpan){.elements = 0};
  float *master = ol_issue_operand(executor, issue, OL_OPERAND_MASTER);
  float *moment1 = ol_issue_operand(executor, issue, OL_OPERAND_MOMENT1);
  float *moment2 = ol_issue_operand(executor, issue, OL_OPERAND_MOMENT2);
  const char *gradient = ol_issue_operand(executor, issue, OL_OPERAND_GRADIENT);
  const float *sum = ol_issue_operand(executor, issue, OL_OPERAND_ACCUMULATOR);
  uint16_t *weights = ol_issue_operand(executor, issue, OL_OPERAND_WEIGHTS);
  guint64 at = begin - shard.first;
  guint64 first = fp32 ? ol_issue_extent(executor, issue, OL_PAYLOAD_WEIGHTS).first : shard.first;
  return (OlAdamSpan){.elements = end - begin,
                      .master = master + (begin - first),
                      .moment1 = moment1 + at,
                      .moment2 = moment2 + at,
                      .gradient = sum ? (const void *)(sum + at)
                                      : gradient + at * ol_dtype_bytes(weights_dtype(executor)),
                      .gradient_is_fp32 = sum != NULL || fp32,
                      .round_gradient = sum != NULL && !fp32,
                      .weights_out = fp32 ? NULL : weights + at,
                      .decays = tensor->decays};
}

static guint adam_spans(const OlExecutor *executor, const OlIssue *issue, OlAdamSpan *spans)
{
  const OlShapeUnit *unit = ol_issue_unit(executor, issue);
  guint n = 0;
  for (guint i = 0; i < unit->n_tensors; i++) {
    spans[n] = adam_span(executor, issue, &unit->tensors[i]);
    n += spans[n].elements > 0;
  }
  return n;
}

static void work_update(OlExecutor *executor, OlIssue *issue)
{
  OlAdamSpan spans[OL_BLOCK_N_TENSORS];
  guint n = adam_spans(executor, issue, spans);
  OlAdamLaunch launch = {.scalars = adam_scalars(executor, issue)};
  for (guint i = 0; i < n; i++) {
    launch.span = spans[i];
    executor->ops->adam(issue->lane->stream, &launch);
  }
}

static void work_update_here(OlExecutor *executor, OlIssue *issue)
{
  OlAdamSpan spans[OL_BLOCK_N_TENSORS];
  guint n = adam_spans(executor, issue, spans);
  OlAdamScalars scalars = adam_scalars(executor, issue);
  ol_update_pool_run(issue->lane->rank->pool, &scalars, spans, n);
}

/* The sender has put it there. */
static void work_receive(OlExecutor *executor, OlIssue *issue)
{
}

OlNodeWork ol_node_work(OlOp op, gboolean on_device)
{
  static const struct {
    OlNodeWork on_stream, here;
  } works[OL_N_OPS] = {
      [OL_OP_FILL] = {ol_work_fill, ol_work_fill},
      [OL_OP_FORWARD] = {work_forward, NULL},
      [OL_OP_BACKWARD] = {work_backward, NULL},
      [OL_OP_RECOMPUTE] = {work_recompute, NULL},
      [OL_OP_ACCUMULATE] = {work_accumulate, work_accumulate_here},
      [OL_OP_CAST] = {work_cast, work_cast_here},
      [OL_OP_COPY] = {work_copy, ol_work_copy_here},
      [OL_OP_NORM] = {ol_work_norm, ol_work_norm_here},
      [OL_OP_UPDATE] = {work_update, work_update_here},
      [OL_OP_ALL_REDUCE] = {ol_work_collective, ol_work_collective_here},
      [OL_OP_REDUCE_SCATTER] = {ol_work_collective, ol_work_collective_here},
      [OL_OP_ALL_GATHER] = {ol_work_collective, ol_work_collective_here},
      [OL_OP_SEND] = {work_copy, ol_work_send_here},
      [OL_OP_RECEIVE] = {work_receive, work_receive},
      [OL_OP_HASH] = {ol_work_hash, ol_work_hash},
  };
  return on_device ? works[op].on_stream : works[op].here;
}
