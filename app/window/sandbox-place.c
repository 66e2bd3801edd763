#include "app/window/sandbox-place.h"

#include "app/window/config-chooser.h"
#include "app/window/sandbox-page.h"
#include "app/window/sandbox-work.h"
#include "engine/base/intl.h"

struct _OlSandboxPlace {
  GObject parent_instance;
  OlLabSession *session;
  const char *data_folder;
  OlSandboxWork *sandboxes[OL_SANDBOX_N_PLACES];
  OlSandboxPage *pages[OL_SANDBOX_N_PLACES]; /* NULL: never opened yet */
  GtkStack *column;
  GtkWidget *window;
  int open; /* which, or -1: a lesson */
  gboolean is_short;
};

G_DEFINE_FINAL_TYPE(OlSandboxPlace, ol_sandbox_place, G_TYPE_OBJECT)

enum { TOLD, CHANGED, MADE, ASKS_FOR, N_SIGNALS };
static guint signals[N_SIGNALS];

const OlLabPlace ol_sandbox_place_names[OL_SANDBOX_N_PLACES] = {
    {N_("Sandbox"), "applications-science-symbolic"},
    {N_("Scale up (planner)"), "view-fullscreen-symbolic"},
};

static const OlFormKind kinds[OL_SANDBOX_N_PLACES] = {OL_FORM_SANDBOX, OL_FORM_SCALE_UP};

const char *const ol_sandbox_place_actions[OL_SANDBOX_N_ACTIONS] = {
    "win.config-open", "win.config-save", "win.config-reset", "win.undo", "win.redo"};

static OlSandboxWork *get_open(OlSandboxPlace *self)
{
  return self->open >= 0 ? self->sandboxes[self->open] : NULL;
}

static void ol_sandbox_place_init(OlSandboxPlace *self)
{
  self->open = -1;
}

static void dispose(GObject *object)
{
  OlSandboxPlace *self = OL_SANDBOX_PLACE(object);

  for (guint i = 0; i < OL_SANDBOX_N_PLACES; i++)
    g_clear_object(&self->sandboxes[i]);
  self->open = -1;
  G_OBJECT_CLASS(ol_sandbox_place_parent_class)->dispose(object);
}

