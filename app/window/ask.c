#include "app/window/ask.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

/* Of a list: one that wraps is more than it asks for; a small window has room for it in large text.
 */
#define FEWEST_LINES 3
#define MOST_LINES   8
#define WIDTH        32 /* letters */

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

/* The button that says so, or NULL. */
static GtkWidget *find_button(GtkWidget *widget, const char *words)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON(widget) && gtk_widget_get_mapped(widget) &&
      g_strcmp0(gtk_button_get_label(GTK_BUTTON(widget)), words) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child && !found;
       child = gtk_widget_get_next_sibling(child))
    found = find_button(child, words);
  return found;
}

/* Where buttons lie on top of each other the first of them, which has the focus, is the one that
 * does the damage. */
static gboolean focus_stay(gpointer dialog)
{
  GtkWidget *stay = find_button(dialog, adw_message_dialog_get_response_label(dialog, "stay"));

  if (stay)
    gtk_widget_grab_focus(stay);
  return G_SOURCE_REMOVE;
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
  if (look == ADW_RESPONSE_DESTRUCTIVE)
    g_idle_add_full(G_PRIORITY_LOW, focus_stay, g_object_ref(dialog), g_object_unref);
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
  int width, height;

  pango_layout_get_pixel_size(line, &width, &height);
  gtk_scrolled_window_set_policy(scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(scroller, TRUE);
  gtk_widget_set_size_request(GTK_WIDGET(scroller), WIDTH * width, -1);
  gtk_scrolled_window_set_min_content_height(scroller, FEWEST_LINES * height);
  gtk_scrolled_window_set_max_content_height(scroller, MOST_LINES * height);
  gtk_scrolled_window_set_child(scroller, GTK_WIDGET(ol_words_label_new(lines, NULL)));
  adw_message_dialog_set_extra_child(dialog, GTK_WIDGET(scroller));
}
