#include "app/window/own-sheet.h"

#include "app/window/question-editor.h"
#include "app/window/words-entry.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define N_OPTIONS 4 /* of a lesson's question (contracts.md) */

/* Fields of a lesson that are one text. */
static const struct {
  const char *key, *label;
} fields[] = {
    {"title", N_("Title")},
    {"goal", N_("What it is for")},
    {"prediction.ask", N_("What is to be predicted")},
};

struct _OlOwnSheet {
  GtkBox parent_instance;
  OlCourseDraft *draft;
  guint lesson;
  char *last; /* the key that is being typed, or NULL */
  OlWordsEntry *texts[G_N_ELEMENTS(fields)];
  GtkWidget *prediction; /* label and entry are gone where nothing is predicted */
  OlQuestionEditor *question;
  GtkBox *observations;
  GtkLabel *evidence;
};

G_DEFINE_FINAL_TYPE(OlOwnSheet, ol_own_sheet, GTK_TYPE_BOX)

enum { CHANGED, DONE, N_SIGNALS };
static guint signals[N_SIGNALS];

static char *dup_path(OlOwnSheet *self, const char *key)
{
  return g_strdup_printf("lessons[%u].%s", self->lesson, key);
}

/* Letters that are typed in a row are one step of undo. */
static void begin_step(OlOwnSheet *self, const char *key)
{
  if (g_strcmp0(key, self->last) == 0) {
    ol_course_draft_undo(self->draft);
    return;
  }
  g_free(self->last);
  self->last = g_strdup(key);
}

static void set_text(OlOwnSheet *self, const char *key, const char *text)
{
  g_autofree char *path = dup_path(self, key);
  JsonNode *value = json_node_new(JSON_NODE_VALUE);

  begin_step(self, key);
  json_node_set_string(value, text);
  ol_course_draft_set(self->draft, path, value);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void on_text(OlWordsEntry *entry, gpointer data)
{
  g_autofree char *text = ol_words_entry_dup_text(entry);

  set_text(data, g_object_get_data(G_OBJECT(entry), "key"), g_strstrip(text));
}

static void on_question(OlOwnSheet *self, const char *what)
{
  guint n;
  const OlOption *options = ol_question_editor_get_options(self->question, &n);

  if (g_str_equal(what, "text")) {
    set_text(self, "question.text", ol_question_editor_get_text(self->question));
    return;
  }
  /* Words that are typed go on as one step; a mark or a move is a step each. */
  begin_step(self, what);
  ol_own_lessons_set_options(self->draft, self->lesson, options, n);
  if (!strchr(what, '-'))
    g_clear_pointer(&self->last, g_free);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void on_done(OlOwnSheet *self)
{
  g_clear_pointer(&self->last, g_free);
  g_signal_emit(self, signals[DONE], 0);
}

/* Undo brings it back. */
static void on_remove(OlOwnSheet *self)
{
  g_autofree char *path = g_strdup_printf("lessons[%u]", self->lesson);

  ol_course_draft_remove(self->draft, path);
  on_done(self);
}

/* A label and what is written below it. */
static OlWordsEntry *add_entry(OlOwnSheet *self, GtkBox *box, const char *label, const char *key)
{
  GtkWidget *entry = ol_words_entry_new(label, NULL);

  g_object_set_data_full(G_OBJECT(entry), "key", g_strdup(key), g_free);
  g_signal_connect(entry, "changed", G_CALLBACK(on_text), self);
  gtk_box_append(box, entry);
  return OL_WORDS_ENTRY(entry);
}

static void show_observations(OlOwnSheet *self)
{
  g_autofree char *path = dup_path(self, "observe");
  JsonNode *node = ol_course_draft_get(self->draft, path);
  guint n =
      node && JSON_NODE_HOLDS_ARRAY(node) ? json_array_get_length(json_node_get_array(node)) : 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->observations))))
    gtk_box_remove(self->observations, child);
  for (guint i = 0; i < n; i++) {
    g_autofree char *key = g_strdup_printf("observe[%u].text", i);
    g_autofree char *label = g_strdup_printf(_("What is to be seen, %u"), i + 1);
    OlWordsEntry *entry = add_entry(self, self->observations, label, key);
    ol_words_entry_set_text(entry, ol_own_lessons_get_text(self->draft, self->lesson, key));
  }
}

