#include "app/window/class-board.h"

#include "app/window/class-option.h"
#include "app/window/class-text.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include <math.h>

#define SMALLEST         0.55 /* of the size that suits the room, to get all into sight */
#define FRAMES_TO_LAYOUT 2

struct _OlClassBoard {
  AdwBin parent_instance;
  OlClassSession *session;
  const OlClassItem *item; /* that is built */
  OlClassStage stage;
  GtkWidget *column, *explanation;
  GtkLabel *question, *right, *feedback, *note;
  GtkBox *options;
  GPtrArray *rows; /* OlClassOption, borrowed */
  GtkAdjustment *scroll;
  OlClassText *text;
  double size, least; /* asked for */
  double fitted;
  guint frames; /* until what was laid out is looked at */
};

G_DEFINE_FINAL_TYPE(OlClassBoard, ol_class_board, ADW_TYPE_BIN)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Fitting: smaller step by step until all is in sight, or the least is reached. */

static void set_size(OlClassBoard *self, double size)
{
  self->fitted = size;
  ol_class_text_set(self->text, size);
}

static gboolean fit(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  OlClassBoard *self = OL_CLASS_BOARD(widget);
  double all = gtk_adjustment_get_upper(self->scroll),
         page = gtk_adjustment_get_page_size(self->scroll);
  double least = MAX(self->least, SMALLEST * self->size);

  if (--self->frames > 0)
    return G_SOURCE_CONTINUE;
  if (all > page && self->fitted > least) {
    /* Lines that get longer get fewer, too: the square root alone is nearly enough. */
    set_size(self, MAX(least, self->fitted * MIN(0.97, sqrt(page / all))));
    self->frames = FRAMES_TO_LAYOUT;
    return G_SOURCE_CONTINUE;
  }
  gtk_widget_set_opacity(self->column, 1);
  return G_SOURCE_REMOVE;
}

static void fit_anew(OlClassBoard *self)
{
  if (self->size <= 0)
    return;
  set_size(self, MAX(self->size, self->least));
  gtk_adjustment_set_value(self->scroll, 0);
  gtk_widget_set_opacity(self->column, 0); /* nobody is to see it shrink */
  if (self->frames == 0)
    gtk_widget_add_tick_callback(GTK_WIDGET(self), fit, NULL, NULL);
  self->frames = FRAMES_TO_LAYOUT;
}

void ol_class_board_set_text(OlClassBoard *self, double size, double least)
{
  if (size == self->size && least == self->least)
    return;
  self->size = size;
  self->least = least;
  fit_anew(self);
}

/* Options */

static guint find_row(OlClassBoard *self, OlClassOption *row)
{
  guint position = 0;

  g_ptr_array_find(self->rows, row, &position);
  return position;
}

static void on_voted(OlClassBoard *self, OlClassOption *row)
{
  if (ol_class_session_vote(self->session, find_row(self, row)))
    g_signal_emit(self, signals[CHANGED], 0);
}

static void on_taken_back(OlClassBoard *self, OlClassOption *row)
{
  if (ol_class_session_take_back(self->session, find_row(self, row)))
    g_signal_emit(self, signals[CHANGED], 0);
  else
    gtk_widget_error_bell(GTK_WIDGET(self));
}

static void build(OlClassBoard *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->options))))
    gtk_box_remove(self->options, child);
  g_ptr_array_set_size(self->rows, 0);
  gtk_label_set_text(self->question, self->item->text);
  for (guint i = 0; i < self->item->n_options; i++) {
    GtkWidget *row = ol_class_option_new(i, self->item->options[i].text);
    g_signal_connect_swapped(row, "voted", G_CALLBACK(on_voted), self);
    g_signal_connect_swapped(row, "taken-back", G_CALLBACK(on_taken_back), self);
    gtk_box_append(self->options, row);
    g_ptr_array_add(self->rows, row);
  }
}

static guint find_widest(OlClassBoard *self)
{
  guint widest = 0;

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < self->item->n_options; i++)
      widest = MAX(widest, ol_class_session_get_votes(self->session, round, i));
  return widest;
}

/* What is not to be seen yet is not in the widgets either. */
static OlClassRound look_at_round(OlClassBoard *self, guint round, guint option)
{
  gboolean shown = ol_class_session_shows_round(self->session, round);

  return (OlClassRound){shown, shown ? ol_class_session_get_votes(self->session, round, option) : 0,
                        shown ? ol_class_session_get_total(self->session, round) : 0};
}

static void refresh_options(OlClassBoard *self)
{
  gboolean open = ol_class_session_get_open_round(self->session) >= 0;
  gboolean told = self->stage >= OL_CLASS_REVEALED;
  guint widest = find_widest(self);

  for (guint i = 0; i < self->rows->len; i++) {
    OlClassOption *row = g_ptr_array_index(self->rows, i);
    OlClassRound rounds[2] = {look_at_round(self, 0, i), look_at_round(self, 1, i)};
    ol_class_option_set_open(row, open);
    ol_class_option_set_rounds(row, rounds, widest);
    ol_class_option_set_right(row, told && self->item->options[i].right);
  }
}

