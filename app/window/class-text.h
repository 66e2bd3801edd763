/* The size of text of one widget and all that is in it, whatever the desktop's is. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct OlClassText OlClassText;

/* The widget must outlive it. */
OlClassText *ol_class_text_new(GtkWidget *widget);
void ol_class_text_free(OlClassText *text);
/* In logical pixels. */
void ol_class_text_set(OlClassText *text, double size);
/* What the desktop asks for, in logical pixels. */
double ol_class_text_get_desktop(void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlClassText, ol_class_text_free)

G_END_DECLS
