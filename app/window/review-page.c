#include "app/window/review-page.h"

#include "app/window/asked-question.h"
#include "app/window/lesson-rows.h"
#include "app/window/page-frame.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/grading.h"
#include "lessons/quiz.h"
#include "lessons/review.h"

struct _OlReviewPage {
  GtkBox parent_instance;
  OlLabPageNeeds needs;
  GArray *round; /* OlReviewCard: what was due when the page was opened */
  guint position, right;
  GtkLabel *lead, *heading;
  OlQuiz *quiz; /* of the one question that is asked */
  gboolean complete;
  OlAskedQuestion *question;
  GtkWidget *rows, *to_lesson;
};

G_DEFINE_FINAL_TYPE(OlReviewPage, ol_review_page, GTK_TYPE_BOX)

static gint64 get_now(void)
{
  return g_get_real_time() / G_USEC_PER_SEC;
}

static void list_cards(OlReviewPage *self, GArray *cards, gint64 now)
{
  ol_lesson_rows_clear(self->rows);
  for (guint i = 0; i < cards->len; i++) {
    const OlReviewCard *card = &g_array_index(cards, OlReviewCard, i);
    g_autofree char *when = ol_review_dup_when(card->due, now);
    g_autofree char *times =
        g_strdup_printf(ol_ngettext("%u review", "%u reviews", card->reviews), card->reviews);
    g_autofree char *words = NULL;
    if (card->reviews > 0)
      words = g_strdup_printf(_("%s, %u right."), times, card->right);
    ol_lesson_rows_add(self->rows, card->lesson, card->latest_right ? OL_ROW_RIGHT : OL_ROW_WRONG,
                       words ? words : _("Not reviewed yet."), when);
  }
}

static char *dup_lead(OlReviewPage *self, GArray *cards, gint64 now)
{
  g_autofree char *when = NULL;

  if (cards->len == 0)
    return g_strdup(_("A question comes here some days after you have answered it in its lesson, "
                      "and then ever more rarely."));
  when = ol_review_dup_when(g_array_index(cards, OlReviewCard, 0).due, now);
  if (self->round->len > 0)
    return g_strdup_printf(_("%u of %u right. The next question comes back %s."), self->right,
                           self->round->len, when);
  return g_strdup_printf(_("Nothing is due. The next question comes back %s."), when);
}

/* Nothing more to ask. */
static void show_rest(OlReviewPage *self)
{
  gint64 now = get_now();
  g_autoptr(GArray) cards = ol_review_list(self->needs.courses, self->needs.progress, now);
  g_autofree char *lead = dup_lead(self, cards, now);

  gtk_label_set_text(self->lead, lead);
  list_cards(self, cards, now);
  gtk_widget_set_visible(GTK_WIDGET(self->question), FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->heading), cards->len > 0);
  gtk_widget_set_visible(self->rows, cards->len > 0);
  gtk_widget_set_visible(self->to_lesson, cards->len == 0);
  gtk_widget_grab_focus(cards->len > 0 ? gtk_widget_get_first_child(self->rows) : self->to_lesson);
}

/* Without its lesson's text, its options in an order of this time. */
static void ask_card(OlReviewPage *self, const OlReviewCard *card)
{
  g_autoptr(OlQuiz) before = self->quiz;
  const OlQuizQuestion *question;
  g_autofree guint *order = NULL;

  self->quiz = ol_quiz_new_from_lesson(card->lesson, &self->complete);
  question = g_ptr_array_index(self->quiz->questions, 0);
  order = g_new(guint, question->n_options);
  ol_grading_review_order(card->lesson, ol_progress_get_learner(self->needs.progress),
                          card->reviews, order);
  ol_asked_question_ask(self->question, question, order, self->position + 1 == self->round->len);
}

