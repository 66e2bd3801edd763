#include "app/window/learner-desk.h"

#include "app/window/ask.h"
#include "app/window/lab-window.h"
#include "app/window/progress-files.h"
#include "app/window/window-settings.h"
#include "engine/base/intl.h"
#include "lessons/learners.h"

#define LONGEST_NAME 80
#define SETTING      "learner"

struct _OlLearnerDesk {
  GObject parent_instance;
  GtkApplication *application;
  GPtrArray *keepers;     /* OlProgressKeeper of everybody who was here */
  OlProgressKeeper *now;  /* one of them */
  GSimpleAction *learner; /* its state is who learns now */
  char *typed;            /* the name that is asked for, so far */
  char *waiting;          /* who learns once a run may be stopped */
  char *fault;            /* of the file of who learns now */
  OlTextSaver *saver;     /* of copies, one after the other … */
  guint n_copied;         /* … of so many keepers, or none was to be made */
};

G_DEFINE_FINAL_TYPE(OlLearnerDesk, ol_learner_desk, G_TYPE_OBJECT)

enum { SWITCHED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *get_name(OlProgressKeeper *keeper)
{
  return ol_progress_get_learner(ol_progress_keeper_get(keeper));
}

/* Kept from before, with what another program has saved meanwhile; or from the disk. */
static OlProgressKeeper *seat(OlLearnerDesk *self, const char *name)
{
  g_autoptr(GError) error = NULL;
  OlProgressKeeper *keeper;

  for (guint i = 0; i < self->keepers->len; i++) {
    keeper = g_ptr_array_index(self->keepers, i);
    if (g_strcmp0(get_name(keeper), name) == 0) {
      ol_progress_keeper_save(keeper);
      return keeper;
    }
  }
  keeper = ol_progress_keeper_new(name, &error);
  g_ptr_array_add(self->keepers, keeper);
  g_free(self->fault);
  self->fault = error ? g_strdup(error->message) : NULL;
  return keeper;
}

static void set_now(OlLearnerDesk *self, const char *name)
{
  self->now = seat(self, name);
  g_simple_action_set_state(self->learner, g_variant_new_string(get_name(self->now)));
}

/* Once begun, a learner is in the list of this computer, though nothing is answered yet. */
static void switch_to(OlLearnerDesk *self, const char *name)
{
  g_autofree char *whom = g_strdup(name);

  set_now(self, whom);
  ol_progress_keeper_save(self->now);
  ol_window_settings_set(SETTING, whom);
  g_signal_emit(self, signals[SWITCHED], 0);
}

static void on_may_stop(gpointer data)
{
  OlLearnerDesk *self = data;
  g_autofree char *name = g_steal_pointer(&self->waiting);

  if (name)
    switch_to(self, name);
}

/* A run or a class: either ends with the window. */
static void ask_to_stop(OlLearnerDesk *self, OlLabWindow *window, const char *name)
{
  gboolean class = ol_lab_window_is_teaching(window);
  g_autofree char *body =
      class ? g_strdup_printf(_("A class is under way. It ends when %s learns now; what was voted "
                                "in it is kept."),
                              name)
            : g_strdup_printf(_("A run of %s is under way. It is stopped when %s learns now; what "
                                "was answered and run before is kept."),
                              get_name(self->now), name);
  g_autofree char *go = class ? g_strdup_printf(_("End it: %s learns"), name)
                              : g_strdup_printf(_("Stop it: %s learns"), name);

  g_free(self->waiting);
  self->waiting = g_strdup(name);
  ol_ask(GTK_WINDOW(window), class ? _("End the class?") : _("Stop the run?"), body,
         _("Let it go on"), go, ADW_RESPONSE_DESTRUCTIVE, on_may_stop, self);
}

static void ask_for(OlLearnerDesk *self, const char *name)
{
  OlLabWindow *window = ol_lab_window_find(self->application);

  if (!window || g_strcmp0(name, get_name(self->now)) == 0)
    return;
  if (ol_lab_window_is_editing(window))
    ol_lab_window_tell(
        window, _("A quiz, a lesson or a class has something that is not saved: save it first."));
  else if (ol_lab_window_is_busy(window) || ol_lab_window_is_teaching(window))
    ask_to_stop(self, window, name);
  else
    switch_to(self, name);
}

static void on_learner(GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autofree char *name = g_variant_dup_string(value, NULL);

  if (ol_learner_check_name(name) == OL_NAME_FINE)
    ask_for(data, name);
}

/* Adding one */

static void on_typed(OlLearnerDesk *self, GtkEditable *entry)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(gtk_widget_get_root(GTK_WIDGET(entry)));

  g_free(self->typed);
  self->typed = g_strstrip(g_strdup(gtk_editable_get_text(entry)));
  adw_message_dialog_set_response_enabled(dialog, "go",
                                          ol_learner_check_name(self->typed) == OL_NAME_FINE);
}

/* Who types a name that is here already, be it in small letters, is that learner. */
static void on_named(gpointer data)
{
  OlLearnerDesk *self = data;
  g_autofree char *name = g_steal_pointer(&self->typed);
  g_autoptr(GPtrArray) learners = ol_learners_list();
  const char *known = name ? ol_learners_find(learners, name) : NULL;

  if (name && ol_learner_check_name(name) == OL_NAME_FINE)
    ask_for(self, known ? known : name);
}

