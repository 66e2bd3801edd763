#include "app/window/class-page.h"

#include "app/window/ask.h"
#include "app/window/classroom-window.h"
#include "app/window/doing-rows.h"
#include "app/window/page-frame.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/class-records.h"

#define MOST_RECORDS 8u

struct _OlClassPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  GPtrArray *checks;         /* GtkCheckButton of every lesson, course after course */
  OlClassroomWindow *window; /* of the class under way, or NULL */
  GtkWidget *begin, *go_on, *records_heading;
  GtkBox *records;
};

G_DEFINE_FINAL_TYPE(OlClassPage, ol_class_page, GTK_TYPE_BOX)

static GtkWidget *get_check(OlClassPage *self, guint i)
{
  return g_ptr_array_index(self->checks, i);
}

static gboolean is_checked(OlClassPage *self, guint i)
{
  return gtk_check_button_get_active(GTK_CHECK_BUTTON(get_check(self, i)));
}

static void show_records(OlClassPage *self)
{
  g_autoptr(GPtrArray) records = ol_class_records_list();

  ol_doing_rows_clear(self->records);
  for (guint i = 0; i < MIN(records->len, MOST_RECORDS); i++) {
    const OlClassRecord *record = g_ptr_array_index(records, i);
    g_autofree char *when = g_date_time_format(record->begin, "%c");
    g_autofree char *path = g_filename_display_name(record->path);
    ol_doing_rows_add(self->records, when, path, gtk_label_new(NULL));
  }
  gtk_widget_set_visible(self->records_heading, records->len > 0);
  gtk_widget_set_visible(GTK_WIDGET(self->records), records->len > 0);
}

static void refresh(OlClassPage *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->checks->len; i++)
    any |= is_checked(self, i);
  gtk_widget_set_sensitive(self->begin, any);
  gtk_widget_set_visible(self->go_on, self->window != NULL);
  if (self->window)
    gtk_widget_remove_css_class(self->begin, "suggested-action");
  else
    gtk_widget_add_css_class(self->begin, "suggested-action");
}

static void on_left(OlClassPage *self)
{
  refresh(self);
  show_records(self);
  gtk_window_present(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))));
  gtk_widget_grab_focus(self->go_on);
}

static OlClassSession *make_session(OlClassPage *self)
{
  OlClassSession *session = ol_class_session_new();
  guint check = 0;

  for (guint i = 0; i < self->needs.courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(self->needs.courses, i);
    for (guint j = 0; j < course->n_lessons; j++)
      if (is_checked(self, check++))
        ol_class_session_add_lesson(session, course, j);
  }
  return session;
}

static void end_class(OlClassPage *self)
{
  if (self->window)
    gtk_window_destroy(GTK_WINDOW(g_steal_pointer(&self->window)));
}

static void begin_now(gpointer owner)
{
  OlClassPage *self = owner;
  GtkApplication *application =
      gtk_window_get_application(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))));

  end_class(self);
  self->window = ol_classroom_window_new(application, make_session(self), self->needs.data_folder,
                                         self->needs.engine);
  g_signal_connect_object(self->window, "left", G_CALLBACK(on_left), self, G_CONNECT_SWAPPED);
  refresh(self);
  ol_classroom_window_open(self->window);
}

static void on_begin(OlClassPage *self)
{
  if (self->window)
    ol_ask(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), _("Begin another class?"),
           _("The one under way ends. What was voted in it is kept with the results below."),
           _("Cancel"), _("Begin another"), ADW_RESPONSE_SUGGESTED, begin_now, self);
  else
    begin_now(self);
}

static void on_go_on(OlClassPage *self)
{
  ol_classroom_window_open(self->window);
}

/* What remotes send to begin. */
static gboolean on_key(OlClassPage *self, guint key)
{
  if (key != GDK_KEY_F5)
    return GDK_EVENT_PROPAGATE;
  if (self->window)
    on_go_on(self);
  else if (gtk_widget_get_sensitive(self->begin))
    begin_now(self);
  return GDK_EVENT_STOP;
}

void ol_class_page_open(GtkWidget *page)
{
  OlClassPage *self = OL_CLASS_PAGE(page);

  refresh(self);
  show_records(self);
  gtk_widget_grab_focus(self->window ? self->go_on : self->begin);
}

static void dispose(GObject *object)
{
  end_class(OL_CLASS_PAGE(object));
  G_OBJECT_CLASS(ol_class_page_parent_class)->dispose(object);
}

static void finalize(GObject *object)
{
  g_ptr_array_unref(OL_CLASS_PAGE(object)->checks);
  G_OBJECT_CLASS(ol_class_page_parent_class)->finalize(object);
}

static void ol_class_page_class_init(OlClassPageClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static void ol_class_page_init(OlClassPage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new();

  self->checks = g_ptr_array_new();
  g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
}

static GtkWidget *make_course(OlClassPage *self, const OlCourse *course, gboolean checked)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(box, "card");
  gtk_widget_add_css_class(box, "class-lessons");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(ol_words_label_new(course->title, "heading")));
  for (guint i = 0; i < course->n_lessons; i++) {
    GtkWidget *check = gtk_check_button_new();
    GtkLabel *words = ol_words_label_new(course->lessons[i].title, NULL);
    gtk_check_button_set_child(GTK_CHECK_BUTTON(check), GTK_WIDGET(words));
    gtk_accessible_update_property(GTK_ACCESSIBLE(check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   course->lessons[i].title, -1);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(check), checked);
    g_signal_connect_swapped(check, "toggled", G_CALLBACK(refresh), self);
    gtk_box_append(GTK_BOX(box), check);
    g_ptr_array_add(self->checks, check);
  }
  return box;
}

static GtkWidget *make_buttons(OlClassPage *self)
{
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->go_on = gtk_button_new_with_label(_("Go on with the class"));
  self->begin = gtk_button_new_with_label(_("Begin a class"));
  gtk_widget_add_css_class(self->go_on, "suggested-action");
  gtk_widget_add_css_class(buttons, "page-buttons");
  g_signal_connect_swapped(self->go_on, "clicked", G_CALLBACK(on_go_on), self);
  g_signal_connect_swapped(self->begin, "clicked", G_CALLBACK(on_begin), self);
  gtk_box_append(GTK_BOX(buttons), self->go_on);
  gtk_box_append(GTK_BOX(buttons), self->begin);
  return buttons;
}

GtkWidget *ol_class_page_new(const OlLabPageNeeds *needs)
{
  OlClassPage *self = g_object_new(OL_TYPE_CLASS_PAGE, NULL);
  GtkBox *column = ol_page_frame_fill(GTK_WIDGET(self), _("Classroom"));

  self->needs = *needs;
  gtk_box_append(
      column,
      GTK_WIDGET(ol_words_label_new(
          _("For a projector: one thing at a time, in large type. The class votes before "
            "and after it has discussed a question. Nobody's progress is shown or changed."),
          "dim-label")));
  gtk_box_append(column, make_buttons(self));
  for (guint i = 0; i < needs->courses->len; i++)
    gtk_box_append(column, make_course(self, g_ptr_array_index(needs->courses, i), i == 0));
  self->records_heading = GTK_WIDGET(ol_words_label_new(_("Results of classes"), "page-heading"));
  self->records = GTK_BOX(ol_doing_rows_new());
  gtk_box_append(column, self->records_heading);
  gtk_box_append(column, GTK_WIDGET(self->records));
  return GTK_WIDGET(self);
}
