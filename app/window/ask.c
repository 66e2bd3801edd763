#include "app/window/ask.h"

#include "engine/base/intl.h"

AdwMessageDialog *ol_ask(GtkWindow *window, const char *heading, const char *body, const char *stay,
                         const char *go, AdwResponseAppearance look, GCallback went, gpointer owner)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(window, heading, body));

  adw_message_dialog_add_responses(dialog, "stay", stay, "go", go, NULL);
  adw_message_dialog_set_response_appearance(dialog, "go", look);
  adw_message_dialog_set_default_response(dialog, look == ADW_RESPONSE_DESTRUCTIVE ? "stay" : "go");
  adw_message_dialog_set_close_response(dialog, "stay");
  g_signal_connect_object(dialog, "response::go", went, owner, G_CONNECT_SWAPPED);
  gtk_window_present(GTK_WINDOW(dialog));
  return dialog;
}

void ol_ask_nothing(GtkWindow *window, const char *heading, const char *body)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG(adw_message_dialog_new(window, heading, body));

  adw_message_dialog_add_response(dialog, "close", _("Close"));
  adw_message_dialog_set_default_response(dialog, "close");
  gtk_window_present(GTK_WINDOW(dialog));
}
