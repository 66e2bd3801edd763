#include "app/window/op-bar.h"

#include "app/charts/next-node.h"
#include "app/window/fold-row.h"
#include "engine/base/intl.h"
#include <string.h>

struct _OlOpBar {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkWidget *hold, *next, *slower, *faster, *to_end;
  GtkLabel *speed, *words;
};

G_DEFINE_FINAL_TYPE(OlOpBar, ol_op_bar, GTK_TYPE_BOX)

static OlLessonRuns *get_runs(OlOpBar *self)
{
  return ol_lesson_work_get_runs(ol_lab_session_get_work(self->session));
}

static void set_words_of(GtkWidget *button, const char *icon, const char *name)
{
  gtk_image_set_from_icon_name(g_object_get_data(G_OBJECT(button), "icon"), icon);
  gtk_label_set_text(g_object_get_data(G_OBJECT(button), "label"), name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static char *dup_speed(guint speed)
{
  double share = ol_lesson_runs_speed_share(speed);

  return speed == 0 ? g_strdup("× 1") : g_strdup_printf("× 1/%.0f", 1 / share);
}

static void refresh_speed(OlOpBar *self, OlLessonRuns *runs)
{
  guint speed = ol_lesson_runs_get_speed(runs);
  g_autofree char *factor = dup_speed(speed);
  g_autofree char *words = g_strdup_printf(_("Speed %s"), factor);

  gtk_label_set_text(self->speed, factor);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->speed), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                 -1);
  gtk_widget_set_sensitive(self->faster, speed > 0);
  gtk_widget_set_sensitive(self->slower, speed + 1 < ol_lesson_runs_count_speeds());
}

/* What is read out is only told when it differs: while a run grows it is asked for often. */
static void refresh_words(OlOpBar *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);
  OlNextNode next;
  g_autofree char *node = NULL, *words = NULL;

  if (view->is_stepping && ol_next_node_find(view, &next))
    node = ol_next_node_dup_words(view, &next);
  words = node ? g_strdup_printf(_("Next: %s"), node)
               : g_strdup(view->is_stepping ? _("Held: the run is getting ready") : "");
  gtk_widget_set_visible(GTK_WIDGET(self->words), *words != '\0');
  if (g_strcmp0(words, gtk_label_get_text(self->words)) != 0)
    gtk_label_set_text(self->words, words);
}

static void refresh(OlOpBar *self)
{
  OlLessonRuns *runs = get_runs(self);
  gboolean live = ol_lab_session_is_live(self->session), held = ol_lesson_runs_is_paused(runs);

  gtk_widget_set_visible(GTK_WIDGET(self), live);
  if (!live)
    return;
  set_words_of(self->hold, held ? "media-playback-start-symbolic" : "media-playback-pause-symbolic",
               held ? _("Go on") : _("Pause"));
  refresh_speed(self, runs);
  refresh_words(self);
}

static void on_hold(OlOpBar *self)
{
  OlLessonRuns *runs = get_runs(self);
  ol_lesson_runs_hold(runs, !ol_lesson_runs_is_paused(runs));
}

static void on_next(OlOpBar *self)
{
  ol_lesson_runs_next(get_runs(self));
}

static void on_slower(OlOpBar *self)
{
  ol_lesson_runs_set_speed(get_runs(self), ol_lesson_runs_get_speed(get_runs(self)) + 1);
}

static void on_faster(OlOpBar *self)
{
  if (ol_lesson_runs_get_speed(get_runs(self)) > 0)
    ol_lesson_runs_set_speed(get_runs(self), ol_lesson_runs_get_speed(get_runs(self)) - 1);
}

static void on_to_end(OlOpBar *self)
{
  ol_lesson_runs_to_the_end(get_runs(self));
}

static GtkWidget *add_button(OlOpBar *self, GtkWidget *row, const char *icon, const char *name,
                             const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new(), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *image =
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END); /* rather than a wider window */
  gtk_box_append(GTK_BOX(line), image);
  gtk_box_append(GTK_BOX(line), label);
  gtk_button_set_child(GTK_BUTTON(button), line);
  g_object_set_data(G_OBJECT(button), "icon", image);
  g_object_set_data(G_OBJECT(button), "label", label);
  set_words_of(button, icon, name);
  gtk_widget_set_tooltip_text(button, tooltip);
  g_signal_connect_swapped(button, "clicked", clicked, self);
  gtk_box_append(GTK_BOX(row), button);
  return button;
}

void ol_op_bar_set_short(OlOpBar *self, gboolean is_short)
{
  GtkWidget *buttons[] = {self->hold, self->next, self->to_end};

  for (guint i = 0; i < G_N_ELEMENTS(buttons); i++)
    gtk_widget_set_visible(g_object_get_data(G_OBJECT(buttons[i]), "label"), !is_short);
  gtk_label_set_width_chars(self->speed, is_short ? 5 : 7);
}

static void add_speed(OlOpBar *self, GtkWidget *row)
{
  self->slower = gtk_button_new_from_icon_name("list-remove-symbolic");
  self->faster = gtk_button_new_from_icon_name("list-add-symbolic");
  self->speed = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_width_chars(self->speed, 7);
  gtk_widget_set_tooltip_text(self->slower, _("Slower, down to a fiftieth"));
  gtk_widget_set_tooltip_text(self->faster, _("Faster, up to the speed of the scale model"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->slower), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Slower"), -1);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->faster), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Faster"), -1);
  g_signal_connect_swapped(self->slower, "clicked", G_CALLBACK(on_slower), self);
  g_signal_connect_swapped(self->faster, "clicked", G_CALLBACK(on_faster), self);
  gtk_box_append(GTK_BOX(row), self->slower);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->speed));
  gtk_box_append(GTK_BOX(row), self->faster);
}

static void dispose(GObject *object)
{
  g_clear_object(&OL_OP_BAR(object)->session);
  G_OBJECT_CLASS(ol_op_bar_parent_class)->dispose(object);
}

static void ol_op_bar_class_init(OlOpBarClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_op_bar_init(OlOpBar *self)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *rest = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *both = ol_fold_row_new(row, rest);

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "op-bar");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("One op at a time"), -1);
  self->hold = add_button(self, row, "media-playback-pause-symbolic", _("Pause"),
                          _("Hold the run, or let it go on (Shift+F8)"), G_CALLBACK(on_hold));
  self->next = add_button(self, row, "media-skip-forward-symbolic", _("Next op"),
                          _("Let one node run, then hold (F8)"), G_CALLBACK(on_next));
  add_speed(self, rest);
  self->to_end = add_button(self, rest, "media-seek-forward-symbolic", _("To the end"),
                            _("Go on to the end of the run at full speed"), G_CALLBACK(on_to_end));
  gtk_widget_add_css_class(row, "op-part");
  gtk_widget_add_css_class(rest, "op-part");
  gtk_widget_set_halign(both, GTK_ALIGN_START);
  gtk_box_append(GTK_BOX(self), both);
  self->words =
      GTK_LABEL(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL));
  gtk_label_set_wrap(self->words, TRUE);
  gtk_label_set_xalign(self->words, 0);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->words));
}

GtkWidget *ol_op_bar_new(OlLabSession *session)
{
  static const char *const signals[] = {"updated", "run-shown", "grown", "view-changed"};
  OlOpBar *self = g_object_new(OL_TYPE_OP_BAR, NULL);

  self->session = g_object_ref(session);
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS(signals); i++)
    g_signal_connect_object(session, signals[i], G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
