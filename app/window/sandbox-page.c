#include "app/window/sandbox-page.h"

#include "app/window/config-form.h"
#include "app/window/forecast-card.h"
#include "app/window/help-window.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define REFUSAL_LINES 8
#define PATIENCE_MS   300 /* before an old forecast is greyed: most are there much sooner */

struct _OlSandboxPage {
  GtkBox parent_instance;
  OlLabSession *session;
  OlSandboxWork *sandbox;
  OlForecastCard *card;
  OlConfigForm *form;
  GtkWidget *title, *head, *body;
  GtkWidget *run, *progress, *cancel;
  gboolean is_short;
  GtkWidget *refusal; /* why a file was not opened or written, until it is closed */
  GtkLabel *refusal_words;
  guint slow_source;
  char *why; /* there is no forecast of the last config that could stand, or NULL */
  gboolean busy;
};

G_DEFINE_FINAL_TYPE(OlSandboxPage, ol_sandbox_page, GTK_TYPE_BOX)

static gboolean is_plan(OlSandboxPage *self)
{
  return ol_sandbox_work_get_kind(self->sandbox) == OL_FORM_SCALE_UP;
}

static void refresh_run(OlSandboxPage *self)
{
  gboolean simulating = ol_sandbox_work_is_simulating(self->sandbox);
  gboolean can = !ol_sandbox_work_get_faults(self->sandbox) && (is_plan(self) || !self->busy);

  gtk_widget_set_visible(self->run, !simulating && !self->is_short);
  gtk_widget_set_sensitive(self->run, can);
  gtk_widget_set_visible(self->progress, simulating);
  gtk_widget_set_visible(self->cancel, simulating);
  if (!simulating)
    return;
  gtk_progress_bar_set_text(GTK_PROGRESS_BAR(self->progress),
                            ol_sandbox_work_get_part(self->sandbox));
  gtk_progress_bar_pulse(GTK_PROGRESS_BAR(self->progress));
}

void ol_sandbox_page_refresh(OlSandboxPage *self, gboolean busy)
{
  self->busy = busy;
  refresh_run(self);
}

static char *dup_at_fault(const GPtrArray *faults)
{
  const OlConfigFault *fault = g_ptr_array_index(faults, 0);
  const OlFieldWords *key = ol_field_words_find(fault->path);

  return faults->len > 1 ? g_strdup_printf(_("%u keys below"), faults->len)
                         : g_strdup_printf(_("“%s” below"), key ? key->title : fault->path);
}

/* What stands below the figures when they are not of what the form says. */
static char *dup_grey_words(OlSandboxPage *self)
{
  GPtrArray *faults = ol_sandbox_work_get_faults(self->sandbox);

  if (!faults)
    return g_strdup(_("Working it out …"));
  g_autofree char *keys = dup_at_fault(faults);
  if (ol_sandbox_work_is_behind(self->sandbox))
    return g_strdup_printf(_("%s cannot stand: working out the last config that could …"), keys);
  if (self->why)
    return g_strdup_printf(_("%s cannot stand. Of the last config that could: %s"), keys,
                           self->why);
  return g_strdup_printf(_("%s cannot stand: these figures are of the last config that could."),
                         keys);
}

static gboolean on_slow(gpointer data)
{
  OlSandboxPage *self = data;
  g_autofree char *words = dup_grey_words(self);

  self->slow_source = 0;
  ol_forecast_card_grey(self->card, words);
  return G_SOURCE_REMOVE;
}

static void on_edited(OlSandboxPage *self)
{
  GPtrArray *faults = ol_sandbox_work_get_faults(self->sandbox);

  ol_config_form_show(self->form, ol_sandbox_work_get_draft(self->sandbox), faults);
  g_clear_handle_id(&self->slow_source, g_source_remove);
  if (faults)
    on_slow(self);
  else
    self->slow_source = g_timeout_add(PATIENCE_MS, on_slow, self);
  refresh_run(self);
}

static void on_forecast(OlSandboxPage *self, gpointer forecast, const char *why)
{
  gboolean more_comes = ol_sandbox_work_is_forecasting(self->sandbox);

  g_free(self->why);
  self->why = g_strdup(why);
  if (forecast)
    ol_forecast_card_show(self->card, forecast);
  if (ol_sandbox_work_get_faults(self->sandbox)) {
    on_slow(self);
    return;
  }
  if (!more_comes || why)
    g_clear_handle_id(&self->slow_source, g_source_remove);
  if (!more_comes || forecast || why)
    ol_forecast_card_grey(self->card, why);
}

