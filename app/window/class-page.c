#include "app/window/class-page.h"

#include "app/window/ask.h"
#include "app/window/class-picks.h"
#include "app/window/classroom-window.h"
#include "app/window/doing-rows.h"
#include "app/window/page-frame.h"
#include "app/window/quiz-notes.h"
#include "app/window/quiz-open.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/class-records.h"

#define MOST_RECORDS 8u

/* What a card of picks is of. */
typedef struct {
  OlClassPicks *picks;
  const OlCourse *course; /* or NULL … */
  const OlQuiz *quiz;     /* … and this, of a file */
} Source;

struct _OlClassPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  GArray *sources;           /* Source */
  GPtrArray *quizzes;        /* OlQuiz: every one that was opened, as a class may still ask it */
  OlClassroomWindow *window; /* of the class under way, or NULL */
  gboolean forgotten;        /* votes that could not be kept may be lost */
  GtkWidget *begin, *go_on, *end, *records_heading;
  GtkBox *cards, *records;
};

G_DEFINE_FINAL_TYPE(OlClassPage, ol_class_page, GTK_TYPE_BOX)

static const Source *get_source(OlClassPage *self, guint i)
{
  return &g_array_index(self->sources, Source, i);
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

  for (guint i = 0; i < self->sources->len; i++)
    any |= ol_class_picks_has_checked(get_source(self, i)->picks);
  gtk_widget_set_sensitive(self->begin, any);
  gtk_widget_set_visible(self->go_on, self->window != NULL);
  gtk_widget_set_visible(self->end, self->window != NULL);
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

  for (guint i = 0; i < self->sources->len; i++) {
    const Source *source = get_source(self, i);
    for (guint k = 0; k < ol_class_picks_count(source->picks); k++) {
      if (!ol_class_picks_is_checked(source->picks, k))
        continue;
      if (source->course)
        ol_class_session_add_lesson(session, source->course, k);
      else
        ol_class_session_add_question(session, source->quiz, k);
    }
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

static void on_end(OlClassPage *self)
{
  gtk_widget_grab_focus(self->begin);
  end_class(self);
  refresh(self);
  show_records(self);
}

gboolean ol_class_page_is_changed(GtkWidget *page)
{
  OlClassPage *self = OL_CLASS_PAGE(page);

  return self->window && !self->forgotten && !ol_classroom_window_keep(self->window, NULL);
}

void ol_class_page_forget(GtkWidget *page)
{
  OL_CLASS_PAGE(page)->forgotten = TRUE;
}

gboolean ol_class_page_is_under_way(GtkWidget *page)
{
  return OL_CLASS_PAGE(page)->window != NULL;
}

static void on_go_on(OlClassPage *self)
{
  ol_classroom_window_open(self->window);
}

/* What remotes send to begin, wherever the focus is. */
static gboolean on_begin_key(GtkWidget *page, GVariant *arguments, gpointer data)
{
  OlClassPage *self = OL_CLASS_PAGE(page);

  if (!gtk_widget_get_mapped(page))
    return FALSE;
  if (self->window)
    on_go_on(self);
  else if (gtk_widget_get_sensitive(self->begin))
    begin_now(self);
  return TRUE;
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
  OlClassPage *self = OL_CLASS_PAGE(object);

  g_array_unref(self->sources);
  g_ptr_array_unref(self->quizzes);
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
  GtkEventController *keys = gtk_shortcut_controller_new();

  self->sources = g_array_new(FALSE, FALSE, sizeof(Source));
  self->quizzes = g_ptr_array_new_with_free_func((GDestroyNotify)ol_quiz_free);
  gtk_shortcut_controller_set_scope(GTK_SHORTCUT_CONTROLLER(keys), GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(keys),
      gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_F5, 0),
                       gtk_callback_action_new(on_begin_key, NULL, NULL)));
  gtk_widget_add_controller(GTK_WIDGET(self), keys);
}

/* What a class can go through */

