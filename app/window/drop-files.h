/* A saved run dropped on the window is opened. */
#pragma once

#include "app/window/run-files.h"

G_BEGIN_DECLS

/* `files` must not go before the widget. */
void ol_drop_files_attach(GtkWidget *widget, OlRunFiles *files);

G_END_DECLS
