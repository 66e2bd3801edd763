/* The badge of the run on the bench: measured, simulated, and whether replayed from a file. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_ORIGIN_BADGE (ol_origin_badge_get_type())
G_DECLARE_FINAL_TYPE(OlOriginBadge, ol_origin_badge, OL, ORIGIN_BADGE, GtkWidget)

GtkWidget *ol_origin_badge_new(OlLabSession *session);

G_END_DECLS
