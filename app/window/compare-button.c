#include "app/window/compare-button.h"

#include "engine/base/intl.h"

struct _OlCompareButton {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkMenuButton *button;
  GtkLabel *label;
  char *told; /* what the menu was last made of */
};

G_DEFINE_FINAL_TYPE(OlCompareButton, ol_compare_button, GTK_TYPE_BOX)

/* The run on the bench, as its tab is named; NULL when there is none to pin. */
static char *dup_shown(OlLabSession *session)
{
  int run = ol_lab_session_get_run(session);
  OlLessonRuns *runs = ol_lesson_work_get_runs(ol_lab_session_get_work(session));

  if (run < 0 || !ol_lab_session_can_pin(session))
    return NULL;
  return g_strdup_printf(_("run %d: %s"), run + 1, ol_lesson_runs_get(runs, (guint)run)->title);
}

static void append_item(GMenu *menu, const char *words, const char *what, const char *action)
{
  g_autofree char *label = g_strdup_printf(words, what);

  g_menu_append(menu, label, action);
}

static GMenuModel *make_menu(const char *shown, const char *pinned)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenu) pins = g_menu_new(), ways = g_menu_new(), more = g_menu_new();

  if (shown)
    append_item(pins, _("Pin %s"), shown, "win.pin");
  if (pinned)
    append_item(pins, _("Unpin %s"), pinned, "win.unpin");
  if (!shown && !pinned)
    g_menu_append(pins, _("Pin the run on the bench"), "win.pin");
  g_menu_append(ways, _("Behind the run on the bench"), "win.compare-as::overlay");
  g_menu_append(ways, _("Beside it, on the same time axis"), "win.compare-as::beside");
  g_menu_append(more, _("Figures and what differs"), "win.figures");
  g_menu_append_section(menu, NULL, G_MENU_MODEL(pins));
  g_menu_append_section(menu, _("The pinned run is shown"), G_MENU_MODEL(ways));
  g_menu_append_section(menu, NULL, G_MENU_MODEL(more));
  return G_MENU_MODEL(menu);
}

/* "With run 1": as much of the pinned run's title as a button has room for. */
static char *dup_label(const char *pinned)
{
  const char *colon = pinned ? strchr(pinned, ':') : NULL;
  g_autofree char *run = colon ? g_strndup(pinned, (gsize)(colon - pinned)) : NULL;
  g_autofree char *small = run ? g_utf8_strdown(run, 1) : NULL;

  return small ? g_strdup_printf(_("With %s%s"), small, g_utf8_next_char(run))
               : g_strdup(_("Compare"));
}

static void refresh(OlCompareButton *self)
{
  const char *pinned = ol_lab_session_get_pinned_title(self->session);
  g_autofree char *shown = dup_shown(self->session);
  g_autofree char *told = g_strdup_printf("%s/%s", shown ? shown : "", pinned ? pinned : "");
  g_autofree char *label = dup_label(pinned);
  g_autofree char *name = pinned ? g_strdup_printf(_("Compare: pinned is %s"), pinned)
                                 : g_strdup(_("Compare: pin a run"));
  g_autoptr(GMenuModel) menu = NULL;

  if (g_strcmp0(told, self->told) == 0) /* an open menu stays open */
    return;
  menu = make_menu(shown, pinned);
  gtk_menu_button_set_menu_model(self->button, menu);
  gtk_label_set_text(self->label, label);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
  g_free(self->told);
  self->told = g_steal_pointer(&told);
}

static void dispose(GObject *object)
{
  OlCompareButton *self = OL_COMPARE_BUTTON(object);

  g_clear_pointer(&self->told, g_free);
  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_compare_button_parent_class)->dispose(object);
}

static void ol_compare_button_class_init(OlCompareButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_compare_button_init(OlCompareButton *self)
{
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

  self->label = GTK_LABEL(gtk_label_new(NULL));
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->label));
  gtk_box_append(GTK_BOX(content),
                 g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                              "icon-name", "pan-down-symbolic", NULL));
  gtk_menu_button_set_child(self->button, content);
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->button));
}

GtkWidget *ol_compare_button_new(OlLabSession *session)
{
  static const char *const signals[] = {"run-shown", "updated", "compare-changed"};
  OlCompareButton *self = g_object_new(OL_TYPE_COMPARE_BUTTON, NULL);

  self->session = g_object_ref(session);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
