#include "app/window/bench-status.h"

#include "app/window/fold-row.h"
#include "app/window/run-words.h"
#include "app/window/sideways.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define LINE_OF_BUTTON 20 /* letters, at least, when its words are broken */
#define LINE_OF_WORDS  50 /* letters that must have room beside a button, or it goes below */

struct _OlBenchStatus {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkImage *icon;
  GtkLabel *headline, *text, *table;
  GtkWidget *table_box, *slower;
};

G_DEFINE_FINAL_TYPE(OlBenchStatus, ol_bench_status, GTK_TYPE_BOX)

/* What needs no word of its own: the charts and the first one's subtitle say it. */
static void say_nothing(OlBenchStatus *self)
{
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
}

/* Text and table may be NULL. */
static void say(OlBenchStatus *self, gboolean is_error, const char *headline, const char *text,
                const char *table)
{
  g_autofree char *rows = g_strchomp(g_strdup(table ? table : ""));

  gtk_widget_remove_css_class(GTK_WIDGET(self), is_error ? "short-of" : "broken");
  gtk_widget_add_css_class(GTK_WIDGET(self), is_error ? "broken" : "short-of");
  gtk_image_set_from_icon_name(self->icon,
                               is_error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  gtk_label_set_text(self->headline, headline);
  gtk_widget_set_visible(GTK_WIDGET(self->text), text && *text);
  gtk_label_set_text(self->text, text ? text : "");
  gtk_widget_set_visible(self->table_box, *rows);
  gtk_label_set_text(self->table, rows);
  gtk_widget_set_visible(self->slower, FALSE);
  gtk_widget_set_visible(GTK_WIDGET(self), TRUE);
}

/* The engine's messages begin small, as parts of a line do. */
static char *dup_capital(const char *message)
{
  g_autofree char *first = g_utf8_strup(message, 1);

  return g_strconcat(first, g_utf8_next_char(message), NULL);
}

/* The one thing that helps: a slower clock, which all runs share. */
static void offer_slower(OlBenchStatus *self, OlLessonRuns *runs)
{
  guint n = ol_lesson_runs_count_made(runs);
  g_autofree char *words = n > 2    ? g_strdup_printf(_("Make all %u runs again, slower"), n)
                           : n == 2 ? g_strdup(_("Make both runs again, slower"))
                                    : g_strdup(_("Run it again, slower"));

  gtk_button_set_label(GTK_BUTTON(self->slower), words);
  gtk_widget_set_sensitive(self->slower, ol_lesson_runs_is_free(runs));
  gtk_widget_set_visible(self->slower, TRUE);
}

static void say_late(OlBenchStatus *self, OlLessonRuns *runs, guint run)
{
  g_autofree char *late = ol_run_words_dup_lateness(runs, run);
  g_autofree char *headline = g_strdup_printf(_("This run was %s: its times do not count"), late);
  gboolean may = ol_lesson_runs_may_slow_down(runs);

  say(self, FALSE, headline,
      may ? _("This machine was too busy to keep up. Bytes, losses and weights are right as they "
              "are.")
          : _("This machine was too busy to keep up, and the clock is as slow as the lab makes it. "
              "Close what else is running here, then run it again."),
      NULL);
  if (may)
    offer_slower(self, runs);
}

static void on_slower(OlBenchStatus *self)
{
  ol_lesson_runs_slow_down(ol_lesson_work_get_runs(ol_lab_session_get_work(self->session)));
}

/* The engine's figures are those of this machine, also while charts show the big one's. */
static const char *units_note(OlBenchStatus *self)
{
  const OlChartView *view = ol_lab_session_get_view(self->session);

  return view->there && view->trace && view->trace->header.mu > 1
             ? _("Bytes as they are on this machine:")
             : NULL;
}

/* FALSE when it came to a good end, of which there is nothing to say. */
static gboolean say_outcome(OlBenchStatus *self, const OlTrace *trace)
{
  g_autofree char *message = trace->message && *trace->message ? dup_capital(trace->message) : NULL;

  if (!trace->ended)
    return FALSE;
  if (trace->outcome == OL_OUTCOME_OUT_OF_MEMORY)
    say(self, FALSE, message ? message : _("Out of memory"), units_note(self), trace->table);
  else if (trace->outcome == OL_OUTCOME_FAILED)
    say(self, TRUE, message ? message : _("The run failed"), NULL, trace->table);
  return trace->outcome == OL_OUTCOME_OUT_OF_MEMORY || trace->outcome == OL_OUTCOME_FAILED;
}

static void say_ended(OlBenchStatus *self, OlLessonRuns *runs, guint run)
{
  if (say_outcome(self, ol_lesson_runs_get_trace(runs, run)))
    return;
  if (ol_lesson_runs_is_late(runs, run))
    say_late(self, runs, run);
  else
    say_nothing(self);
}

/* A file that is cut off or damaged, or a run in it that came to no good end. */
static void say_replay(OlBenchStatus *self)
{
  const OlReplay *replay = ol_lab_session_get_replay(self->session);
  const OlTrace *trace = ol_replay_get_trace(replay);

  if (ol_replay_get_damage(replay))
    say(self, TRUE, _("This file is damaged: it opens as far as it goes"),
        ol_replay_get_damage(replay), NULL);
  else if (!say_outcome(self, trace))
    say_nothing(self);
}

static void refresh(OlBenchStatus *self)
{
  OlLessonWork *work = ol_lab_session_get_work(self->session);
  int run = ol_lab_session_get_run(self->session);
  OlLessonRuns *runs = ol_lesson_work_get_runs(work);
  OlRunState state = run < 0 ? OL_RUN_NOT_YET : ol_lesson_runs_get_state(runs, (guint)run);

  if (ol_lab_session_is_on_replay(self->session))
    say_replay(self);
  else if (state == OL_RUN_LOST)
    say(self, TRUE, ol_lesson_runs_get_message(runs, (guint)run),
        ol_lesson_runs_get_trace(runs, (guint)run)
            ? _("What it had told until then stays on the "
                "charts. Your answers are safe: run it again.")
            : _("Your answers are safe: run it again."),
        ol_lesson_runs_get_complaints(runs, (guint)run));
  else if (state == OL_RUN_ENDED)
    say_ended(self, runs, (guint)run);
  else
    say_nothing(self);
}

static void make_words(OlBenchStatus *self)
{
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *both;
  GtkLabel *words;

  self->headline = ol_words_label_new(NULL, "status-headline");
  self->text = ol_words_label_new(NULL, NULL);
  gtk_label_set_max_width_chars(self->headline, LINE_OF_WORDS);
  gtk_label_set_max_width_chars(self->text, LINE_OF_WORDS);
  self->table = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->table, 0);
  gtk_label_set_selectable(self->table, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->table), "monospace");
  gtk_widget_add_css_class(GTK_WIDGET(self->table), "status-table");
  self->table_box = ol_sideways_new(GTK_WIDGET(self->table), FALSE);
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->headline));
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->text));
  gtk_box_append(GTK_BOX(column), self->table_box);
  gtk_widget_set_valign(column, GTK_ALIGN_CENTER);
  self->slower = gtk_button_new_with_label("");
  words = GTK_LABEL(gtk_button_get_child(GTK_BUTTON(self->slower)));
  gtk_label_set_wrap(words, TRUE);
  gtk_label_set_justify(words, GTK_JUSTIFY_CENTER);
  gtk_label_set_width_chars(words, LINE_OF_BUTTON);
  gtk_widget_set_valign(self->slower, GTK_ALIGN_CENTER);
  g_signal_connect_swapped(self->slower, "clicked", G_CALLBACK(on_slower), self);
  gtk_widget_set_halign(self->slower, GTK_ALIGN_END);
  both = ol_fold_row_new(column, self->slower);
  gtk_widget_set_hexpand(both, TRUE);
  gtk_box_append(GTK_BOX(self), both);
}

static void dispose(GObject *object)
{
  OlBenchStatus *self = OL_BENCH_STATUS(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_bench_status_parent_class)->dispose(object);
}

static void ol_bench_status_class_init(OlBenchStatusClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_ALERT);
}

static void ol_bench_status_init(OlBenchStatus *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "bench-status");
  self->icon = GTK_IMAGE(
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  gtk_widget_set_valign(GTK_WIDGET(self->icon), GTK_ALIGN_START);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->icon));
  make_words(self);
}

GtkWidget *ol_bench_status_new(OlLabSession *session)
{
  OlBenchStatus *self = g_object_new(OL_TYPE_BENCH_STATUS, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
