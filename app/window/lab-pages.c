#include "app/window/lab-pages.h"

#include "app/window/class-page.h"
#include "app/window/help-window.h"
#include "app/window/own-page.h"
#include "app/window/progress-page.h"
#include "app/window/quiz-page.h"
#include "app/window/review-page.h"
#include "engine/base/intl.h"

static const OlLabPageKind kinds[] = {
    {.id = "review",
     .place = {N_("Review"), "view-refresh-symbolic"},
     .make = ol_review_page_new,
     .open = ol_review_page_open,
     .dup_news = ol_review_page_dup_news},
    {.id = "quizzes",
     .place = {N_("Quick quiz"), "document-edit-symbolic"},
     .make = ol_quiz_page_new,
     .open = ol_quiz_page_open,
     .is_changed = ol_quiz_page_is_changed,
     .forget = ol_quiz_page_forget},
    {.id = "classroom",
     .place = {N_("Classroom"), "video-display-symbolic"},
     .make = ol_class_page_new,
     .open = ol_class_page_open,
     .is_changed = ol_class_page_is_changed,
     .forget = ol_class_page_forget,
     .is_teaching = ol_class_page_is_under_way},
    {.id = "own-lessons",
     .place = {N_("Own lessons"), "document-new-symbolic"},
     .make = ol_own_page_new,
     .open = ol_own_page_open,
     .is_changed = ol_own_page_is_changed,
     .forget = ol_own_page_forget},
    {.id = "progress",
     .place = {N_("Progress"), "emblem-ok-symbolic"},
     .make = ol_progress_page_new,
     .open = ol_progress_page_open},
};

struct _OlLabPages {
  AdwBin parent_instance;
  OlLabPageNeeds needs;
  GtkStack *stack;
  GtkWidget *columns;
  GtkWidget *made[G_N_ELEMENTS(kinds)];
};

G_DEFINE_FINAL_TYPE(OlLabPages, ol_lab_pages, ADW_TYPE_BIN)

guint ol_lab_pages_count(void)
{
  return G_N_ELEMENTS(kinds);
}

const OlLabPageKind *ol_lab_pages_get_kind(guint page)
{
  return &kinds[page];
}

int ol_lab_pages_find(const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_str_equal(kinds[i].id, id))
      return (int)i;
  return -1;
}

void ol_lab_pages_show(OlLabPages *self, int page)
{
  if (page < 0) {
    gtk_stack_set_visible_child(self->stack, self->columns);
    return;
  }
  if (!self->made[page]) {
    self->made[page] = kinds[page].make(&self->needs);
    ol_help_set_page(self->made[page], kinds[page].id);
    gtk_stack_add_child(self->stack, self->made[page]);
  }
  gtk_stack_set_visible_child(self->stack, self->made[page]);
  kinds[page].open(self->made[page]);
}

GtkWidget *ol_lab_pages_get(OlLabPages *self, guint page)
{
  return self->made[page];
}

gboolean ol_lab_pages_are_changed(OlLabPages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (self->made[i] && kinds[i].is_changed && kinds[i].is_changed(self->made[i]))
      return TRUE;
  return FALSE;
}

void ol_lab_pages_forget(OlLabPages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (self->made[i] && kinds[i].forget)
      kinds[i].forget(self->made[i]);
}

gboolean ol_lab_pages_are_teaching(OlLabPages *self)
{
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (self->made[i] && kinds[i].is_teaching && kinds[i].is_teaching(self->made[i]))
      return TRUE;
  return FALSE;
}

char *ol_lab_pages_dup_news(OlLabPages *self, guint page)
{
  return kinds[page].dup_news ? kinds[page].dup_news(&self->needs) : NULL;
}

static void ol_lab_pages_class_init(OlLabPagesClass *class)
{
}

static void ol_lab_pages_init(OlLabPages *self)
{
  self->stack = GTK_STACK(gtk_stack_new());
  /* As small as what is in sight: the window folds by what it needs. */
  gtk_stack_set_hhomogeneous(self->stack, FALSE);
  gtk_stack_set_vhomogeneous(self->stack, FALSE);
  adw_bin_set_child(ADW_BIN(self), GTK_WIDGET(self->stack));
}

GtkWidget *ol_lab_pages_new(GtkWidget *columns, const OlLabPageNeeds *needs)
{
  OlLabPages *self = g_object_new(OL_TYPE_LAB_PAGES, NULL);

  self->needs = *needs;
  self->columns = columns;
  gtk_stack_add_child(self->stack, columns);
  return GTK_WIDGET(self);
}
