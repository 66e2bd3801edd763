#include "app/window/scale-button.h"

struct _OlScaleButton {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkMenuButton *button;
  GtkLabel *label;
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

static void refresh(OlScaleButton *self)
{
  g_autofree char *words = dup_scale(self);
  g_autofree char *name = g_strdup_printf("Scale model: %s. Choose units", words ? words : "");

  gtk_widget_set_visible(GTK_WIDGET(self->button), words != NULL);
  if (g_strcmp0(words, gtk_label_get_text(self->label)) == 0)
    return;
  gtk_label_set_text(self->label, words ? words : "");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), words);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 -1);
}

static GMenuModel *make_menu(void)
{
  GMenu *menu = g_menu_new();
  g_autoptr(GMenu) units = g_menu_new();

  g_menu_append(units, "This machine: bytes and seconds as they are here", "win.units::here");
  g_menu_append(units, "What it stands for: scaled up", "win.units::there");
  g_menu_append_section(menu, "Charts read in units of", G_MENU_MODEL(units));
  return G_MENU_MODEL(menu);
}

static void dispose(GObject *object)
{
  OlScaleButton *self = OL_SCALE_BUTTON(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_scale_button_parent_class)->dispose(object);
}

static void ol_scale_button_class_init(OlScaleButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_scale_button_init(OlScaleButton *self)
{
  g_autoptr(GMenuModel) menu = make_menu();
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);

  self->label = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_ellipsize(self->label, PANGO_ELLIPSIZE_END);
  self->button = GTK_MENU_BUTTON(gtk_menu_button_new());
  gtk_box_append(GTK_BOX(content), GTK_WIDGET(self->label));
  gtk_box_append(GTK_BOX(content), gtk_image_new_from_icon_name("pan-down-symbolic"));
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
