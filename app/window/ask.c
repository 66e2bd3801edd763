#include "app/window/ask.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

/* Of a list: one that wraps is more than it asks for; a small window has room for it in large text.
 */
#define FEWEST_LINES 3
#define MOST_LINES   8

typedef struct {
  OlAskWent went;
  gpointer owner;
} Answer;

static void free_answer(gpointer data)
{
  g_object_unref(((Answer *)data)->owner);
  g_free(data);
}

static gboolean go_on(gpointer data)
{
  Answer *answer = data;

  answer->went(answer->owner);
  return G_SOURCE_REMOVE;
}

/* Later than the dialog, which closes itself with a higher priority. */
static void on_go(AdwMessageDialog *dialog, const char *response, gpointer data)
{
  const Answer *answer = data;
  Answer *later = g_new(Answer, 1);

  *later = (Answer){answer->went, g_object_ref(answer->owner)};
  g_idle_add_full(G_PRIORITY_LOW, go_on, later, free_answer);
}

static void drop_answer(gpointer data, GClosure *closure)
{
  free_answer(data);
}

AdwMessageDialog *ol_ask(GtkWindow *window, const char *heading, const char *body, const char *stay,
                         const char *go, AdwResponseAppearance look, OlAskWent went, gpointer owner)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(window, heading, body));
  Answer *answer = g_new(Answer, 1);

  *answer = (Answer){went, g_object_ref(owner)};
  adw_message_dialog_add_responses(dialog, "stay", stay, "go", go, NULL);
  adw_message_dialog_set_response_appearance(dialog, "go", look);
  adw_message_dialog_set_default_response(dialog, look == ADW_RESPONSE_DESTRUCTIVE ? "stay" : "go");
  adw_message_dialog_set_close_response(dialog, "stay");
  g_signal_connect_data(dialog, "response::go", G_CALLBACK(on_go), answer, drop_answer, 0);
  gtk_window_present(GTK_WINDOW(dialog));
  return dialog;
}

AdwMessageDialog *ol_ask_nothing(GtkWindow *window, const char *heading, const char *body)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(window, heading, body));

  adw_message_dialog_add_response(dialog, "close", _("Close"));
  adw_message_dialog_set_default_response(dialog, "close");
  gtk_window_present(GTK_WINDOW(dialog));
  return dialog;
}

void ol_ask_list(AdwMessageDialog *dialog, const char *lines)
{
  g_autoptr(PangoLayout) line = gtk_widget_create_pango_layout(GTK_WIDGET(dialog), "X");
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW(gtk_scrolled_window_new());
  int height;

  pango_layout_get_pixel_size(line, NULL, &height);
  gtk_scrolled_window_set_policy(scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(scroller, TRUE);
  gtk_scrolled_window_set_min_content_height(scroller, FEWEST_LINES * height);
  gtk_scrolled_window_set_max_content_height(scroller, MOST_LINES * height);
  gtk_scrolled_window_set_child(scroller, GTK_WIDGET(ol_words_label_new(lines, NULL)));
  adw_message_dialog_set_extra_child(dialog, GTK_WIDGET(scroller));
}
