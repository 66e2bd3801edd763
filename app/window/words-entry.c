#include "app/window/words-entry.h"

#include <string.h>

struct _OlWordsEntry {
  AdwBin parent_instance;
  GtkTextView *view;
  GtkLabel *hint;
  gboolean setting;
};

G_DEFINE_FINAL_TYPE(OlWordsEntry, ol_words_entry, ADW_TYPE_BIN)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

char *ol_words_entry_dup_text(OlWordsEntry *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(self->view);
  GtkTextIter begin, end;

  gtk_text_buffer_get_bounds(buffer, &begin, &end);
  return gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
}

static gboolean measure_anew(gpointer view)
{
  gtk_widget_queue_resize(view);
  return G_SOURCE_REMOVE;
}

/* A GtkTextView that is measured before it has laid its lines out stays as low as it was: it is
 * asked again when it has. */
static void measure_soon(OlWordsEntry *self)
{
  g_idle_add_full(G_PRIORITY_LOW, measure_anew, g_object_ref(self->view), g_object_unref);
}

void ol_words_entry_set_text(OlWordsEntry *self, const char *text)
{
  g_autofree char *now = ol_words_entry_dup_text(self), *then = g_strdup(text ? text : "");

  if (strcmp(g_strstrip(now), g_strstrip(then)) == 0)
    return;
  self->setting = TRUE;
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(self->view), then, -1);
  self->setting = FALSE;
  measure_soon(self);
}

void ol_words_entry_set_label(OlWordsEntry *self, const char *label)
{
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                 -1);
}

static void on_changed(OlWordsEntry *self, GtkTextBuffer *buffer)
{
  gtk_widget_set_visible(GTK_WIDGET(self->hint), gtk_text_buffer_get_char_count(buffer) == 0);
  if (!self->setting)
    g_signal_emit(self, signals[CHANGED], 0);
}

static void map(GtkWidget *widget)
{
  GTK_WIDGET_CLASS(ol_words_entry_parent_class)->map(widget);
  measure_soon(OL_WORDS_ENTRY(widget));
}

static gboolean grab_focus(GtkWidget *widget)
{
  return gtk_widget_grab_focus(GTK_WIDGET(OL_WORDS_ENTRY(widget)->view));
}

static void ol_words_entry_class_init(OlWordsEntryClass *class)
{
  GTK_WIDGET_CLASS(class)->grab_focus = grab_focus;
  GTK_WIDGET_CLASS(class)->map = map;
  signals[CHANGED] = g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_words_entry_init(OlWordsEntry *self)
{
  GtkTextBuffer *buffer;

  gtk_widget_add_css_class(GTK_WIDGET(self), "words-entry");
  self->view = GTK_TEXT_VIEW(gtk_text_view_new());
  gtk_text_view_set_wrap_mode(self->view, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab(self->view, FALSE);
  buffer = gtk_text_view_get_buffer(self->view);
  gtk_text_buffer_set_enable_undo(buffer, FALSE);
  g_signal_connect_swapped(buffer, "changed", G_CALLBACK(on_changed), self);
  self->hint = GTK_LABEL(gtk_label_new(NULL));
  gtk_widget_add_css_class(GTK_WIDGET(self->hint), "dim-label");
  gtk_widget_set_can_target(GTK_WIDGET(self->hint), FALSE);
  gtk_text_view_add_overlay(self->view, GTK_WIDGET(self->hint), 0, 0);
  adw_bin_set_child(ADW_BIN(self), GTK_WIDGET(self->view));
}

GtkWidget *ol_words_entry_new(const char *label, const char *hint)
{
  OlWordsEntry *self = g_object_new(OL_TYPE_WORDS_ENTRY, NULL);

  ol_words_entry_set_label(self, label);
  gtk_label_set_text(self->hint, hint ? hint : "");
  return GTK_WIDGET(self);
}
