#include "app/window/run-note.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

struct _OlRunNote {
  GtkBox parent_instance;
  OlLabSession *session;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE(OlRunNote, ol_run_note, GTK_TYPE_BOX)

/* What the engine says of the lock that was refused, made a sentence: "refused: the system does not
 * let 17.5 MiB …". NULL: none was. */
static char *dup_refused_lock(const OlTrace *trace)
{
  static const char verdict[] = "refused: ";
  const char *told = trace ? ol_trace_get_text(trace, "pin") : NULL;
  g_autofree char *first = NULL;

  if (!told || !*told)
    return NULL;
  if (g_str_has_prefix(told, verdict))
    told += strlen(verdict);
  first = g_utf8_strup(told, 1);
  return g_strconcat(first, g_utf8_next_char(told), NULL);
}

static void refresh(OlRunNote *self)
{
  g_autofree char *lock = dup_refused_lock(ol_lab_session_get_view(self->session)->trace);
  g_autofree char *words =
      g_strdup_printf(_("%s. The run used it unlocked: bytes, losses and modelled times are the "
                        "same. To have it locked, raise that limit and start the lab again."),
                      lock ? lock : "");

  gtk_widget_set_visible(GTK_WIDGET(self), lock != NULL);
  gtk_label_set_text(self->words, lock ? words : "");
}

static void dispose(GObject *object)
{
  OlRunNote *self = OL_RUN_NOTE(object);

  g_clear_object(&self->session);
  G_OBJECT_CLASS(ol_run_note_parent_class)->dispose(object);
}

static void ol_run_note_class_init(OlRunNoteClass *class)
{
  G_OBJECT_CLASS(class)->dispose = dispose;
}

static void ol_run_note_init(OlRunNote *self)
{
  GtkWidget *icon =
      g_object_new(GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "icon-name",
                   "dialog-information-symbolic", "valign", GTK_ALIGN_START, NULL);

  self->words = ol_words_label_new(NULL, NULL);
  gtk_widget_set_hexpand(GTK_WIDGET(self->words), TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self), "run-note");
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  gtk_box_append(GTK_BOX(self), icon);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->words));
}

GtkWidget *ol_run_note_new(OlLabSession *session)
{
  OlRunNote *self = g_object_new(OL_TYPE_RUN_NOTE, NULL);

  self->session = g_object_ref(session);
  g_signal_connect_object(session, "updated", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
