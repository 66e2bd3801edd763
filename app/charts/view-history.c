#include "app/charts/view-history.h"

#define ONE_MOVE_US 700000 /* changes closer than this belong together */
#define MOST        64u

void ol_view_history_init(OlViewHistory *history)
{
  *history = (OlViewHistory){.back = g_array_new(FALSE, FALSE, sizeof(OlSight)),
                             .forward = g_array_new(FALSE, FALSE, sizeof(OlSight)),
                             .noted_us = -ONE_MOVE_US};
}

void ol_view_history_clear(OlViewHistory *history)
{
  g_clear_pointer(&history->back, g_array_unref);
  g_clear_pointer(&history->forward, g_array_unref);
}

void ol_view_history_forget(OlViewHistory *history)
{
  g_array_set_size(history->back, 0);
  g_array_set_size(history->forward, 0);
  history->noted_us = -ONE_MOVE_US;
}

void ol_view_history_note(OlViewHistory *history, OlSight from, gint64 now_us)
{
  gboolean same_move = now_us - history->noted_us < ONE_MOVE_US && history->back->len > 0;
  history->noted_us = now_us;
  g_array_set_size(history->forward, 0);
  if (same_move)
    return;
  if (history->back->len == MOST)
    g_array_remove_index(history->back, 0);
  g_array_append_val(history->back, from);
}

static gboolean go(OlViewHistory *history, GArray *out, GArray *in, OlSight from, OlSight *to)
{
  if (out->len == 0)
    return FALSE;
  *to = g_array_index(out, OlSight, out->len - 1);
  g_array_set_size(out, out->len - 1);
  g_array_append_val(in, from);
  history->noted_us = -ONE_MOVE_US; /* what comes now is a move of its own */
  return TRUE;
}

gboolean ol_view_history_go_back(OlViewHistory *history, OlSight from, OlSight *to)
{
  return go(history, history->back, history->forward, from, to);
}

gboolean ol_view_history_go_forward(OlViewHistory *history, OlSight from, OlSight *to)
{
  return go(history, history->forward, history->back, from, to);
}