static void on_form_edited(OlSandboxPage *self, guint key, const char *typed)
{
  ol_sandbox_work_edit(self->sandbox, key, typed);
}

static void on_model_picked(OlSandboxPage *self, const char *name)
{
  ol_sandbox_work_pick_model(self->sandbox, name);
}

static void on_made(OlSandboxPage *self, guint run)
{
  if (ol_lab_session_get_work(self->session) == ol_sandbox_work_get_work(self->sandbox))
    ol_lab_session_show_run(self->session, (int)run);
}

static void on_refused(OlSandboxPage *self, const char *why)
{
  gtk_label_set_text(self->refusal_words, why);
  gtk_widget_set_visible(self->refusal, TRUE);
}

static void on_refusal_read(OlSandboxPage *self)
{
  gtk_widget_set_visible(self->refusal, FALSE);
}

static void on_cancel(OlSandboxPage *self)
{
  ol_sandbox_work_cancel(self->sandbox);
}

static void on_session_updated(OlSandboxPage *self)
{
  ol_forecast_card_set_there(self->card, ol_lab_session_get_view(self->session)->there);
}

void ol_sandbox_page_grab(OlSandboxPage *self)
{
  ol_config_form_grab(self->form);
}

/* The title scrolls with the form then; the header has a button to run, too. */
void ol_sandbox_page_set_short(OlSandboxPage *self, gboolean is_short)
{
  GtkWidget *from = is_short ? self->head : self->body, *to = is_short ? self->body : self->head;

  if (self->is_short == is_short)
    return;
  self->is_short = is_short;
  g_object_ref(self->title);
  gtk_box_remove(GTK_BOX(from), self->title);
  gtk_box_prepend(GTK_BOX(to), self->title);
  g_object_unref(self->title);
  refresh_run(self);
}

/* Building */

static GtkWidget *make_tool(const char *icon, const char *action, const char *words,
                            const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);

  gtk_widget_add_css_class(button, "flat");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_widget_set_tooltip_text(button, tooltip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  return button;
}

/* A grid: with large text a box measures itself higher with a width than without, by baselines of
 * words and icons, which a grid pays no heed to. */
static GtkWidget *make_title(OlSandboxPage *self)
{
  GtkWidget *line = gtk_grid_new();
  GtkLabel *title = ol_words_label_new(is_plan(self) ? _("Scale up") : _("Sandbox"), "title-2");
  GtkWidget *tools[] = {
      make_tool("document-open-symbolic", "win.config-open", _("Open a config"),
                _("Open a config (Ctrl+O), or drop one on the window")),
      make_tool("document-save-symbolic", "win.config-save", _("Save the config"),
                _("Save the config (Ctrl+S)")),
      make_tool("edit-undo-symbolic", "win.undo", _("Undo"), _("Undo the last change (Ctrl+Z)")),
      make_tool("edit-redo-symbolic", "win.redo", _("Redo"), _("Redo (Ctrl+Shift+Z)")),
      make_tool("document-revert-symbolic", "win.config-reset", _("Back to the defaults"),
                _("Back to the defaults"))};

  gtk_widget_add_css_class(line, "sandbox-title");
  gtk_widget_set_hexpand(GTK_WIDGET(title), TRUE);
  gtk_grid_attach(GTK_GRID(line), GTK_WIDGET(title), 0, 0, 1, 1);
  for (guint i = 0; i < G_N_ELEMENTS(tools); i++)
    gtk_grid_attach(GTK_GRID(line), tools[i], (int)i + 1, 0, 1, 1);
  return line;
}

static void make_run(OlSandboxPage *self, GtkBox *column)
{
  self->run = gtk_button_new_with_label(is_plan(self) ? _("Simulate at full size") : _("Run it"));
  gtk_widget_add_css_class(self->run, "suggested-action");
  gtk_widget_add_css_class(self->run, "go-on");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->run), "win.run");
  self->progress = gtk_progress_bar_new();
  gtk_progress_bar_set_show_text(GTK_PROGRESS_BAR(self->progress), TRUE);
  self->cancel = gtk_button_new_with_label(_("Cancel the simulation"));
  g_signal_connect_swapped(self->cancel, "clicked", G_CALLBACK(on_cancel), self);
  gtk_box_append(column, self->run);
  gtk_box_append(column, self->progress);
  gtk_box_append(column, self->cancel);
}

