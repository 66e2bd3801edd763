#include "app/window/lesson-list.h"

#include "engine/base/intl.h"
#include "lessons/next-lesson.h"

struct _OlLessonList {
  GtkBox parent_instance;
  GPtrArray *courses; /* OlCourse; borrowed */
  GtkListBox *list;
  GtkAdjustment *scroll;
  guint scroll_source;
  gboolean refreshing;
};

G_DEFINE_FINAL_TYPE(OlLessonList, ol_lesson_list, GTK_TYPE_BOX)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void on_row_selected(OlLessonList *self, GtkListBoxRow *row)
{
  if (row && !self->refreshing)
    g_signal_emit(self, signals[CHOSEN], 0, (guint)gtk_list_box_row_get_index(row));
}

static GtkWidget *make_row(const OlCourse *course, const OlLesson *lesson)
{
  GtkWidget *row = gtk_list_box_row_new();
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *mark = g_object_new(GTK_TYPE_IMAGE, "accessible-role",
                                 GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL),
            *title = gtk_label_new(lesson->title), *next = gtk_label_new(C_("lesson", "next"));

  gtk_widget_add_css_class(mark, "mark");
  gtk_widget_add_css_class(next, "suggested-lesson");
  gtk_widget_set_valign(next, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(mark, GTK_ALIGN_CENTER);
  gtk_label_set_wrap(GTK_LABEL(title), TRUE);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_box_append(GTK_BOX(content), mark);
  gtk_box_append(GTK_BOX(content), title);
  gtk_box_append(GTK_BOX(content), next);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), content);
  g_object_set_data(G_OBJECT(row), "next", next);
  g_object_set_data(G_OBJECT(row), "course", (gpointer)course);
  g_object_set_data(G_OBJECT(row), "lesson", (gpointer)lesson);
  g_object_set_data(G_OBJECT(row), "mark", mark);
  return row;
}

static GtkWidget *make_place(const OlLabPlace *place)
{
  GtkWidget *row = gtk_list_box_row_new();
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *icon = g_object_new(GTK_TYPE_IMAGE, "accessible-role",
                                 GTK_ACCESSIBLE_ROLE_PRESENTATION, "icon-name", place->icon, NULL),
            *title = gtk_label_new(_(place->title));

  gtk_widget_add_css_class(icon, "place");
  gtk_label_set_wrap(GTK_LABEL(title), TRUE);
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_set_hexpand(title, TRUE);
  gtk_box_append(GTK_BOX(content), icon);
  gtk_box_append(GTK_BOX(content), title);
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), content);
  g_object_set_data(G_OBJECT(row), "place", (gpointer)place);
  g_object_set_data(G_OBJECT(row), "title", title);
  return row;
}

void ol_lesson_list_add_place(OlLessonList *self, const OlLabPlace *place)
{
  gtk_list_box_append(self->list, make_place(place));
}

static void add_header(GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const OlCourse *course = g_object_get_data(G_OBJECT(row), "course");
  GtkWidget *title;

  if (before && g_object_get_data(G_OBJECT(before), "course") == course)
    return;
  title = gtk_label_new(course ? course->title : _("Lab"));
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_add_css_class(title, "course-title");
  gtk_list_box_row_set_header(row, title);
}

static void set_css_class(GtkWidget *widget, const char *name, gboolean on)
{
  if (on)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

/* Scrolls to the open lesson, with the course's title where that stands above it; no further than
 * needed. */
static gboolean bring_into_sight(gpointer data)
{
  OlLessonList *self = data;
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);
  GtkWidget *header = row ? gtk_list_box_row_get_header(row) : NULL;
  GtkWidget *viewport = gtk_widget_get_parent(GTK_WIDGET(self->list));
  double above = gtk_adjustment_get_value(self->scroll); /* what is scrolled out of sight */
  graphene_rect_t in_sight;

  self->scroll_source = 0;
  if (!row || gtk_widget_get_height(GTK_WIDGET(row)) == 0 ||
      !gtk_widget_compute_bounds(GTK_WIDGET(row), viewport, &in_sight))
    return G_SOURCE_REMOVE;
  double top = above + in_sight.origin.y, bottom = top + in_sight.size.height;
  gtk_adjustment_clamp_page(self->scroll, top - (header ? gtk_widget_get_height(header) : 0),
                            bottom);
  return G_SOURCE_REMOVE;
}

/* Once rows lie where they belong: the open one is bold and may have taken another line. */
static void bring_into_sight_soon(OlLessonList *self)
{
  if (!self->scroll_source)
    self->scroll_source = g_idle_add(bring_into_sight, self);
}

