#include "app/window/lesson-page.h"

#include "app/window/help-window.h"
#include "app/window/move-bar.h"
#include "app/window/observe-view.h"
#include "app/window/page-frame.h"
#include "app/window/prediction-card.h"
#include "app/window/prediction-view.h"
#include "app/window/question-view.h"
#include "app/window/run-list.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlLessonPage {
  GtkBox parent_instance;
  OlLabSession *session;
  OlMove move;
  gboolean was_predicted, was_busy, was_done; /* when last looked at */
  OlMoveBar *bar;
  GtkLabel *title, *goal;
  GtkStack *stack;
  OlRunList *runs;
  OlQuestionView *question;
  GtkWidget *go_on, *end_words;
  const OlCourse *next; /* of the lesson to go on with; NULL: none is left */
  GtkAdjustment *scroll;
};

G_DEFINE_FINAL_TYPE(OlLessonPage, ol_lesson_page, GTK_TYPE_BOX)

enum { OPENED, SHOWN, NEXT_LESSON, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *const page_names[OL_N_MOVES] = {"predict", "run", "observe", "answer"};

static OlLessonWork *get_work(OlLessonPage *self)
{
  return ol_lab_session_get_work(self->session);
}

OlMove ol_lesson_page_get_move(OlLessonPage *self)
{
  return self->move;
}

static gboolean is_busy(OlLessonPage *self)
{
  return ol_lesson_runs_get_busy(ol_lesson_work_get_runs(get_work(self))) >= 0;
}

static char *dup_next_words(OlLessonPage *self)
{
  if (!self->next || !ol_lesson_work_is_done(get_work(self)))
    return NULL;
  if (self->next == ol_lesson_work_get_course(get_work(self)))
    return g_strdup(_("Next lesson"));
  return g_strdup_printf(_("Next course: %s"), self->next->title);
}

/* The button below the open move, when that is finished: what it says, or NULL. Caller frees. */
static char *dup_go_on(OlLessonPage *self)
{
  OlLessonWork *work = get_work(self);
  gboolean observes = ol_lesson_work_get_lesson(work)->n_observations > 0;

  if (self->move < OL_MOVE_ANSWER && !ol_lesson_work_is_finished(work, self->move))
    return NULL;
  switch (self->move) {
  case OL_MOVE_PREDICT:
    return g_strdup(_("Go on: run it"));
  case OL_MOVE_RUN:
    return g_strdup(observes ? _("Go on: what to look at") : _("Go on to the question"));
  case OL_MOVE_OBSERVE:
    return g_strdup(_("Go on to the question"));
  default:
    return dup_next_words(self);
  }
}

static void refresh(OlLessonPage *self)
{
  OlLessonWork *work = get_work(self);
  g_autofree char *words = dup_go_on(self);

  ol_move_bar_refresh(self->bar, work, self->move);
  gtk_stack_set_visible_child_name(self->stack, page_names[self->move]);
  gtk_widget_set_visible(self->go_on, words != NULL);
  gtk_widget_set_sensitive(self->go_on, !is_busy(self));
  if (words)
    gtk_button_set_label(GTK_BUTTON(self->go_on), words);
  gtk_widget_set_visible(self->end_words, self->move == OL_MOVE_ANSWER &&
                                              ol_lesson_work_is_done(work) && !self->next);
}

void ol_lesson_page_set_next(OlLessonPage *self, const OlCourse *course)
{
  if (self->next == course)
    return;
  self->next = course;
  if (get_work(self))
    refresh(self);
}

void ol_lesson_page_grab(OlLessonPage *self)
{
  if (self->move == OL_MOVE_RUN && ol_run_list_grab(self->runs))
    return;
  if (self->move == OL_MOVE_ANSWER && !ol_lesson_work_is_done(get_work(self)))
    ol_question_view_grab(self->question);
  else if (!gtk_widget_get_visible(self->go_on) || !gtk_widget_grab_focus(self->go_on))
    gtk_widget_child_focus(gtk_stack_get_visible_child(self->stack), GTK_DIR_TAB_FORWARD);
}

static void open_move(OlLessonPage *self, OlMove move)
{
  self->move = move;
  ol_lab_session_clear(self->session);
  refresh(self);
  gtk_adjustment_set_value(self->scroll, 0);
  g_signal_emit(self, signals[OPENED], 0);
}

void ol_lesson_page_open(OlLessonPage *self, OlMove move)
{
  if (move > ol_lesson_work_get_reach(get_work(self)) || move == self->move)
    return;
  open_move(self, move);
  ol_lesson_page_grab(self);
}

static void on_bar_opened(OlLessonPage *self, guint move)
{
  ol_lesson_page_open(self, (OlMove)move);
}

static void on_go_on(OlLessonPage *self)
{
  OlMove next = self->move + 1;

  if (self->move == OL_MOVE_ANSWER) {
    g_signal_emit(self, signals[NEXT_LESSON], 0);
    return;
  }
  if (next == OL_MOVE_OBSERVE && ol_lesson_work_get_lesson(get_work(self))->n_observations == 0)
    next = OL_MOVE_ANSWER;
  ol_lesson_page_open(self, next);
}

/* Where the learner left off: a lesson that is done opens at its answer. */
static OlMove choose_move(OlLessonWork *work)
{
  OlNext next = ol_lesson_work_get_next(work);

  if (next == OL_NEXT_PREDICT)
    return OL_MOVE_PREDICT;
  if (next == OL_NEXT_RUN || next == OL_NEXT_WAIT)
    return OL_MOVE_RUN;
  return next == OL_NEXT_OBSERVE ? OL_MOVE_OBSERVE : OL_MOVE_ANSWER;
}

static void look(OlLessonPage *self)
{
  self->was_predicted = ol_lesson_work_is_finished(get_work(self), OL_MOVE_PREDICT);
  self->was_busy = is_busy(self);
  self->was_done = ol_lesson_work_is_done(get_work(self));
}

static void on_lesson_changed(OlLessonPage *self)
{
  const OlLesson *lesson = ol_lesson_work_get_lesson(get_work(self));

  if (!ol_lesson_work_is_lesson(get_work(self)))
    return; /* another page is in this one's place */
  gtk_label_set_text(self->title, lesson->title);
  gtk_label_set_text(self->goal, lesson->goal);
  look(self);
  open_move(self, choose_move(get_work(self)));
}

/* The focus is nobody's (its button went away when it was pressed) or in this column. */
static gboolean may_grab(OlLessonPage *self)
{
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));
  GtkWidget *focus = root ? gtk_root_get_focus(root) : NULL;

  return root && (!focus || gtk_widget_is_ancestor(focus, GTK_WIDGET(self)));
}

