/* What can be done with a chart, as a menu at the pointer: for who does not know the keys, and for
 * a finger. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

/* Right button, a long press, the menu key and Shift+F10 open it. */
void ol_chart_menu_install_actions(GtkWidgetClass *class);
void ol_chart_menu_attach(OlChartArea *area);

G_END_DECLS