void ol_own_sheet_refresh(OlOwnSheet *self)
{
  guint n;
  g_autofree OlOption *options = ol_own_lessons_dup_options(self->draft, self->lesson, &n);
  g_autofree char *evidence = ol_own_lessons_dup_evidence(self->draft, self->lesson);
  g_autofree char *asked = dup_path(self, "prediction");

  g_clear_pointer(&self->last, g_free);
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++)
    ol_words_entry_set_text(self->texts[i],
                            ol_own_lessons_get_text(self->draft, self->lesson, fields[i].key));
  gtk_widget_set_visible(self->prediction, ol_course_draft_get(self->draft, asked) != NULL);
  ol_question_editor_set(self->question,
                         ol_own_lessons_get_text(self->draft, self->lesson, "question.text"),
                         options, n);
  show_observations(self);
  gtk_label_set_text(self->evidence, evidence);
}

void ol_own_sheet_show(OlOwnSheet *self, OlCourseDraft *draft, guint lesson)
{
  self->draft = draft;
  self->lesson = lesson;
  ol_own_sheet_refresh(self);
}

void ol_own_sheet_grab(OlOwnSheet *self)
{
  gtk_widget_grab_focus(GTK_WIDGET(self->texts[0]));
}

static void finalize(GObject *object)
{
  g_free(OL_OWN_SHEET(object)->last);
  G_OBJECT_CLASS(ol_own_sheet_parent_class)->finalize(object);
}

static void ol_own_sheet_class_init(OlOwnSheetClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DONE] =
      g_signal_new("done", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void add_heading(GtkBox *box, const char *words)
{
  gtk_box_append(box, GTK_WIDGET(ol_words_label_new(words, "heading")));
}

static GtkBox *add_part(OlOwnSheet *self, const char *heading)
{
  GtkWidget *part = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class(part, "own-part");
  add_heading(GTK_BOX(part), heading);
  gtk_box_append(GTK_BOX(self), part);
  return GTK_BOX(part);
}

static void ol_own_sheet_init(OlOwnSheet *self)
{
  GtkWidget *done = gtk_button_new_with_label(_("Done"));
  GtkWidget *remove = gtk_button_new_with_label(_("Remove the lesson"));
  GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkBox *part;

  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "quiz-list");
  for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
    part = add_part(self, _(fields[i].label));
    self->texts[i] = add_entry(self, part, _(fields[i].label), fields[i].key);
    self->prediction = GTK_WIDGET(part); /* the last */
  }
  part = add_part(self, _("What is to be seen on the bench; {run:metric} becomes a figure of it"));
  self->observations = GTK_BOX(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_add_css_class(GTK_WIDGET(self->observations), "own-part");
  gtk_box_append(part, GTK_WIDGET(self->observations));
  part = add_part(self, _("Question"));
  self->question = OL_QUESTION_EDITOR(ol_question_editor_new(N_OPTIONS, N_OPTIONS));
  g_signal_connect_swapped(self->question, "changed", G_CALLBACK(on_question), self);
  gtk_box_append(part, GTK_WIDGET(self->question));
  part = add_part(self, _("Evidence: what must hold of its runs"));
  self->evidence = ol_words_label_new(NULL, "dim-label");
  gtk_box_append(part, GTK_WIDGET(self->evidence));
  gtk_widget_add_css_class(buttons, "page-buttons");
  gtk_widget_add_css_class(done, "suggested-action");
  g_signal_connect_swapped(done, "clicked", G_CALLBACK(on_done), self);
  g_signal_connect_swapped(remove, "clicked", G_CALLBACK(on_remove), self);
  gtk_box_append(GTK_BOX(buttons), done);
  gtk_box_append(GTK_BOX(buttons), remove);
  gtk_box_append(GTK_BOX(self), buttons);
}

GtkWidget *ol_own_sheet_new(void)
{
  return g_object_new(OL_TYPE_OWN_SHEET, NULL);
}
