#include "app/window/application.h"

#include "app/window/help-window.h"
#include "app/window/lab-window.h"
#include "app/window/learner-desk.h"
#include "app/window/shortcuts-window.h"
#include "app/window/window-settings.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"
#include "lessons/own-courses.h"

struct _OlApplication {
  AdwApplication parent_instance;
  GPtrArray *courses; /* OlCourse */
  GPtrArray
      *courses_before; /* what windows that are gone have borrowed may be looked at once more */
  OlLearnerDesk *desk;
};

G_DEFINE_FINAL_TYPE(OlApplication, ol_application, ADW_TYPE_APPLICATION)

static const struct {
  const char *name;
  AdwColorScheme scheme;
} looks[] = {
    {"follow", ADW_COLOR_SCHEME_DEFAULT},
    {"light", ADW_COLOR_SCHEME_FORCE_LIGHT},
    {"dark", ADW_COLOR_SCHEME_FORCE_DARK},
};

static gboolean apply_look(const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS(looks); i++)
    if (g_strcmp0(looks[i].name, name) == 0) {
      adw_style_manager_set_color_scheme(adw_style_manager_get_default(), looks[i].scheme);
      return TRUE;
    }
  return FALSE;
}

static void on_look(GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *name = g_variant_get_string(value, NULL);

  if (!apply_look(name))
    return;
  g_simple_action_set_state(action, value);
  ol_window_settings_set("look", name);
}

static void on_about(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  adw_show_about_window(
      gtk_application_get_active_window(data), "application-name", _("Offload Lab"),
      "application-icon", OL_APPLICATION_ID, "version", OL_VERSION, "license-type",
      GTK_LICENSE_MIT_X11, "comments",
      _("Learn how training moves optimizer state off the GPU: predict, run a real training step, "
        "watch where every byte lies, and answer."),
      NULL);
}

static void on_shortcuts(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window(data);

  if (OL_IS_LAB_WINDOW(window)) /* not above itself */
    ol_shortcuts_window_show(window);
}

/* About what has the focus, else about what is open. */
static void on_help(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window(data);
  g_autoptr(GError) error = NULL;

  if (!OL_IS_LAB_WINDOW(window))
    return; /* help is open already, and above it */
  if (!ol_help_window_show(window, ol_data_folder(),
                           ol_lab_window_get_help_page(OL_LAB_WINDOW(window)), &error))
    ol_lab_window_tell(OL_LAB_WINDOW(window), error->message);
}

static void on_quit(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window(data);

  /* What is still being got ready comes to its end first. */
  if (window)
    gtk_window_close(window);
}

static void set_keys(GtkApplication *application)
{
  static const struct {
    const char *action, *keys[3];
  } bindings[] = {
      {"win.run", {"F5", "<Control>r"}},
      {"win.stop", {"Escape"}},
      {"win.open-run", {"<Control><Shift>o"}},
      {"win.save-run", {"<Control><Shift>s"}},
      {"win.save-picture", {"<Control>e"}},
      {"win.save-table::spans", {"<Control><Shift>e"}},
      {"win.save-trace", {"<Control><Shift>p"}},
      {"win.one-op", {"F8"}},
      {"win.hold", {"<Shift>F8"}},
      {"win.lessons", {"F9"}},
      {"win.go-lesson(-1)", {"<Control>Page_Up", "<Control>Up"}},
      {"win.go-lesson(1)", {"<Control>Page_Down", "<Control>Down"}},
      {"win.go-move(0)", {"<Alt>1"}},
      {"win.go-move(1)", {"<Alt>2"}},
      {"win.go-move(2)", {"<Alt>3"}},
      {"win.go-move(3)", {"<Alt>4"}},
      {"win.column::lesson", {"<Alt>Left"}},
      {"win.column::bench", {"<Alt>Right"}},
      {"win.pin", {"<Control>p"}},
      {"win.compare-other-way", {"<Control>b"}},
      {"win.figures", {"<Control>i"}},
      {"win.config-open", {"<Control>o"}},
      {"win.config-save", {"<Control>s"}},
      {"win.undo", {"<Control>z"}},
      {"win.redo", {"<Control><Shift>z", "<Control>y"}},
      {"win.open-page::classroom", {"F11"}},
      {"app.help", {"F1"}},
      {"app.shortcuts", {"<Control>question"}},
      {"window.close", {"<Control>w"}},
      {"app.quit", {"<Control>q"}},
  };

  for (guint i = 0; i < G_N_ELEMENTS(bindings); i++)
    gtk_application_set_accels_for_action(application, bindings[i].action, bindings[i].keys);
}

