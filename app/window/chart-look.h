/* The chart style that fits a widget: its font and text size, light or dark, high contrast. */
#pragma once

#include "app/charts/style.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Made anew for each change of the desktop's settings. Caller frees. */
OlChartStyle *ol_chart_look_dup_style(GtkWidget *widget);

/* Calls `changed` (swapped, with `widget`) whenever the desktop's look changes. Changes of font and
 * text size are told by the widget's own css_changed and system_setting_changed. */
void ol_chart_look_watch(GtkWidget *widget, GCallback changed);

G_END_DECLS