/* Explanation */

/* Why, with the figures of this class's own runs. NULL: nothing is said. Caller frees. */
static char *dup_why(const OlOption *option, OlLessonWork *work, gboolean *complete)
{
  gboolean all = TRUE;
  char *why;

  if (!option->why || !work)
    return g_strdup(option->why);
  why = ol_experiment_fill(ol_lesson_runs_get_experiment(ol_lesson_work_get_runs(work)),
                           option->why, &all);
  *complete &= all;
  return why;
}

/* Of what is wrong only what somebody believed; where nobody voted, all of it. */
static gboolean was_believed(OlClassBoard *self, guint option)
{
  guint votes = ol_class_session_get_votes(self->session, 0, option) +
                ol_class_session_get_votes(self->session, 1, option);

  return votes > 0 || ol_class_session_get_total(self->session, 0) == 0;
}

static void append_right(GString *text, guint option, const char *why)
{
  g_autofree char *escaped = g_markup_escape_text(why, -1);

  if (text->len > 0)
    g_string_append_c(text, '\n');
  g_string_append_printf(text, "<b>%c.</b> %s", 'A' + (char)option, escaped);
}

static void show_explanation(OlClassBoard *self, OlLessonWork *work)
{
  gboolean explained = self->stage == OL_CLASS_EXPLAINED, complete = TRUE;
  g_autoptr(GString) right = g_string_new(NULL);
  const char *feedback = explained ? self->item->feedback : NULL;

  for (guint i = 0; i < self->item->n_options; i++) {
    const OlOption *option = &self->item->options[i];
    gboolean told = explained && (option->right || was_believed(self, i));
    g_autofree char *why = told ? dup_why(option, work, &complete) : NULL;
    if (why && option->right)
      append_right(right, i, why);
    ol_class_option_set_reason(g_ptr_array_index(self->rows, i), option->right ? NULL : why);
  }
  gtk_label_set_markup(self->right, right->str);
  gtk_widget_set_visible(GTK_WIDGET(self->right), right->len > 0);
  gtk_label_set_text(self->feedback, feedback ? feedback : "");
  gtk_widget_set_visible(GTK_WIDGET(self->feedback), feedback != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->note), !complete);
  gtk_widget_set_visible(self->explanation, right->len > 0 || feedback || !complete);
}

void ol_class_board_refresh(OlClassBoard *self, OlLessonWork *work)
{
  const OlClassItem *item = ol_class_session_get_item(self->session);
  OlClassStage stage = ol_class_session_get_stage(self->session);
  gboolean other = item != self->item || stage != self->stage;

  self->stage = stage;
  if (item != self->item) {
    self->item = item;
    build(self);
  }
  refresh_options(self);
  show_explanation(self, work);
  if (other)
    fit_anew(self);
}

static void finalize(GObject *object)
{
  OlClassBoard *self = OL_CLASS_BOARD(object);

  g_ptr_array_unref(self->rows);
  ol_class_text_free(self->text);
  G_OBJECT_CLASS(ol_class_board_parent_class)->finalize(object);
}

static void ol_class_board_class_init(OlClassBoardClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] = g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *make_explanation(OlClassBoard *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(box, "explanation");
  self->right = ol_words_label_new(NULL, NULL);
  self->feedback = ol_words_label_new(NULL, NULL);
  self->note = ol_words_label_new(_("A figure shown as … comes from a run that this class has not "
                                    "made yet: press R to make it."),
                                  "class-reason");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->right));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->feedback));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->note));
  self->explanation = box;
  return box;
}

static void ol_class_board_init(OlClassBoard *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();

  self->rows = g_ptr_array_new();
  self->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class(self->column, "class-column");
  self->question = ol_words_label_new(NULL, "class-question");
  self->options = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->options), "class-options");
  gtk_box_append(GTK_BOX(self->column), GTK_WIDGET(self->question));
  gtk_box_append(GTK_BOX(self->column), GTK_WIDGET(self->options));
  gtk_box_append(GTK_BOX(self->column), make_explanation(self));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), self->column);
  gtk_widget_set_vexpand(scroller, TRUE);
  self->scroll = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
  self->text = ol_class_text_new(self->column);
  adw_bin_set_child(ADW_BIN(self), scroller);
}

GtkWidget *ol_class_board_new(OlClassSession *session)
{
  OlClassBoard *self = g_object_new(OL_TYPE_CLASS_BOARD, NULL);

  self->session = session;
  return GTK_WIDGET(self);
}
