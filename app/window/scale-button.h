/* The scale model in the header: what the tiny run stands for, and the choice of units. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_SCALE_BUTTON (ol_scale_button_get_type())
G_DECLARE_FINAL_TYPE(OlScaleButton, ol_scale_button, OL, SCALE_BUTTON, GtkBox)

/* Its menu sets the window's action win.units. */
GtkWidget *ol_scale_button_new(OlLabSession *session);

G_END_DECLS
