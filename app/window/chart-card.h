/* A chart with its title row, in a card; a button puts the same in figures in its place. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CHART_CARD (ol_chart_card_get_type())
G_DECLARE_FINAL_TYPE(OlChartCard, ol_chart_card, OL, CHART_CARD, GtkBox)

GtkWidget *ol_chart_card_new(OlChart chart, OlLabSession *session);

G_END_DECLS
