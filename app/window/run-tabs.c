#include "app/window/run-tabs.h"

#include "app/window/run-words.h"
#include "engine/base/intl.h"

struct _OlRunTabs {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkBox *tabs;
  GtkToggleButton *first;
  GtkWidget *file, *close; /* of a run opened from one */
  GtkLabel *title, *state;
  GArray *parts;       /* OlRunPart: of the state */
  guint n;             /* runs when the tabs were made */
  gboolean refreshing; /* a button is being pressed by us, not by the learner */
};

G_DEFINE_FINAL_TYPE(OlRunTabs, ol_run_tabs, GTK_TYPE_BOX)

#define REPLAY_TAB (-1) /* in place of a run's number */

static OlLessonRuns *get_runs(OlRunTabs *self)
{
  return ol_lesson_work_get_runs(ol_lab_session_get_work(self->session));
}

static void on_toggled(OlRunTabs *self, GtkToggleButton *button)
{
  int run = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "run"));

  if (self->refreshing || !gtk_toggle_button_get_active(button))
    return;
  if (run == REPLAY_TAB)
    ol_lab_session_show_replay(self->session);
  else
    ol_lab_session_show_run(self->session, run);
}

static GtkWidget *make_tab(OlRunTabs *self, int run, const char *label, const char *title,
                           const char *name)
{
  GtkWidget *button = gtk_toggle_button_new_with_label(label);

  gtk_widget_set_tooltip_text(button, title);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data(G_OBJECT(button), "run", GINT_TO_POINTER(run));
  g_signal_connect_swapped(button, "toggled", G_CALLBACK(on_toggled), self);
  gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), self->first);
  if (!self->first)
    self->first = GTK_TOGGLE_BUTTON(button);
  gtk_box_append(self->tabs, button);
  return button;
}

static void add_run(OlRunTabs *self, guint run)
{
  const char *title = ol_lesson_runs_get(get_runs(self), run)->title;
  g_autofree char *number = g_strdup_printf("%u", run + 1);
  g_autofree char *name = g_strdup_printf(_("Run %u: %s"), run + 1, title);

  make_tab(self, (int)run, number, title, name);
}

/* After the runs: the file that may be open, and a way to be rid of it. */
static void add_replay(OlRunTabs *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name("window-close-symbolic");

  self->file = make_tab(self, REPLAY_TAB, _("File"), NULL, NULL);
  self->close = close;
  gtk_actionable_set_action_name(GTK_ACTIONABLE(close), "win.close-run");
  gtk_widget_set_tooltip_text(close, _("Close the file"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Close the file"), -1);
  gtk_box_append(self->tabs, close);
}

static void refresh_replay(OlRunTabs *self)
{
  const OlReplay *replay = ol_lab_session_get_replay(self->session);
  g_autofree char *name =
      replay ? g_strdup_printf(_("File: %s"), ol_replay_get_name(replay)) : g_strdup("");

  if (replay) {
    gtk_widget_set_tooltip_text(self->file, ol_replay_get_name(replay));
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->file), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   -1);
  }
  gtk_widget_set_visible(self->file, replay != NULL);
  gtk_widget_set_visible(self->close, replay != NULL);
  /* One run needs no choosing. */
  gtk_widget_set_visible(GTK_WIDGET(self->tabs),
                         ol_lesson_runs_count(get_runs(self)) > 1 || replay);
}

static void make_tabs(OlRunTabs *self)
{
  guint n = ol_lesson_runs_count(get_runs(self));
  guint kept = ol_lesson_runs_get_first(get_runs(self));
  GtkWidget *child;

  self->refreshing = TRUE;
  self->first = NULL;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->tabs))))
    gtk_box_remove(self->tabs, child);
  for (guint i = kept; i < n; i++)
    add_run(self, i);
  add_replay(self);
  refresh_replay(self);
  self->n = n;
  self->refreshing = FALSE;
}