static void ask(OlReviewPage *self)
{
  const OlReviewCard *card = &g_array_index(self->round, OlReviewCard, self->position);
  g_autofree char *lead =
      g_strdup_printf(_("Question %u of %u, from the course %s"), self->position + 1,
                      self->round->len, card->course->title);

  gtk_label_set_text(self->lead, lead);
  gtk_widget_set_visible(GTK_WIDGET(self->heading), FALSE);
  gtk_widget_set_visible(self->rows, FALSE);
  gtk_widget_set_visible(self->to_lesson, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self->question), TRUE);
  ask_card(self, card);
  ol_asked_question_grab(self->question);
}

static void go_on(OlReviewPage *self)
{
  if (self->position < self->round->len)
    ask(self);
  else
    show_rest(self);
}

static void on_answered(OlReviewPage *self, guint option)
{
  OlReviewCard card = g_array_index(self->round, OlReviewCard, self->position);
  gboolean right = card.lesson->question.options[option].right;
  gint64 now = get_now();
  g_autofree char *when = NULL, *words = NULL;

  ol_progress_review(self->needs.progress, card.lesson->id, option, right, NULL);
  ol_review_look(card.course, card.lesson, self->needs.progress, now, &card);
  when = ol_review_dup_when(card.due, now);
  words = g_strdup_printf(_("This question comes back %s."), when);
  ol_asked_question_say(self->question, words, self->complete);
  self->right += right;
  gtk_widget_activate_action(GTK_WIDGET(self), "win.progress-changed", NULL);
}

static void on_next(OlReviewPage *self)
{
  self->position++;
  go_on(self);
}

static void on_to_lesson(OlReviewPage *self)
{
  const OlCourse *first = g_ptr_array_index(self->needs.courses, 0);

  gtk_widget_activate_action(GTK_WIDGET(self), "win.open-lesson", "s", first->lessons[0].id);
}

void ol_review_page_open(GtkWidget *page)
{
  OlReviewPage *self = OL_REVIEW_PAGE(page);

  g_clear_pointer(&self->round, g_array_unref);
  self->round = ol_review_list_due(self->needs.courses, self->needs.progress, get_now());
  self->position = self->right = 0;
  go_on(self);
}

char *ol_review_page_dup_news(const OlLabPageNeeds *needs)
{
  guint n = ol_review_count_due(needs->courses, needs->progress, get_now());

  return n > 0 ? g_strdup_printf(ol_ngettext("%u due", "%u due", n), n) : NULL;
}

static void finalize(GObject *object)
{
  g_clear_pointer(&OL_REVIEW_PAGE(object)->round, g_array_unref);
  g_clear_pointer(&OL_REVIEW_PAGE(object)->quiz, ol_quiz_free);
  G_OBJECT_CLASS(ol_review_page_parent_class)->finalize(object);
}

static void ol_review_page_class_init(OlReviewPageClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "lab-page");
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_REGION);
}

static void ol_review_page_init(OlReviewPage *self)
{
  self->lead = ol_words_label_new(NULL, "dim-label");
  self->heading = ol_words_label_new(_("What comes back when"), "heading");
  self->rows = ol_lesson_rows_new(_("What comes back when"));
  self->to_lesson = gtk_button_new_with_label(_("Open the first lesson"));
  gtk_widget_set_halign(self->to_lesson, GTK_ALIGN_START);
  g_signal_connect_swapped(self->to_lesson, "clicked", G_CALLBACK(on_to_lesson), self);
}

GtkWidget *ol_review_page_new(const OlLabPageNeeds *needs)
{
  OlReviewPage *self = g_object_new(OL_TYPE_REVIEW_PAGE, NULL);
  GtkBox *column = ol_page_frame_fill(GTK_WIDGET(self), _("Review"));

  self->needs = *needs;
  self->question = OL_ASKED_QUESTION(ol_asked_question_new());
  g_signal_connect_swapped(self->question, "answered", G_CALLBACK(on_answered), self);
  g_signal_connect_swapped(self->question, "next", G_CALLBACK(on_next), self);
  gtk_box_append(column, GTK_WIDGET(self->lead));
  gtk_box_append(column, GTK_WIDGET(self->question));
  gtk_box_append(column, GTK_WIDGET(self->heading));
  gtk_box_append(column, self->rows);
  gtk_box_append(column, self->to_lesson);
  return GTK_WIDGET(self);
}
