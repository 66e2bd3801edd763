/* A toast whose words wrap, and which stays as long as it takes to read them. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Stays for at least so many seconds. */
AdwToast *ol_words_toast_new(const char *text, guint seconds);

G_END_DECLS
