/* How often predictions were near, as a bar, and how sure they were, as a line across it. What it
 * shows stands beside it in words. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CALIBRATION_BAR (ol_calibration_bar_get_type())
G_DECLARE_FINAL_TYPE(OlCalibrationBar, ol_calibration_bar, OL, CALIBRATION_BAR, GtkWidget)

/* Both are shares. */
GtkWidget *ol_calibration_bar_new(double near_share, double sure_share);

G_END_DECLS
