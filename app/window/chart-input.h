/* The pointer and the keys on a chart. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

/* Actions of the class: exported by name to assistive technology and bound to keys. */
void ol_chart_input_install_actions(GtkWidgetClass *class);
void ol_chart_input_attach(OlChartArea *area);

G_END_DECLS