/* A file may have many faults, and each is a line. */
static GtkWidget *make_refusal(OlSandboxPage *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name("window-close-symbolic");

  self->refusal = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  self->refusal_words = ol_words_label_new(NULL, NULL);
  gtk_label_set_max_width_chars(self->refusal_words, 1);
  gtk_label_set_lines(self->refusal_words, REFUSAL_LINES);
  gtk_label_set_ellipsize(self->refusal_words, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(GTK_WIDGET(self->refusal_words), TRUE);
  gtk_widget_add_css_class(self->refusal, "refusal");
  gtk_widget_add_css_class(close, "flat");
  gtk_widget_set_valign(close, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("I have read it"), -1);
  g_signal_connect_swapped(close, "clicked", G_CALLBACK(on_refusal_read), self);
  gtk_box_append(GTK_BOX(self->refusal), GTK_WIDGET(self->refusal_words));
  gtk_box_append(GTK_BOX(self->refusal), close);
  gtk_widget_set_visible(self->refusal, FALSE);
  return self->refusal;
}

/* What stays in sight while the form scrolls. */
static GtkWidget *make_head(OlSandboxPage *self)
{
  GtkWidget *head = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(head, "sandbox-head");
  self->head = head;
  self->title = make_title(self);
  gtk_box_append(GTK_BOX(head), self->title);
  gtk_box_append(GTK_BOX(head), make_refusal(self));
  self->card = OL_FORECAST_CARD(ol_forecast_card_new());
  gtk_box_append(GTK_BOX(head), GTK_WIDGET(self->card));
  make_run(self, GTK_BOX(head));
  return head;
}

static GtkWidget *make_body(OlSandboxPage *self, const char *data_folder)
{
  GtkWidget *body = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkLabel *goal = ol_words_label_new(
      is_plan(self)
          ? _("Any model on any machines, planned and simulated as large as it is. Nothing "
              "is run: the times are the model's, not measured.")
          : _("Turn anything and see what it will take, then run it for real."),
      "goal");

  gtk_widget_add_css_class(body, "sandbox-body");
  self->body = body;
  gtk_box_append(GTK_BOX(body), GTK_WIDGET(goal));
  self->form =
      OL_CONFIG_FORM(ol_config_form_new(ol_sandbox_work_get_kind(self->sandbox), data_folder));
  gtk_box_append(GTK_BOX(body), GTK_WIDGET(self->form));
  return body;
}

static void dispose(GObject *object)
{
  OlSandboxPage *self = OL_SANDBOX_PAGE(object);

  g_clear_handle_id(&self->slow_source, g_source_remove);
  g_clear_pointer(&self->why, g_free);
  g_clear_object(&self->session);
  g_clear_object(&self->sandbox);
  G_OBJECT_CLASS(ol_sandbox_page_parent_class)->dispose(object);
}

static void ol_sandbox_page_class_init(OlSandboxPageClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  /* The style of the column that it stands in the place of. */
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lesson-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static void ol_sandbox_page_init(OlSandboxPage *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
}

static void watch(OlSandboxPage *self)
{
  g_signal_connect_object(self->form, "edited", G_CALLBACK(on_form_edited), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->form, "model-picked", G_CALLBACK(on_model_picked), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "edited", G_CALLBACK(on_edited), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "forecast", G_CALLBACK(on_forecast), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "simulating", G_CALLBACK(refresh_run), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "refused", G_CALLBACK(on_refused), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "edited", G_CALLBACK(on_refusal_read), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->sandbox, "made", G_CALLBACK(on_made), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(self->session, "updated", G_CALLBACK(on_session_updated), self,
                          G_CONNECT_SWAPPED);
}

GtkWidget *ol_sandbox_page_new(OlLabSession *session, OlSandboxWork *sandbox,
                               const char *data_folder)
{
  OlSandboxPage *self = g_object_new(OL_TYPE_SANDBOX_PAGE, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new();

  self->session = g_object_ref(session);
  self->sandbox = g_object_ref(sandbox);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 is_plan(self) ? _("Scale up") : _("Sandbox"), -1);
  ol_help_set_page(GTK_WIDGET(self), is_plan(self) ? "planner" : "sandbox");
  gtk_box_append(GTK_BOX(self), make_head(self));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), make_body(self, data_folder));
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_widget_set_hexpand(GTK_WIDGET(self), FALSE);
  gtk_box_append(GTK_BOX(self), scroller);
  watch(self);
  on_edited(self);
  return GTK_WIDGET(self);
}
