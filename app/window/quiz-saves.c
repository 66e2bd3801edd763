#include "app/window/quiz-saves.h"

#include "app/window/ask.h"
#include "app/window/doing-rows.h"
#include "app/window/file-ask.h"
#include "app/window/quiz-notes.h"
#include "engine/base/intl.h"

struct _OlQuizSaves {
  GtkBox parent_instance;
  const OlQuiz *quiz; /* borrowed */
  char *path;
  const OlQuizFormat *format; /* in which it is being saved */
};

G_DEFINE_FINAL_TYPE(OlQuizSaves, ol_quiz_saves, GTK_TYPE_BOX)

enum { SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

static GtkWindow *get_window(OlQuizSaves *self)
{
  return GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self)));
}

static void tell_refusal(OlQuizSaves *self, const GError *error, const GPtrArray *notes)
{
  g_autofree char *why = ol_quiz_notes_dup_words(notes);
  AdwMessageDialog *dialog =
      ol_ask_nothing(get_window(self), _("The quiz was not saved"), error->message);

  if (notes->len > 0)
    ol_ask_list(dialog, why);
}

static void on_place(const char *path, gpointer owner)
{
  OlQuizSaves *self = owner;
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *name = g_filename_display_basename(path), *saved = NULL;

  if (!ol_quiz_save(self->quiz, path, self->format, notes, &error)) {
    g_ptr_array_set_size(notes, 0);
    tell_refusal(self, error, notes);
    return;
  }
  if (notes->len == 0) {
    saved = g_strdup_printf(_("Saved: %s"), name);
    g_signal_emit(self, signals[SAVED], 0);
  } else {
    saved =
        g_strdup_printf(_("Saved, without what %s cannot carry: %s"), _(self->format->name), name);
  }
  gtk_widget_activate_action(GTK_WIDGET(self), "win.tell", "s", saved);
}

static void ask_place(gpointer owner)
{
  OlQuizSaves *self = owner;
  g_autofree char *stem = g_path_get_basename(self->path);
  const char *end = g_str_equal(self->format->nick, "text") ? "txt" : self->format->nick;
  g_autofree char *pattern = g_strdup_printf("*.%s", end), *name = NULL;
  const char *patterns[] = {pattern, NULL};
  char *dot = strrchr(stem, '.');

  if (dot)
    *dot = '\0';
  name = g_strdup_printf("%s.%s", stem, end);
  OlFileQuestion question = {_("Save the quiz"), name, _(self->format->name), patterns};
  ol_file_ask(get_window(self), &question, on_place, self);
}

/* What the format cannot carry is found by writing it to nowhere. */
static void on_save(GtkWidget *button, gpointer data)
{
  OlQuizSaves *self = data;
  g_autoptr(GPtrArray) notes = ol_quiz_notes_new();
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL, *heading = NULL, *losses = NULL;

  self->format = ol_quiz_format_find(g_object_get_data(G_OBJECT(button), "format"));
  text = ol_quiz_dup_text(self->quiz, self->format, notes, &error);
  if (!text) {
    tell_refusal(self, error, notes);
  } else if (notes->len == 0) {
    ask_place(self);
  } else {
    heading = g_strdup_printf(_("Not all of it fits into %s"), _(self->format->name));
    losses = ol_quiz_notes_dup_words(notes);
    ol_ask_list(ol_ask(get_window(self), heading, NULL, _("Cancel"), _("Save the rest"),
                       ADW_RESPONSE_SUGGESTED, ask_place, self),
                losses);
  }
}

void ol_quiz_saves_set(OlQuizSaves *self, const OlQuiz *quiz, const char *path)
{
  char *before = self->path;

  self->quiz = quiz;
  self->path = g_strdup(path);
  g_free(before);
}

static void finalize(GObject *object)
{
  g_free(OL_QUIZ_SAVES(object)->path);
  G_OBJECT_CLASS(ol_quiz_saves_parent_class)->finalize(object);
}

static void ol_quiz_saves_class_init(OlQuizSavesClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[SAVED] = g_signal_new("saved", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void ol_quiz_saves_init(OlQuizSaves *self)
{
  static const struct {
    const char *nick, *title, *words;
  } formats[] = {
      {"gift", N_("Save as GIFT"), N_("For Moodle: questions, answers and what explains them.")},
      {"aiken", N_("Save as Aiken"), N_("For Moodle: questions and answers alone.")},
      {"text", N_("Save as text"), N_("To be read, printed and edited anywhere.")},
  };
  GtkWidget *rows = ol_doing_rows_new();

  for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
    GtkWidget *button = ol_doing_button_new(_("Save…"), _(formats[i].title), NULL);
    g_object_set_data(G_OBJECT(button), "format", (gpointer)formats[i].nick);
    g_signal_connect(button, "clicked", G_CALLBACK(on_save), self);
    ol_doing_rows_add(GTK_BOX(rows), _(formats[i].title), _(formats[i].words), button);
  }
  gtk_widget_set_hexpand(rows, TRUE);
  gtk_box_append(GTK_BOX(self), rows);
}

GtkWidget *ol_quiz_saves_new(void)
{
  return g_object_new(OL_TYPE_QUIZ_SAVES, NULL);
}
