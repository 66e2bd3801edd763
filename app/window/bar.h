/* What the window's bars have in common: drawn as charts are, a size in ems of chart text, and a
 * rounded frame. */
#pragma once

#include "app/charts/canvas.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef void (*OlBarDraw)(GtkWidget *widget, OlCanvas *canvas);

/* Draws the widget, whose class says so in its snapshot. */
void ol_bar_snapshot(GtkWidget *widget, GtkSnapshot *snapshot, OlBarDraw draw);
/* Its least and natural size along `orientation`. */
int ol_bar_size(GtkWidget *widget, GtkOrientation orientation, double width_em, double height_em);
/* Redraws it when the desktop's look changes. */
void ol_bar_watch(GtkWidget *widget);

/* What is drawn up to ol_bar_end_frame() stays within the rounded box; its outline comes last. */
void ol_bar_begin_frame(OlCanvas *canvas, OlBox box);
void ol_bar_end_frame(OlCanvas *canvas, OlBox box);

G_END_DECLS
