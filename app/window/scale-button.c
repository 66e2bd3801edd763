#include "app/window/scale-button.h"

#include "engine/base/intl.h"

struct _OlScaleButton {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkMenuButton *button;
  GtkLabel *model, *measures;
  char *words; /* shown */
};

G_DEFINE_FINAL_TYPE(OlScaleButton, ol_scale_button, GTK_TYPE_BOX)

/* A run from a file stands for what the file says. */
static char *dup_scale(OlScaleButton *self)
{
  if (ol_lab_session_is_on_replay(self->session))
    return ol_replay_dup_scale(ol_lab_session_get_replay(self->session));
  return ol_lesson_work_dup_scale(ol_lab_session_get_work(self->session),
                                  ol_lab_session_get_run(self->session));
}

/* "GPT 2 B on an A100, PCIe 4" above "1 MiB is 1.7 GiB · 1 s is 1.7 s": never cut short. */
static void show(OlScaleButton *self, const char *words)
{
  g_auto(GStrv) lines = g_strsplit(words, " · ", 2);
  g_autofree char *name = g_strdup_printf(_("Scale model: %s. Choose units"), words);

  gtk_label_set_text(self->model, lines[0] ? lines[0] : "");
  gtk_label_set_text(self->measures, lines[0] && lines[1] ? lines[1] : "");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), _("Scale model: units of the charts"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
}

static void refresh(OlScaleButton *self)
{
  g_autofree char *words = dup_scale(self);

  gtk_widget_set_visible(GTK_WIDGET(self->button), words != NULL);
  if (g_strcmp0(words, self->words) == 0)
    return;
  g_free(self->words);
  self->words = g_steal_pointer(&words);
  show(self, self->words ? self->words : "");
}

static GMenuModel *make_menu(void)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenu) units = g_menu_new();

  g_menu_append(units, _("This machine: bytes and seconds as they are here"), "win.units::here");
  g_menu_append(units, _("What it stands for: scaled up"), "win.units::there");
  g_menu_append_section(menu, _("Charts read in units of"), G_MENU_MODEL(units));
  return G_MENU_MODEL(menu);
}

static void dispose(GObject *object)
{
  OlScaleButton *self = OL_SCALE_BUTTON(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_scale_button_parent_class)->dispose(object);
}

static void finalize(GObject *object)
{
  g_free(OL_SCALE_BUTTON(object)->words);
  G_OBJECT_CLASS(ol_scale_button_parent_class)->finalize(object);
}

static void ol_scale_button_class_init(OlScaleButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
}

static GtkLabel *add_line(GtkWidget *box, const char *css_class)
{
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, css_class);
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static void ol_scale_button_init(OlScaleButton *self)
{
  g_autoptr(GMenuModel) menu = make_menu();
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *lines = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->model = add_line(lines, "scale-model");
  self->measures = add_line(lines, "scale-measures");
  gtk_widget_set_valign(lines, GTK_ALIGN_CENTER);
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_box_append(GTK_BOX(content), lines);
  gtk_box_append(GTK_BOX(content),
                 g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                              "icon-name", "pan-down-symbolic", NULL));
  gtk_menu_button_set_child(self->button, content);
  gtk_menu_button_set_menu_model(self->button, menu);
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "scale-button");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->button));
}

GtkWidget *ol_scale_button_new(OlLabSession *session)
{
  OlScaleButton *self = g_object_new(OL_TYPE_SCALE_BUTTON, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