static void on_add(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OlLearnerDesk *self = data;
  OlLabWindow *window = ol_lab_window_find(self->application);
  GtkWidget *entry = gtk_entry_new();
  AdwMessageDialog *dialog;

  if (!window) {
    g_object_ref_sink(entry);
    g_object_unref(entry);
    return;
  }
  gtk_entry_set_max_length(GTK_ENTRY(entry), LONGEST_NAME);
  gtk_entry_set_activates_default(GTK_ENTRY(entry), TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Name of the learner"), -1);
  dialog = ol_ask(GTK_WINDOW(window), _("Who learns?"),
                  _("Each learner of this computer has progress of their own, under a name. It is "
                    "no password: whoever sits here can choose any of them."),
                  _("Cancel"), _("Learn under this name"), ADW_RESPONSE_SUGGESTED, on_named, self);
  adw_message_dialog_set_extra_child(dialog, entry);
  g_signal_connect_object(entry, "changed", G_CALLBACK(on_typed), self, G_CONNECT_SWAPPED);
  on_typed(self, GTK_EDITABLE(entry));
  gtk_widget_grab_focus(entry);
}

/* Closing */

static char *dup_unsaved(OlLearnerDesk *self)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

  for (guint i = 0; i < self->keepers->len; i++) {
    OlProgressKeeper *keeper = g_ptr_array_index(self->keepers, i);
    if (ol_progress_keeper_get_why(keeper) && !ol_progress_keeper_save(keeper))
      g_ptr_array_add(lines, g_strdup_printf(_("Progress of %s: %s."), get_name(keeper),
                                             ol_progress_keeper_get_why(keeper)));
  }
  if (lines->len == 0)
    return NULL;
  g_ptr_array_add(lines, NULL);
  return g_strjoinv("\n", (char **)lines->pdata);
}

static void on_lose(gpointer window)
{
  gtk_window_destroy(window);
}

/* A copy of everybody's that is not saved, in turn. */
static void copy_next(OlLearnerDesk *self)
{
  while (self->n_copied < self->keepers->len) {
    OlProgressKeeper *keeper = g_ptr_array_index(self->keepers, self->n_copied++);
    if (ol_progress_keeper_get_why(keeper)) {
      ol_progress_files_ask_copy(self->saver, ol_progress_keeper_get(keeper));
      return;
    }
  }
}

static void on_copy(AdwMessageDialog *dialog, const char *response, OlLearnerDesk *self)
{
  g_clear_object(&self->saver);
  self->saver = ol_text_saver_new(gtk_window_get_transient_for(GTK_WINDOW(dialog)));
  self->n_copied = 0;
  g_signal_connect_object(self->saver, "saved", G_CALLBACK(copy_next), self, G_CONNECT_SWAPPED);
  copy_next(self);
}

gboolean ol_learner_desk_may_close(OlLearnerDesk *self, GtkWindow *window)
{
  g_autofree char *unsaved = dup_unsaved(self);
  AdwMessageDialog *dialog;

  if (!unsaved)
    return TRUE;
  dialog =
      ol_ask(window, _("Close without saving?"),
             _("This is only in memory, and lost when the lab closes. Make room or give access "
               "there and close again, or save a copy elsewhere, which can be added later."),
             _("Stay"), _("Close and lose it"), ADW_RESPONSE_DESTRUCTIVE, on_lose, window);
  ol_ask_list(dialog, unsaved);
  adw_message_dialog_add_response(dialog, "copy", _("Save a copy…"));
  g_signal_connect_object(dialog, "response::copy", G_CALLBACK(on_copy), self, 0);
  return FALSE;
}

/* Beginning */

/* Who learned last, if anything is kept of them; else who is logged in. */
static char *dup_first(void)
{
  g_autofree char *last = ol_window_settings_dup(SETTING);
  g_autofree char *path =
      last && ol_learner_check_name(last) == OL_NAME_FINE ? ol_learner_dup_path(last) : NULL;

  return path && g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&last)
                                                       : ol_learner_dup_name(NULL);
}

OlProgressKeeper *ol_learner_desk_get_keeper(OlLearnerDesk *self)
{
  return self->now;
}

char *ol_learner_desk_take_fault(OlLearnerDesk *self)
{
  return g_steal_pointer(&self->fault);
}

gboolean ol_learner_desk_is_shared(OlLearnerDesk *self)
{
  g_autoptr(GPtrArray) learners = ol_learners_list();

  return learners->len > 1;
}

static void finalize(GObject *object)
{
  OlLearnerDesk *self = OL_LEARNER_DESK(object);

  g_clear_pointer(&self->keepers, g_ptr_array_unref);
  g_clear_object(&self->learner);
  g_clear_object(&self->saver);
  g_free(self->typed);
  g_free(self->waiting);
  g_free(self->fault);
  G_OBJECT_CLASS(ol_learner_desk_parent_class)->finalize(object);
}

static void ol_learner_desk_class_init(OlLearnerDeskClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[SWITCHED] = g_signal_new("switched", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_learner_desk_init(OlLearnerDesk *self)
{
  self->keepers = g_ptr_array_new_with_free_func(g_object_unref);
}

OlLearnerDesk *ol_learner_desk_new(GtkApplication *application)
{
  OlLearnerDesk *self = g_object_new(OL_TYPE_LEARNER_DESK, NULL);
  g_autoptr(GSimpleAction) add = g_simple_action_new("add-learner", NULL);
  g_autofree char *first = dup_first();

  self->application = application;
  self->learner =
      g_simple_action_new_stateful("learner", G_VARIANT_TYPE_STRING, g_variant_new_string(first));
  g_signal_connect_object(self->learner, "change-state", G_CALLBACK(on_learner), self, 0);
  g_signal_connect_object(add, "activate", G_CALLBACK(on_add), self, 0);
  g_action_map_add_action(G_ACTION_MAP(application), G_ACTION(self->learner));
  g_action_map_add_action(G_ACTION_MAP(application), G_ACTION(add));
  set_now(self, first);
  return self;
}
