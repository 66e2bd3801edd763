#include "app/window/words-toast.h"

#include "app/window/words-label.h"

#define LETTERS_A_SECOND 15
#define WIDEST           70 /* letters a line */

AdwToast *ol_words_toast_new(const char *text, guint seconds)
{
  AdwToast *toast = adw_toast_new("");
  GtkLabel *words = ol_words_label_new(text, NULL);

  gtk_label_set_max_width_chars(words, WIDEST);
  adw_toast_set_custom_title(toast, GTK_WIDGET(words));
  adw_toast_set_timeout(toast, MAX(seconds, (guint)g_utf8_strlen(text, -1) / LETTERS_A_SECOND));
  return toast;
}
