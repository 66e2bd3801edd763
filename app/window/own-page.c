#include "app/window/own-page.h"

#include "app/window/ask.h"
#include "app/window/doing-rows.h"
#include "app/window/own-sheet.h"
#include "app/window/page-frame.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/own-lessons.h"

#define MOST_FAULTS 12u
#define LEAD                                                                                       \
  N_("A question of your own on one of the lab's experiments. Saved, it stands in the list "       \
     "beside "                                                                                     \
     "the lab's lessons.")

struct _OlOwnPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  OlCourseDraft *draft; /* NULL: the file cannot be used */
  GtkLabel *lead, *faults;
  GtkWidget *buttons, *anew, *list, *undo, *redo, *save,
      *source; /* source: a GtkDropDown of all lessons */
  GtkBox *rows;
  OlOwnSheet *sheet;
  int shown; /* the lesson on it, last */
};

G_DEFINE_FINAL_TYPE(OlOwnPage, ol_own_page, GTK_TYPE_BOX)

static GtkWindow *get_window(OlOwnPage *self)
{
  return GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self)));
}

static void show_faults(OlOwnPage *self)
{
  g_autoptr(GPtrArray) faults = ol_course_draft_dup_faults(self->draft);
  g_autoptr(GString) words = g_string_new(NULL);

  for (guint i = 0; i < MIN(faults->len, MOST_FAULTS); i++) {
    const OlDraftFault *fault = g_ptr_array_index(faults, i);
    g_string_append_printf(words, "%s%s: %s", i > 0 ? "\n" : "", fault->key, fault->message);
  }
  gtk_label_set_text(self->faults, words->str);
  gtk_widget_set_visible(GTK_WIDGET(self->faults),
                         faults->len > 0 && ol_own_lessons_count(self->draft) > 0);
}

gboolean ol_own_page_is_changed(GtkWidget *page)
{
  OlOwnPage *self = OL_OWN_PAGE(page);

  return self->draft && ol_course_draft_is_changed(self->draft) &&
         (ol_course_draft_can_undo(self->draft) || ol_course_draft_can_redo(self->draft));
}

static void refresh(OlOwnPage *self)
{
  gtk_widget_set_visible(self->buttons, self->draft != NULL);
  gtk_widget_set_visible(self->anew, self->draft == NULL);
  if (!self->draft)
    return;
  gtk_widget_set_sensitive(self->undo, ol_course_draft_can_undo(self->draft));
  gtk_widget_set_sensitive(self->redo, ol_course_draft_can_redo(self->draft));
  gtk_widget_set_sensitive(self->save, ol_own_page_is_changed(GTK_WIDGET(self)));
  show_faults(self);
}

static void show_one(OlOwnPage *self, guint lesson)
{
  self->shown = (int)lesson;
  gtk_widget_set_visible(self->list, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->sheet), TRUE);
  ol_own_sheet_show(self->sheet, self->draft, lesson);
  refresh(self);
  ol_own_sheet_grab(self->sheet);
}

static void on_edit(GtkWidget *button, gpointer data)
{
  show_one(data, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "lesson")));
}

static void show_list(OlOwnPage *self)
{
  guint n = ol_own_lessons_count(self->draft);

  ol_doing_rows_clear(self->rows);
  for (guint i = 0; i < n; i++) {
    const char *title = ol_own_lessons_get_text(self->draft, i, "title");
    g_autofree char *whole = g_strdup_printf(_("Edit the lesson %s"), title);
    GtkWidget *button = ol_doing_button_new(_("Edit"), whole, NULL);
    g_object_set_data(G_OBJECT(button), "lesson", GUINT_TO_POINTER(i));
    g_signal_connect(button, "clicked", G_CALLBACK(on_edit), self);
    ol_doing_rows_add(self->rows, title, ol_own_lessons_get_text(self->draft, i, "question.text"),
                      button);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->rows), n > 0);
  gtk_widget_set_visible(self->list, TRUE);
  gtk_widget_set_visible(GTK_WIDGET(self->sheet), FALSE);
  refresh(self);
}

static void on_undo(OlOwnPage *self, gboolean again)
{
  gboolean on_sheet = gtk_widget_get_visible(GTK_WIDGET(self->sheet));
  int changed = ol_own_lessons_undo(self->draft, again);

  if (!on_sheet || changed < 0)
    show_list(self);
  else if (changed == self->shown)
    ol_own_sheet_refresh(self->sheet);
  else
    show_one(self, (guint)changed); /* no change without it being seen */
  refresh(self);
}

static void on_undone(OlOwnPage *self)
{
  on_undo(self, FALSE);
}

static void on_redone(OlOwnPage *self)
{
  on_undo(self, TRUE);
}

/* Of all courses the lesson of that number. */
static const OlLesson *find_source(OlOwnPage *self, guint number, const OlCourse **course)
{
  for (guint i = 0; i < self->needs.courses->len; i++) {
    *course = g_ptr_array_index(self->needs.courses, i);
    if (number < (*course)->n_lessons)
      return &(*course)->lessons[number];
    number -= (*course)->n_lessons;
  }
  return NULL;
}

static void on_add(OlOwnPage *self)
{
  const OlCourse *course = NULL;
  const OlLesson *lesson =
      find_source(self, gtk_drop_down_get_selected(GTK_DROP_DOWN(self->source)), &course);
  g_autoptr(GError) error = NULL;
  int place = lesson
                  ? ol_own_lessons_add(self->draft, course, lesson, self->needs.data_folder, &error)
                  : -1;

  if (place >= 0)
    show_one(self, (guint)place);
  else if (error)
    ol_ask_nothing(get_window(self), _("No lesson was made"), error->message);
}

