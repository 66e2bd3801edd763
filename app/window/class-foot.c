#include "app/window/class-foot.h"

#include "engine/base/intl.h"

typedef enum { NEXT, BACK, AGAIN, UNDO, BENCH, RUN, BEFORE, AFTER, BLANK, SAVE, LEAVE, N_KEYS } Key;

static const struct {
  const char *key, *words, *action;
} keys[N_KEYS] = {
    [NEXT] = {N_("Space"), "", "class.next"},
    [BACK] = {N_("Page Up"), N_("Back"), "class.back"},
    [AGAIN] = {"V", N_("Vote again"), "class.vote"},
    [UNDO] = {"⌫", N_("Take the last vote back"), "class.undo-vote"},
    [BENCH] = {"E", N_("Bench"), "class.bench"},
    [RUN] = {"R", N_("Run"), "class.run"},
    [BEFORE] = {"←", N_("Question before"), "class.question(-1)"},
    [AFTER] = {"→", N_("Next question"), "class.question(1)"},
    [BLANK] = {"B", N_("Blank"), "class.blank"},
    [SAVE] = {N_("Ctrl+S"), N_("Save results"), "class.save"},
    [LEAVE] = {N_("Esc"), N_("Leave"), "class.leave"},
};

struct _OlClassFoot {
  GtkBox parent_instance;
  GtkWidget *buttons[N_KEYS];
  GtkLabel *keys[N_KEYS], *words[N_KEYS];
};

G_DEFINE_FINAL_TYPE(OlClassFoot, ol_class_foot, GTK_TYPE_BOX)

static void say(OlClassFoot *self, Key key, const char *letter, const char *words)
{
  gtk_label_set_text(self->keys[key], letter);
  gtk_label_set_text(self->words[key], words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->buttons[key]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 words, -1);
}

static const char *find_next_words(const OlClassSession *session)
{
  gboolean other;
  OlClassStage here = ol_class_session_get_stage(session),
               next = ol_class_session_peek(session, &other);

  if (other)
    return _("Next question");
  switch (next) {
  case OL_CLASS_BENCH:
    return _("Bench");
  case OL_CLASS_FIRST_VOTE:
  case OL_CLASS_SECOND_VOTE:
    return here < next ? _("Open the vote") : _("Back to the vote");
  case OL_CLASS_FIRST_TALLY:
  case OL_CLASS_SECOND_TALLY:
    return here < next && here != OL_CLASS_BENCH ? _("Close the vote") : _("Tally");
  case OL_CLASS_REVEALED:
    return _("Reveal");
  case OL_CLASS_EXPLAINED:
    return _("Explain");
  default:
    return _("Question");
  }
}

static void show(OlClassFoot *self, Key key, gboolean visible)
{
  gtk_widget_set_visible(gtk_widget_get_parent(self->buttons[key]), visible);
}

void ol_class_foot_refresh(OlClassFoot *self, const OlClassSession *session, gboolean is_running)
{
  gboolean open = ol_class_session_get_open_round(session) >= 0, other;
  gboolean at_bench = ol_class_session_get_stage(session) == OL_CLASS_BENCH;
  gboolean has_bench = ol_class_session_get_item(session)->lesson != NULL;
  guint position = ol_class_session_get_position(session), n = ol_class_session_count(session);
  OlClassStage next = ol_class_session_peek(session, &other);

  say(self, NEXT, _(keys[NEXT].key), find_next_words(session));
  show(self, NEXT, other || next != ol_class_session_get_stage(session));
  show(self, AGAIN, ol_class_session_may_vote_again(session));
  show(self, UNDO, open);
  show(self, BENCH, has_bench && !at_bench && !open);
  show(self, RUN, at_bench);
  say(self, RUN, keys[RUN].key, is_running ? _("Stop the run") : _("Make the next run"));
  show(self, BEFORE, position > 0);
  show(self, AFTER, position + 1 < n);
  show(self, SAVE, ol_class_session_has_votes(session));
}

static GtkWidget *make_button(OlClassFoot *self, Key key)
{
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->buttons[key] = gtk_button_new();
  self->keys[key] = GTK_LABEL(gtk_label_new(NULL));
  self->words[key] = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_add_css_class(GTK_WIDGET(self->keys[key]), "class-key");
  gtk_box_append(GTK_BOX(both), GTK_WIDGET(self->keys[key]));
  gtk_box_append(GTK_BOX(both), GTK_WIDGET(self->words[key]));
  gtk_button_set_child(GTK_BUTTON(self->buttons[key]), both);
  gtk_widget_add_css_class(self->buttons[key], "flat");
  gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(self->buttons[key]), keys[key].action);
  gtk_widget_set_focus_on_click(self->buttons[key], FALSE);
  say(self, key, _(keys[key].key), _(keys[key].words));
  return self->buttons[key];
}

static void ol_class_foot_class_init(OlClassFootClass *class)
{
}

/* In as many lines as they take. */
static void ol_class_foot_init(OlClassFoot *self)
{
  GtkFlowBox *flow = GTK_FLOW_BOX(gtk_flow_box_new());

  gtk_widget_add_css_class(GTK_WIDGET(self), "class-foot");
  gtk_flow_box_set_selection_mode(flow, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line(flow, N_KEYS);
  gtk_widget_set_hexpand(GTK_WIDGET(flow), TRUE);
  for (int key = 0; key < N_KEYS; key++) {
    GtkWidget *child = gtk_flow_box_child_new();
    gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), make_button(self, (Key)key));
    gtk_widget_set_focusable(child, FALSE); /* its button is */
    gtk_flow_box_insert(flow, child, -1);
  }
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(flow));
}

GtkWidget *ol_class_foot_new(void)
{
  return g_object_new(OL_TYPE_CLASS_FOOT, NULL);
}
