/* The colour key: a swatch and a name for each payload, wrapped into as many lines as it takes. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_LEGEND (ol_legend_get_type())
G_DECLARE_FINAL_TYPE(OlLegend, ol_legend, OL, LEGEND, GtkWidget)

GtkWidget *ol_legend_new(OlLabSession *session);

G_END_DECLS