static void on_updated(OlLessonPage *self)
{
  gboolean was_predicted = self->was_predicted, was_busy = self->was_busy;
  gboolean was_done = self->was_done;

  if (!ol_lesson_work_is_lesson(get_work(self)))
    return;
  look(self);
  if (self->was_predicted && !was_predicted && self->move == OL_MOVE_PREDICT) {
    ol_lesson_page_open(self, OL_MOVE_RUN);
    return;
  }
  refresh(self);
  if (((was_busy && !self->was_busy) || (self->was_done && !was_done)) && may_grab(self))
    ol_lesson_page_grab(self);
}

static void on_shown(OlLessonPage *self)
{
  g_signal_emit(self, signals[SHOWN], 0);
}

static void dispose(GObject *object)
{
  OlLessonPage *self = OL_LESSON_PAGE(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_lesson_page_parent_class)->dispose(object);
}

static void ol_lesson_page_class_init(OlLessonPageClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lesson-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
  signals[OPENED] =
      g_signal_new("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SHOWN] =
      g_signal_new("shown", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[NEXT_LESSON] =
      g_signal_new("next-lesson", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void add_moves(OlLessonPage *self)
{
  GtkWidget *observe = ol_observe_view_new(self->session);
  GtkWidget *question = ol_question_view_new(self->session);
  GtkWidget *runs = ol_run_list_new(self->session);

  self->question = OL_QUESTION_VIEW(question);
  self->runs = OL_RUN_LIST(runs);
  g_signal_connect_swapped(observe, "shown", G_CALLBACK(on_shown), self);
  g_signal_connect_swapped(question, "shown", G_CALLBACK(on_shown), self);
  self->stack = GTK_STACK(gtk_stack_new());
  /* As tall as the open move alone: the button below it stays in reach. */
  gtk_stack_set_vhomogeneous(self->stack, FALSE);
  gtk_stack_set_hhomogeneous(self->stack, FALSE);
  gtk_stack_add_named(self->stack, ol_prediction_view_new(self->session), page_names[0]);
  gtk_stack_add_named(self->stack, runs, page_names[1]);
  gtk_stack_add_named(self->stack, observe, page_names[2]);
  gtk_stack_add_named(self->stack, question, page_names[3]);
}

static GtkWidget *make_column(OlLessonPage *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(column, "lesson-column");
  self->bar = OL_MOVE_BAR(ol_move_bar_new());
  self->title = ol_words_label_new(NULL, "title-2");
  self->goal = ol_words_label_new(NULL, "goal");
  add_moves(self);
  self->go_on = gtk_button_new_with_label("");
  gtk_widget_add_css_class(self->go_on, "suggested-action");
  gtk_widget_add_css_class(self->go_on, "go-on");
  g_signal_connect_swapped(self->go_on, "clicked", G_CALLBACK(on_go_on), self);
  self->end_words = GTK_WIDGET(ol_words_label_new(NULL, "dim-label"));
  gtk_label_set_text(GTK_LABEL(self->end_words), _("All lessons are done. They stay open to be run "
                                                   "and read again."));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->bar));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->title));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->goal));
  gtk_box_append(GTK_BOX(column), ol_prediction_card_new(self->session));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->stack));
  gtk_box_append(GTK_BOX(column), self->go_on);
  gtk_box_append(GTK_BOX(column), self->end_words);
  return column;
}

static void ol_lesson_page_init(OlLessonPage *self)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Lesson"),
                                 -1);
}

GtkWidget *ol_lesson_page_new(OlLabSession *session)
{
  OlLessonPage *self = g_object_new(OL_TYPE_LESSON_PAGE, NULL);
  GtkWidget *scroller;

  ol_help_set_page(GTK_WIDGET(self), "lesson");
  self->session = g_object_ref(session);
  scroller = ol_page_frame_scroll(make_column(self));
  gtk_widget_set_hexpand(GTK_WIDGET(self), FALSE); /* the bench takes what is left */
  self->scroll = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
  gtk_box_append(GTK_BOX(self), scroller);
  g_signal_connect_swapped(self->bar, "opened", G_CALLBACK(on_bar_opened), self);
  /* After the views, which are made first: they are then filled when a move opens. */
  g_signal_connect_object(session, "lesson-changed", G_CALLBACK(on_lesson_changed), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "updated", G_CALLBACK(on_updated), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
