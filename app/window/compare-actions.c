#include "app/window/compare-actions.h"

/* Ctrl+P on the pinned run itself takes the pin away again. */
static void on_pin(GSimpleAction *action, GVariant *parameter, gpointer session)
{
  if (ol_lab_session_is_pinned_shown(session))
    ol_lab_session_unpin(session);
  else
    ol_lab_session_pin(session);
}

static void on_unpin(GSimpleAction *action, GVariant *parameter, gpointer session)
{
  ol_lab_session_unpin(session);
}

static void on_compare_as(GSimpleAction *action, GVariant *value, gpointer session)
{
  ol_lab_session_set_overlay(session, g_str_equal(g_variant_get_string(value, NULL), "overlay"));
}

static void on_other_way(GSimpleAction *action, GVariant *parameter, gpointer session)
{
  ol_lab_session_set_overlay(session, !ol_lab_session_get_overlay(session));
}

static void on_figures(GSimpleAction *action, GVariant *value, gpointer session)
{
  ol_lab_session_set_figures(session, g_variant_get_boolean(value));
}

static GSimpleAction *find(GActionMap *map, const char *name)
{
  return G_SIMPLE_ACTION(g_action_map_lookup_action(map, name));
}

/* What cannot be done now is not offered. */
static void refresh(GActionMap *map, OlLabSession *session)
{
  gboolean pinned = ol_lab_session_get_pinned_title(session) != NULL;
  const char *as = ol_lab_session_get_overlay(session) ? "overlay" : "beside";

  g_simple_action_set_enabled(find(map, "pin"), ol_lab_session_can_pin(session) ||
                                                    ol_lab_session_is_pinned_shown(session));
  g_simple_action_set_enabled(find(map, "unpin"), pinned);
  g_simple_action_set_enabled(find(map, "compare-as"), pinned);
  g_simple_action_set_enabled(find(map, "compare-other-way"), pinned);
  g_simple_action_set_state(find(map, "compare-as"), g_variant_new_string(as));
  g_simple_action_set_state(find(map, "figures"),
                            g_variant_new_boolean(ol_lab_session_get_figures(session)));
}

static void on_session(GActionMap *map, OlLabSession *session)
{
  refresh(map, session);
}

void ol_compare_actions_add(GActionMap *map, OlLabSession *session)
{
  static const GActionEntry entries[] = {
      {.name = "pin", .activate = on_pin},
      {.name = "unpin", .activate = on_unpin},
      {.name = "compare-as",
       .parameter_type = "s",
       .state = "'overlay'",
       .change_state = on_compare_as},
      {.name = "compare-other-way", .activate = on_other_way},
      {.name = "figures", .state = "false", .change_state = on_figures},
  };
  static const char *const signals[] = {"run-shown", "updated", "compare-changed"};

  g_action_map_add_action_entries(map, entries, G_N_ELEMENTS(entries), session);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(on_session), map, G_CONNECT_SWAPPED);
  refresh(map, session);
}