static void startup(GApplication *application)
{
  static const GActionEntry entries[] = {
      {.name = "about", .activate = on_about},
      {.name = "help", .activate = on_help},
      {.name = "quit", .activate = on_quit},
      {.name = "shortcuts", .activate = on_shortcuts},
      {.name = "look", .parameter_type = "s", .state = "'follow'", .change_state = on_look},
  };
  g_autofree char *look = ol_window_settings_dup("look");

  G_APPLICATION_CLASS(ol_application_parent_class)->startup(application);
  g_action_map_add_action_entries(G_ACTION_MAP(application), entries, G_N_ELEMENTS(entries),
                                  application);
  set_keys(GTK_APPLICATION(application));
  /* Tab only passes a recipe or a table of bytes: what is in it is selected by who wants it. */
  g_object_set(gtk_settings_get_default(), "gtk-label-select-on-focus", FALSE, NULL);
  gtk_window_set_default_icon_name(OL_APPLICATION_ID);
  if (look && apply_look(look))
    g_simple_action_set_state(
        G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(application), "look")),
        g_variant_new_string(look));
}

/* Without lessons there is no lab: say what is wrong with them, and where. */
static void show_no_lessons(GtkApplication *application, const char *why)
{
  GtkWidget *window = adw_application_window_new(application);
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  AdwStatusPage *page = ADW_STATUS_PAGE(adw_status_page_new());
  g_autofree char *escaped = g_markup_escape_text(why, -1);

  adw_status_page_set_icon_name(page, "dialog-error-symbolic");
  adw_status_page_set_title(page, _("The lessons cannot be read"));
  adw_status_page_set_description(page, escaped);
  gtk_widget_set_vexpand(GTK_WIDGET(page), TRUE);
  gtk_box_append(GTK_BOX(content), adw_header_bar_new());
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(page));
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), content);
  gtk_window_set_title(GTK_WINDOW(window), _("Offload Lab"));
  gtk_window_set_default_size(GTK_WINDOW(window), 800, 500);
  gtk_window_present(GTK_WINDOW(window));
}

static guint count_lessons(GPtrArray *courses)
{
  guint n = 0;

  for (guint i = 0; courses && i < courses->len; i++)
    n += ((const OlCourse *)g_ptr_array_index(courses, i))->n_lessons;
  return n;
}

static void tell_left_out(OlLabWindow *window, GPtrArray *faults)
{
  for (guint i = 0; i < faults->len; i++) {
    g_autofree char *text = g_strdup_printf(_("This course of yours is left out: %s"),
                                            (char *)g_ptr_array_index(faults, i));
    ol_lab_window_tell(window, text);
  }
}

static gboolean on_close_request(OlApplication *self, GtkWindow *window)
{
  gboolean may_close = ol_lab_window_may_close(OL_LAB_WINDOW(window)) &&
                       ol_learner_desk_may_close(self->desk, window);

  return may_close ? GDK_EVENT_PROPAGATE : GDK_EVENT_STOP;
}

/* Of who learns now. */
static OlLabWindow *make_window(OlApplication *self)
{
  OlLabWindow *window = ol_lab_window_new(GTK_APPLICATION(self), self->courses,
                                          ol_learner_desk_get_keeper(self->desk), ol_data_folder());

  g_signal_connect_object(window, "close-request", G_CALLBACK(on_close_request), self,
                          G_CONNECT_SWAPPED);
  return window;
}

static void show_window(OlApplication *self, OlLabWindow *window)
{
  g_autofree char *fault = ol_learner_desk_take_fault(self->desk);

  gtk_window_present(GTK_WINDOW(window));
  if (fault)
    ol_lab_window_tell(window, fault);
}

/* Where several people learn, each should see whose answers these would be. */
static void tell_who(OlApplication *self, OlLabWindow *window)
{
  const OlProgress *progress = ol_progress_keeper_get(ol_learner_desk_get_keeper(self->desk));
  g_autofree char *words = g_strdup_printf(_("%s learns now"), ol_progress_get_learner(progress));

  ol_lab_window_tell_with(window, words, _("Somebody else…"), "app.add-learner");
}

