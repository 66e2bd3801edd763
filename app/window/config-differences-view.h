/* The config keys in which the run on the bench and the pinned one differ. */
#pragma once

#include "app/charts/view.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CONFIG_DIFFERENCES_VIEW (ol_config_differences_view_get_type())
G_DECLARE_FINAL_TYPE(OlConfigDifferencesView, ol_config_differences_view, OL,
                     CONFIG_DIFFERENCES_VIEW, GtkBox)

GtkWidget *ol_config_differences_view_new(void);
/* Hidden without a pinned run. */
void ol_config_differences_view_show(OlConfigDifferencesView *self, const OlChartView *view);

G_END_DECLS
