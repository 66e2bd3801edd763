/* Pointer, wheel and fingers on a chart; it attaches keys and menu, too. */
#pragma once

#include "app/window/chart-area.h"

G_BEGIN_DECLS

void ol_chart_input_attach(OlChartArea *area);

G_END_DECLS