/* A window in the place of the one before. */
static OlLabWindow *renew_window(OlApplication *self)
{
  GtkWindow *before = GTK_WINDOW(ol_lab_window_find(GTK_APPLICATION(self)));
  OlLabWindow *window = make_window(self);
  int width, height;

  if (before) {
    gtk_window_get_default_size(before, &width, &height);
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    if (gtk_window_is_maximized(before))
      gtk_window_maximize(GTK_WINDOW(window));
    if (gtk_window_is_fullscreen(before))
      gtk_window_fullscreen(GTK_WINDOW(window));
  }
  show_window(self, window);
  if (before)
    gtk_window_destroy(before);
  return window;
}

static void on_switched(OlApplication *self)
{
  tell_who(self, renew_window(self));
}

/* The user's own courses are others by now. A run or a class would be ended: then it waits. */
static void on_reload_courses(GSimpleAction *action, GVariant *parameter, gpointer data)
{
  OlApplication *self = data;
  OlLabWindow *before = ol_lab_window_find(GTK_APPLICATION(self));
  g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
  GPtrArray *courses;
  OlLabWindow *window;

  if (!before)
    return;
  if (ol_lab_window_is_busy(before) || ol_lab_window_is_teaching(before)) {
    ol_lab_window_tell(before,
                       _("Saved. It is in the list when the lab is opened again: a run or a class "
                         "is under way."));
    return;
  }
  courses = ol_own_courses_load_all(ol_data_folder(), faults, NULL);
  if (!courses)
    return;
  g_ptr_array_add(self->courses_before, self->courses);
  self->courses = courses;
  window = renew_window(self);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.open-page", "s", "own-lessons");
  if (faults->len > 0)
    tell_left_out(window, faults);
  else
    ol_lab_window_tell(window, _("Saved: your lessons are in the list"));
}

static void open_lab(OlApplication *self)
{
  const char *folder = ol_data_folder();
  g_autoptr(GPtrArray) faults = g_ptr_array_new_with_free_func(g_free);
  g_autoptr(GSimpleAction) reload = g_simple_action_new("reload-courses", NULL);
  g_autoptr(GError) error = NULL;
  OlLabWindow *window;

  self->courses = ol_own_courses_load_all(folder, faults, &error);
  if (count_lessons(self->courses) == 0) {
    g_autofree char *none = g_strdup_printf(_("There is no course in %s/courses."), folder);
    show_no_lessons(GTK_APPLICATION(self), error ? error->message : none);
    return;
  }
  self->courses_before = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
  g_signal_connect_object(reload, "activate", G_CALLBACK(on_reload_courses), self, 0);
  g_action_map_add_action(G_ACTION_MAP(self), G_ACTION(reload));
  self->desk = ol_learner_desk_new(GTK_APPLICATION(self));
  g_signal_connect_object(self->desk, "switched", G_CALLBACK(on_switched), self, G_CONNECT_SWAPPED);
  window = make_window(self);
  show_window(self, window);
  tell_left_out(window, faults);
  if (ol_learner_desk_is_shared(self->desk))
    tell_who(self, window);
}

static void activate(GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(application));

  if (window)
    gtk_window_present(window);
  else
    open_lab(OL_APPLICATION(application));
}

/* offload-lab FILE: as if it were dropped on the window. */
static void open_files(GApplication *application, GFile **files, int n_files, const char *hint)
{
  OlLabWindow *window;

  activate(application);
  window = ol_lab_window_find(GTK_APPLICATION(application));
  if (n_files > 0 && window)
    ol_lab_window_open(window, files[0]);
}

static void finalize(GObject *object)
{
  OlApplication *self = OL_APPLICATION(object);

  g_clear_object(&self->desk);
  g_clear_pointer(&self->courses, g_ptr_array_unref);
  g_clear_pointer(&self->courses_before, g_ptr_array_unref);
  G_OBJECT_CLASS(ol_application_parent_class)->finalize(object);
}

static void ol_application_class_init(OlApplicationClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  G_APPLICATION_CLASS(class)->startup = startup;
  G_APPLICATION_CLASS(class)->activate = activate;
  G_APPLICATION_CLASS(class)->open = open_files;
}

static void ol_application_init(OlApplication *self)
{
}

OlApplication *ol_application_new(void)
{
  OlApplication *self =
      g_object_new(OL_TYPE_APPLICATION, "application-id", OL_APPLICATION_ID, "resource-base-path",
                   "/org/offloadlab/OffloadLab", "flags", G_APPLICATION_HANDLES_OPEN, NULL);

  g_application_set_option_context_parameter_string(G_APPLICATION(self), "[FILE]");
  g_application_set_option_context_summary(
      G_APPLICATION(self),
      _("The lab. FILE is a saved run, which is then on the bench, or a config, "
        "which is then in the sandbox."));
  return self;
}