static void add_source(OlClassPage *self, const Source *source)
{
  g_signal_connect_swapped(source->picks, "changed", G_CALLBACK(refresh), self);
  if (source->course) {
    g_array_append_val(self->sources, *source);
    gtk_box_append(self->cards, GTK_WIDGET(source->picks));
  } else { /* the newest file in front of all */
    g_array_prepend_val(self->sources, *source);
    gtk_box_prepend(self->cards, GTK_WIDGET(source->picks));
  }
}

static void add_course(OlClassPage *self, const OlCourse *course, gboolean checked)
{
  Source source = {OL_CLASS_PICKS(ol_class_picks_new(course->title, FALSE, NULL)), course, NULL};

  for (guint i = 0; i < course->n_lessons; i++)
    ol_class_picks_add(source.picks, course->lessons[i].title, checked);
  add_source(self, &source);
}

static void on_removed(OlClassPage *self, OlClassPicks *picks)
{
  for (guint i = 0; i < self->sources->len; i++)
    if (get_source(self, i)->picks == picks) {
      g_array_remove_index(self->sources, i);
      gtk_widget_grab_focus(self->begin);
      gtk_box_remove(self->cards, GTK_WIDGET(picks));
      break;
    }
  refresh(self);
}

/* A quiz is there to be asked: its questions are checked, and what was checked before no longer. */
static void add_quiz(OlClassPage *self, const OlQuiz *quiz, const GPtrArray *notes)
{
  GtkWidget *fold = ol_quiz_notes_fold_new();
  Source source = {OL_CLASS_PICKS(ol_class_picks_new(quiz->title, TRUE, fold)), NULL, quiz};

  ol_quiz_notes_fold_show(fold, notes);
  for (guint i = 0; i < quiz->questions->len; i++) {
    const OlQuizQuestion *question = g_ptr_array_index(quiz->questions, i);
    ol_class_picks_add(source.picks, question->text, TRUE);
  }
  for (guint i = 0; i < self->sources->len; i++)
    ol_class_picks_uncheck(get_source(self, i)->picks);
  g_signal_connect_swapped(source.picks, "removed", G_CALLBACK(on_removed), self);
  add_source(self, &source);
  refresh(self);
}

static void on_file(const char *path, gpointer owner)
{
  OlClassPage *self = owner;
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  OlQuiz *quiz = ol_quiz_open_read(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), path, notes);

  if (quiz) {
    g_ptr_array_add(self->quizzes, quiz);
    add_quiz(self, quiz, notes);
  }
}

static void on_add_quiz(OlClassPage *self)
{
  ol_quiz_open_ask(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self))), on_file, self);
}

static GtkWidget *make_buttons(OlClassPage *self)
{
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *add = gtk_button_new_with_label(_("Add a quiz file…"));

  self->go_on = gtk_button_new_with_label(_("Go on with the class"));
  self->end = gtk_button_new_with_label(_("End the class"));
  self->begin = gtk_button_new_with_label(_("Begin a class"));
  gtk_widget_add_css_class(self->go_on, "suggested-action");
  gtk_widget_add_css_class(buttons, "page-buttons");
  g_signal_connect_swapped(self->go_on, "clicked", G_CALLBACK(on_go_on), self);
  g_signal_connect_swapped(self->end, "clicked", G_CALLBACK(on_end), self);
  g_signal_connect_swapped(self->begin, "clicked", G_CALLBACK(on_begin), self);
  g_signal_connect_swapped(add, "clicked", G_CALLBACK(on_add_quiz), self);
  gtk_box_append(GTK_BOX(buttons), self->go_on);
  gtk_box_append(GTK_BOX(buttons), self->end);
  gtk_box_append(GTK_BOX(buttons), self->begin);
  gtk_box_append(GTK_BOX(buttons), add);
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
  self->cards = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->cards), "class-cards");
  gtk_box_append(column, GTK_WIDGET(self->cards));
  for (guint i = 0; i < needs->courses->len; i++)
    add_course(self, g_ptr_array_index(needs->courses, i), i == 0);
  self->records_heading = GTK_WIDGET(ol_words_label_new(_("Results of classes"), "page-heading"));
  self->records = GTK_BOX(ol_doing_rows_new());
  gtk_box_append(column, self->records_heading);
  gtk_box_append(column, GTK_WIDGET(self->records));
  return GTK_WIDGET(self);
}