static void ol_sandbox_place_class_init(OlSandboxPlaceClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  signals[TOLD] = g_signal_new("told", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MADE] =
      g_signal_new("made", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ASKS_FOR] = g_signal_new("asks-for", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void on_told(OlSandboxPlace *self, const char *text)
{
  g_signal_emit(self, signals[TOLD], 0, text);
}

static void on_changed(OlSandboxPlace *self)
{
  g_signal_emit(self, signals[CHANGED], 0);
}

static void on_made(OlSandboxPlace *self, guint run, OlSandboxWork *sandbox)
{
  if (sandbox == get_open(self))
    g_signal_emit(self, signals[MADE], 0);
}

OlSandboxPlace *ol_sandbox_place_new(OlLabSession *session, OlProgress *progress,
                                     const char *data_folder, OlEngineSlot *engine)
{
  OlSandboxPlace *self = g_object_new(OL_TYPE_SANDBOX_PLACE, NULL);

  self->session = session;
  self->data_folder = data_folder;
  for (guint i = 0; i < OL_SANDBOX_N_PLACES; i++) {
    OlSandboxWork *sandbox = ol_sandbox_work_new(kinds[i], progress, data_folder, engine);
    self->sandboxes[i] = sandbox;
    g_signal_connect_object(sandbox, "told", G_CALLBACK(on_told), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(sandbox, "edited", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(sandbox, "simulating", G_CALLBACK(on_changed), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(sandbox, "made", G_CALLBACK(on_made), self, G_CONNECT_SWAPPED);
  }
  return self;
}

OlLessonWork *ol_sandbox_place_get_work(OlSandboxPlace *self, guint place)
{
  return ol_sandbox_work_get_work(self->sandboxes[place]);
}

/* Opening one */

void ol_sandbox_place_set_column(OlSandboxPlace *self, GtkStack *column)
{
  self->column = column;
  /* As narrow as the open page alone. */
  gtk_stack_set_hhomogeneous(column, FALSE);
}

static void make_page(OlSandboxPlace *self, guint place)
{
  GtkWidget *page = ol_sandbox_page_new(self->session, self->sandboxes[place], self->data_folder);

  self->pages[place] = OL_SANDBOX_PAGE(page);
  ol_sandbox_page_set_short(self->pages[place], self->is_short);
  gtk_stack_add_child(self->column, page);
  ol_sandbox_work_ask(self->sandboxes[place]);
}

/* The others are hidden, not only covered: assistive technology would read them too. */
static void show_page(OlSandboxPlace *self)
{
  GtkWidget *first = gtk_widget_get_first_child(GTK_WIDGET(self->column)), *shown = first;

  if (self->open >= 0 && !self->pages[self->open])
    make_page(self, (guint)self->open);
  if (self->open >= 0)
    shown = GTK_WIDGET(self->pages[self->open]);
  gtk_widget_set_visible(shown, TRUE);
  gtk_stack_set_visible_child(self->column, shown);
  for (GtkWidget *page = first; page; page = gtk_widget_get_next_sibling(page))
    gtk_widget_set_visible(page, page == shown);
}

void ol_sandbox_place_open(OlSandboxPlace *self, OlLessonWork *work)
{
  self->open = -1;
  for (int i = 0; i < OL_SANDBOX_N_PLACES; i++)
    if (ol_sandbox_work_get_work(self->sandboxes[i]) == work)
      self->open = i;
  show_page(self);
}

void ol_sandbox_place_set_short(OlSandboxPlace *self, gboolean is_short)
{
  self->is_short = is_short;
  for (guint i = 0; i < OL_SANDBOX_N_PLACES; i++)
    if (self->pages[i])
      ol_sandbox_page_set_short(self->pages[i], is_short);
}

gboolean ol_sandbox_place_has_run_button(OlSandboxPlace *self)
{
  return !self->is_short;
}

static void enable(OlSandboxPlace *self, const char *action, gboolean on)
{
  gtk_widget_action_set_enabled(self->window, action, on);
}

gboolean ol_sandbox_place_refresh(OlSandboxPlace *self, gboolean busy)
{
  OlSandboxWork *open = get_open(self);
  const OlConfigDraft *draft = open ? ol_sandbox_work_get_draft(open) : NULL;

  enable(self, "win.config-open", open != NULL);
  enable(self, "win.config-save", open != NULL);
  enable(self, "win.config-reset", open != NULL);
  enable(self, "win.undo", open && ol_config_draft_can_undo(draft));
  enable(self, "win.redo", open && ol_config_draft_can_redo(draft));
  if (!open)
    return FALSE;
  enable(self, "win.run",
         !ol_sandbox_work_get_faults(open) && !ol_sandbox_work_is_simulating(open) &&
             (self->open > 0 || !busy));
  ol_sandbox_page_refresh(self->pages[self->open], busy);
  return TRUE;
}

gboolean ol_sandbox_place_run(OlSandboxPlace *self, gboolean held)
{
  OlSandboxWork *open = get_open(self);

  if (open)
    ol_sandbox_work_run(open, held);
  return open != NULL;
}

gboolean ol_sandbox_place_is_simulating(OlSandboxPlace *self)
{
  OlSandboxWork *open = get_open(self);

  return open && ol_sandbox_work_is_simulating(open);
}

void ol_sandbox_place_cancel(OlSandboxPlace *self)
{
  OlSandboxWork *open = get_open(self);

  if (open)
    ol_sandbox_work_cancel(open);
}

gboolean ol_sandbox_place_grab(OlSandboxPlace *self)
{
  if (self->open >= 0)
    ol_sandbox_page_grab(self->pages[self->open]);
  return self->open >= 0;
}

/* Actions and files */

static void on_open_chosen(const char *path, gpointer data)
{
  OlSandboxPlace *self = g_object_get_data(data, "sandbox-place");

  if (get_open(self))
    ol_sandbox_work_open(get_open(self), path);
}

static void on_save_chosen(const char *path, gpointer data)
{
  OlSandboxPlace *self = g_object_get_data(data, "sandbox-place");

  if (get_open(self))
    ol_sandbox_work_save(get_open(self), path);
}

static gboolean on_drop(GtkDropTarget *target, const GValue *value, double x, double y,
                        OlSandboxPlace *self)
{
  g_autofree char *path = ol_config_dropped_dup_path(value);

  if (!path) {
    on_told(self, _("What was dropped is no file on this machine: copy it here first."));
    return FALSE;
  }
  return gtk_widget_activate_action(self->window, "win.open-file", "s", path);
}

void ol_sandbox_place_open_config(OlSandboxPlace *self, const char *path)
{
  if (!get_open(self))
    g_signal_emit(self, signals[ASKS_FOR], 0, 0u);
  ol_sandbox_work_open(get_open(self), path);
}

void ol_sandbox_place_act(OlSandboxPlace *self, const char *action)
{
  OlSandboxWork *open = get_open(self);

  if (!open)
    return;
  if (g_str_equal(action, "win.config-open"))
    ol_config_choose(self->window, FALSE, on_open_chosen);
  else if (g_str_equal(action, "win.config-save"))
    ol_config_choose(self->window, TRUE, on_save_chosen);
  else if (g_str_equal(action, "win.config-reset"))
    ol_sandbox_work_reset(open);
  else if (g_str_equal(action, "win.undo"))
    ol_sandbox_work_undo(open);
  else
    ol_sandbox_work_redo(open);
}

void ol_sandbox_place_install(OlSandboxPlace *self, GtkWidget *window)
{
  GtkDropTarget *target = gtk_drop_target_new(G_TYPE_INVALID, GDK_ACTION_COPY);
  GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_FILE};

  self->window = window;
  g_object_set_data(G_OBJECT(window), "sandbox-place", self);
  gtk_drop_target_set_gtypes(target, types, G_N_ELEMENTS(types));
  g_signal_connect_object(target, "drop", G_CALLBACK(on_drop), self, 0);
  gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(target));
}