/* "Running · step 7 of 20 · loss 2.31" */
static GArray *new_state(OlRunTabs *self, int shown)
{
  gboolean there = ol_lab_session_get_view(self->session)->there;
  GArray *parts;

  if (ol_lab_session_is_on_replay(self->session))
    return ol_replay_new_state(ol_lab_session_get_replay(self->session), there);
  if (shown < 0)
    return ol_run_parts_new();
  parts = ol_run_words_new_state(get_runs(self), (guint)shown, there);
  ol_run_parts_add_loss(parts, ol_lesson_runs_get_trace(get_runs(self), (guint)shown));
  return parts;
}

/* A number leads to what it comes from, as every number on the bench. */
static gboolean on_link(OlRunTabs *self, const char *link)
{
  guint i = (guint)g_ascii_strtoull(link, NULL, 10);

  if (self->parts && i < self->parts->len) {
    OlNumber number = ol_number(g_array_index(self->parts, OlRunPart, i).kind,
                                ol_lab_session_get_view(self->session)->rank);
    ol_lab_session_press(self->session, &number);
  }
  return TRUE;
}

/* While it stays as it is, the focus that may be on it stays, too. */
static void show_state(OlRunTabs *self, int shown)
{
  g_autofree char *markup = NULL;

  g_clear_pointer(&self->parts, g_array_unref);
  self->parts = new_state(self, shown);
  markup = ol_run_parts_dup_markup(self->parts);
  if (g_strcmp0(gtk_label_get_label(self->state), markup) != 0)
    gtk_label_set_markup(self->state, markup);
}

static const char *get_title(OlRunTabs *self, int shown)
{
  if (ol_lab_session_is_on_replay(self->session))
    return ol_replay_get_name(ol_lab_session_get_replay(self->session));
  return shown < 0 ? "" : ol_lesson_runs_get(get_runs(self), (guint)shown)->title;
}

static void press(OlRunTabs *self, int shown)
{
  self->refreshing = TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self->tabs)); child;
       child = gtk_widget_get_next_sibling(child))
    if (GTK_IS_TOGGLE_BUTTON(child) &&
        GPOINTER_TO_INT(g_object_get_data(G_OBJECT(child), "run")) == shown)
      gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(child), TRUE);
  self->refreshing = FALSE;
}

static void refresh(OlRunTabs *self)
{
  gboolean on_replay = ol_lab_session_is_on_replay(self->session);
  int shown = on_replay ? REPLAY_TAB : ol_lab_session_get_run(self->session);

  if (self->n != ol_lesson_runs_count(get_runs(self)))
    make_tabs(self);
  refresh_replay(self);
  press(self, shown);
  gtk_label_set_text(self->title, get_title(self, shown));
  show_state(self, shown);
}

static void dispose(GObject *object)
{
  OlRunTabs *self = OL_RUN_TABS(object);

  g_clear_object(&self->session);
  g_clear_pointer(&self->parts, g_array_unref);
  G_OBJECT_CLASS(ol_run_tabs_parent_class)->dispose(object);
}

static void ol_run_tabs_class_init(OlRunTabsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static GtkLabel *make_label(const char *css_class)
{
  GtkLabel *label = GTK_LABEL(gtk_label_new(NULL));

  gtk_label_set_xalign(label, 0);
  gtk_label_set_wrap(label, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(label), css_class);
  return label;
}

static void ol_run_tabs_init(OlRunTabs *self)
{
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(GTK_WIDGET(self), "run-tabs");
  self->tabs = GTK_BOX(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->tabs), "linked");
  gtk_widget_set_valign(GTK_WIDGET(self->tabs), GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->tabs), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("The run on the bench"), -1);
  self->title = make_label("heading");
  self->state = make_label("caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->state), "dim-label");
  g_signal_connect_swapped(self->state, "activate-link", G_CALLBACK(on_link), self);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->title));
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->state));
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->tabs));
  gtk_box_append(GTK_BOX(self), words);
}

GtkWidget *ol_run_tabs_new(OlLabSession *session)
{
  static const char *const signals[] = {"run-shown", "grown", "updated"};
  OlRunTabs *self = g_object_new(OL_TYPE_RUN_TABS, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(make_tabs), self,
                          G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
