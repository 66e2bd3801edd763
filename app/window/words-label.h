/* A label of words that wrap: how the window shows all its sentences. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Text and CSS class may be NULL. */
GtkLabel *ol_words_label_new(const char *text, const char *css_class);

G_END_DECLS
