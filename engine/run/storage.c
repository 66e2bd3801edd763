/* The NVMe tier of a rank: its file, and the nodes that read and write it. */
#include "engine/run/executor-private.h"

#include "engine/memory/disk.h"

gboolean ol_storage_open(OlExecutor *executor, OlRankState *rank, GError **error)
{
  if (executor->plan->arena_bytes[OL_TIER_NVME] == 0)
    return TRUE;
  OlDiskOptions options = {.folder = executor->plan->config->hardware.nvme_folder,
                           .bytes = executor->plan->arena_bytes[OL_TIER_NVME],
                           .depth = executor->plan->config->hardware.nvme_depth,
                           .block_bytes = executor->plan->config->hardware.nvme_block_kib << 10,
                           .system = executor->options.disk_system};
  rank->disk = ol_disk_open(&options, error);
  return rank->disk != NULL;
}

static void tell_path(OlTrace *trace, gpointer data)
{
  ol_trace_set_text(trace, "nvme.path", data);
}

/* The host slots that the drive's lanes fill and drain, each once. */
static GArray *list_slots(const OlExecutor *executor, guint rank)
{
  GArray *slots = g_array_new(FALSE, FALSE, sizeof(guint));
  g_autofree gboolean *listed = g_new0(gboolean, executor->graph->buffers->len);
  for (guint id = 0; id < executor->graph->nodes->len; id++) {
    const OlGraphNode *node = ol_graph_node(executor->graph, id);
    if (node->rank != rank || node->part != OL_PART_STEP ||
        (node->lane != OL_LANE_NVME_READ && node->lane != OL_LANE_NVME_WRITE))
      continue;
    OlOperands operands = ol_plan_operands(executor->plan, id);
    guint slot =
        (guint)operands
            .buffer[node->lane == OL_LANE_NVME_READ ? OL_OPERAND_TARGET : OL_OPERAND_SOURCE];
    if (!listed[slot])
      g_array_append_val(slots, slot);
    listed[slot] = TRUE;
  }
  return slots;
}

void ol_storage_register(OlExecutor *executor, guint rank)
{
  OlDisk *disk = executor->ranks[rank].disk;
  if (disk == NULL)
    return;
  g_autoptr(GArray) slots = list_slots(executor, rank);
  g_autofree void **blocks = g_new(void *, slots->len);
  g_autofree guint64 *bytes = g_new(guint64, slots->len);
  for (guint i = 0; i < slots->len; i++) {
    guint id = g_array_index(slots, guint, i);
    blocks[i] = ol_executor_get_buffer(executor, (int)id);
    bytes[i] = ol_graph_buffer(executor->graph, id)->bytes;
  }
  ol_disk_register(disk, blocks, bytes, slots->len);
  ol_recorder_with_trace(executor->options.recorder, tell_path, (gpointer)ol_disk_get_path(disk));
}

gboolean ol_storage_move(OlExecutor *executor, OlIssue *issue, int home, guint64 first, void *block,
                         guint64 bytes, gboolean write)
{
  OlDisk *disk = issue->lane->rank->disk;
  guint64 offset = executor->plan->offset[home] + first, moved = 0;
  g_autoptr(GError) error = NULL;
  gboolean ok = write ? ol_disk_write(disk, block, offset, bytes, &moved, &error)
                      : ol_disk_read(disk, block, offset, bytes, &moved, &error);
  issue->bytes += moved;
  if (!ok)
    ol_executor_fail(executor, issue->lane->rank, error->message);
  return ok;
}

/* From host to host: nothing crosses a link. */
static void copy_beside(OlExecutor *executor, const OlIssue *issue)
{
  int home = ol_plan_operands(executor->plan, issue->node).buffer[OL_OPERAND_TARGET];
  memcpy(ol_executor_get_buffer(executor, home),
         ol_issue_operand(executor, issue, OL_OPERAND_SOURCE),
         ol_graph_buffer(executor->graph, (guint)home)->bytes);
}

void ol_work_copy_here(OlExecutor *executor, OlIssue *issue)
{
  const OlGraphNode *node = ol_issue_node(executor, issue);
  OlOperands operands = ol_plan_operands(executor->plan, issue->node);
  if (node->lane == OL_LANE_HOST_UPDATE) {
    copy_beside(executor, issue);
    return;
  }
  gboolean write = node->lane == OL_LANE_NVME_WRITE;
  int home = operands.buffer[write ? OL_OPERAND_TARGET : OL_OPERAND_SOURCE];
  int slot = operands.buffer[write ? OL_OPERAND_SOURCE : OL_OPERAND_TARGET];
  if (node->bytes > 0)
    ol_storage_move(executor, issue, home, 0, ol_executor_get_buffer(executor, slot), node->bytes,
                    write);
}