static void mark_lesson(GtkListBoxRow *row, OlProgress *progress, gboolean is_current,
                        gboolean is_next)
{
  const OlLesson *lesson = g_object_get_data(G_OBJECT(row), "lesson");
  GtkWidget *mark = g_object_get_data(G_OBJECT(row), "mark");
  gboolean done = ol_progress_is_done(progress, lesson->id);
  g_autofree char *name = g_strdup_printf("%s%s", lesson->title,
                                          done         ? _(", done")
                                          : is_current ? _(", open")
                                          : is_next    ? _(", next")
                                                       : "");

  set_css_class(mark, "done", done);
  set_css_class(mark, "current", is_current && !done);
  set_css_class(mark, "next", is_next);
  gtk_widget_set_visible(g_object_get_data(G_OBJECT(row), "next"), is_next);
  gtk_image_set_from_icon_name(GTK_IMAGE(mark), done ? "object-select-symbolic" : NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void ol_lesson_list_set_news(OlLessonList *self, guint position, const char *news)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, (int)position);
  const OlLabPlace *place = g_object_get_data(G_OBJECT(row), "place");
  g_autofree char *words =
      news ? g_strdup_printf("%s · %s", _(place->title), news) : g_strdup(_(place->title));

  gtk_label_set_text(g_object_get_data(G_OBJECT(row), "title"), words);
}

static void name_place(GtkListBoxRow *row, gboolean is_current)
{
  const char *title = gtk_label_get_text(g_object_get_data(G_OBJECT(row), "title"));
  g_autofree char *name = g_strdup_printf("%s%s", title, is_current ? _(", open") : "");

  gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void ol_lesson_list_refresh(OlLessonList *self, OlProgress *progress, guint current)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(self->list, (int)current);
  const OlLesson *open = row ? g_object_get_data(G_OBJECT(row), "lesson") : NULL;
  const OlLesson *next = ol_courses_find_next(self->courses, progress, open, NULL);

  for (int i = 0; (row = gtk_list_box_get_row_at_index(self->list, i)); i++) {
    const OlLesson *lesson = g_object_get_data(G_OBJECT(row), "lesson");
    if (lesson)
      mark_lesson(row, progress, (guint)i == current, lesson == next);
    else
      name_place(row, (guint)i == current);
  }
  row = gtk_list_box_get_row_at_index(self->list, (int)current);
  if (row == gtk_list_box_get_selected_row(self->list))
    return;
  self->refreshing = TRUE;
  gtk_list_box_select_row(self->list, row);
  self->refreshing = FALSE;
  bring_into_sight_soon(self);
}

/* One stop for Tab, at the open lesson; arrows walk within. */
static gboolean focus(GtkWidget *widget, GtkDirectionType direction)
{
  OlLessonList *self = OL_LESSON_LIST(widget);
  gboolean is_tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  GtkListBoxRow *row = gtk_list_box_get_selected_row(self->list);

  if (!is_tab || !row)
    return GTK_WIDGET_CLASS(ol_lesson_list_parent_class)->focus(widget, direction);
  return !gtk_widget_get_focus_child(widget) && gtk_widget_grab_focus(GTK_WIDGET(row));
}

static void dispose(GObject *object)
{
  OlLessonList *self = OL_LESSON_LIST(object);

  g_clear_handle_id(&self->scroll_source, g_source_remove);
  G_OBJECT_CLASS(ol_lesson_list_parent_class)->dispose(object);
}

static void ol_lesson_list_class_init(OlLessonListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  GTK_WIDGET_CLASS(class)->focus = focus;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_NAVIGATION);
  signals[CHOSEN] = g_signal_new("chosen", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void ol_lesson_list_init(OlLessonList *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "lesson-list");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Lessons"),
                                 -1);
}

GtkWidget *ol_lesson_list_new(GPtrArray *courses)
{
  OlLessonList *self = g_object_new(OL_TYPE_LESSON_LIST, NULL);
  GtkWidget *scroller = gtk_scrolled_window_new();

  self->courses = courses;
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "navigation-sidebar");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Lessons"), -1);
  gtk_list_box_set_header_func(self->list, add_header, NULL, NULL);
  for (guint i = 0; i < courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(courses, i);
    for (guint j = 0; j < course->n_lessons; j++)
      gtk_list_box_append(self->list, make_row(course, &course->lessons[j]));
  }
  g_signal_connect_swapped(self->list, "row-selected", G_CALLBACK(on_row_selected), self);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->list));
  self->scroll = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
  /* "changed": the list has its height, or another one. */
  g_signal_connect_object(self->scroll, "changed", G_CALLBACK(bring_into_sight_soon), self,
                          G_CONNECT_SWAPPED);
  gtk_widget_set_hexpand(scroller, TRUE);
  gtk_widget_set_hexpand(GTK_WIDGET(self), FALSE);
  gtk_box_append(GTK_BOX(self), scroller);
  return GTK_WIDGET(self);
}
