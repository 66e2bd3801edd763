/* One table of a chart's twin (app/charts/chart-table.h), kept up to date while it is in sight. */
#pragma once

#include "app/charts/chart-table.h"
#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_TABLE_VIEW (ol_table_view_get_type())
G_DECLARE_FINAL_TYPE(OlTableView, ol_table_view, OL, TABLE_VIEW, GtkBox)

GtkWidget *ol_table_view_new(OlTableKind kind, OlLabSession *session);

G_END_DECLS