/* Saved though it may still lack something: it is shown among the lessons once it does not. */
static void on_save(OlOwnPage *self)
{
  g_autoptr(GError) error = NULL;

  if (!ol_own_lessons_save(self->draft, &error)) {
    ol_ask_nothing(get_window(self), _("The lessons were not saved"), error->message);
    return;
  }
  refresh(self);
  gtk_widget_activate_action(GTK_WIDGET(self), "app.reload-courses", NULL);
}

void ol_own_page_forget(GtkWidget *page)
{
  g_clear_pointer(&OL_OWN_PAGE(page)->draft, ol_course_draft_free);
}

static void open_draft(OlOwnPage *self)
{
  g_autoptr(GError) error = NULL;

  self->draft = ol_own_lessons_open(&error);
  gtk_label_set_text(self->lead, self->draft ? _(LEAD) : error->message);
  gtk_widget_set_visible(self->list, self->draft != NULL);
  refresh(self);
}

/* Nothing is lost: what was written by hand may be mended by hand. */
static void on_anew(OlOwnPage *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *aside = ol_own_lessons_put_aside(&error);
  g_autofree char *told =
      aside ? g_strdup_printf(_("The damaged file is kept as %s."), aside) : NULL;

  if (!aside) {
    ol_ask_nothing(get_window(self), _("The file is where it was"), error->message);
    return;
  }
  ol_own_page_open(GTK_WIDGET(self));
  gtk_widget_activate_action(GTK_WIDGET(self), "win.tell", "s", told);
}

void ol_own_page_open(GtkWidget *page)
{
  OlOwnPage *self = OL_OWN_PAGE(page);

  if (!self->draft)
    open_draft(self);
  if (!self->draft)
    return;
  if (gtk_widget_get_visible(GTK_WIDGET(self->sheet))) {
    ol_own_sheet_grab(self->sheet);
    return;
  }
  show_list(self);
  gtk_widget_grab_focus(self->source);
}

static void finalize(GObject *object)
{
  g_clear_pointer(&OL_OWN_PAGE(object)->draft, ol_course_draft_free);
  G_OBJECT_CLASS(ol_own_page_parent_class)->finalize(object);
}

static void ol_own_page_class_init(OlOwnPageClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static GtkWidget *add_button(OlOwnPage *self, GtkWidget *box, const char *words,
                             void (*clicked)(OlOwnPage *self))
{
  GtkWidget *button = gtk_button_new_with_label(words);

  g_signal_connect_swapped(button, "clicked", G_CALLBACK(clicked), self);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static GtkWidget *make_source(OlOwnPage *self)
{
  g_autoptr(GPtrArray) titles = g_ptr_array_new();

  for (guint i = 0; i < self->needs.courses->len; i++) {
    const OlCourse *course = g_ptr_array_index(self->needs.courses, i);
    for (guint j = 0; j < course->n_lessons; j++)
      g_ptr_array_add(titles, course->lessons[j].title);
  }
  g_ptr_array_add(titles, NULL);
  self->source = gtk_drop_down_new_from_strings((const char *const *)titles->pdata);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->source), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 _("Lesson whose experiment and evidence a new one has"), -1);
  return self->source;
}

static GtkWidget *make_list(OlOwnPage *self)
{
  GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *new = ol_doing_rows_new();
  GtkWidget *end = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->rows = GTK_BOX(ol_doing_rows_new());
  gtk_box_append(GTK_BOX(end), make_source(self));
  add_button(self, end, _("Make"), on_add);
  ol_doing_rows_add(GTK_BOX(new), _("A new lesson"),
                    _("It begins as a copy of one that is there, with its experiment and its "
                      "evidence."),
                    end);
  gtk_widget_add_css_class(list, "quiz-list");
  gtk_box_append(GTK_BOX(list), GTK_WIDGET(self->rows));
  gtk_box_append(GTK_BOX(list), new);
  return list;
}

static GtkWidget *make_buttons(OlOwnPage *self)
{
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class(buttons, "page-buttons");
  self->save = add_button(self, buttons, _("Save"), on_save);
  self->undo = add_button(self, buttons, _("Undo"), on_undone);
  self->redo = add_button(self, buttons, _("Redo"), on_redone);
  return buttons;
}

GtkWidget *ol_own_page_new(const OlLabPageNeeds *needs)
{
  OlOwnPage *self = g_object_new(OL_TYPE_OWN_PAGE, NULL);
  GtkBox *column = ol_page_frame_fill(GTK_WIDGET(self), _("Own lessons"));

  self->needs = *needs;
  self->lead = ol_words_label_new(_(LEAD), "dim-label");
  self->faults = ol_words_label_new(NULL, "error");
  self->list = make_list(self);
  self->sheet = OL_OWN_SHEET(ol_own_sheet_new());
  gtk_widget_set_visible(GTK_WIDGET(self->sheet), FALSE);
  g_signal_connect_swapped(self->sheet, "changed", G_CALLBACK(refresh), self);
  g_signal_connect_swapped(self->sheet, "done", G_CALLBACK(show_list), self);
  gtk_box_append(column, GTK_WIDGET(self->lead));
  self->buttons = make_buttons(self);
  gtk_box_append(column, self->buttons);
  self->anew =
      add_button(self, GTK_WIDGET(column), _("Keep the file aside and begin anew"), on_anew);
  gtk_widget_set_halign(self->anew, GTK_ALIGN_START);
  gtk_box_append(column, GTK_WIDGET(self->faults));
  gtk_box_append(column, self->list);
  gtk_box_append(column, GTK_WIDGET(self->sheet));
  return GTK_WIDGET(self);
}

static void ol_own_page_init(OlOwnPage *self)
{
}
