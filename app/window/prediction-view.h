/* Move 1: what do you expect? A number on a slider, or a choice, and Lock in. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_PREDICTION_VIEW (ol_prediction_view_get_type())
G_DECLARE_FINAL_TYPE(OlPredictionView, ol_prediction_view, OL, PREDICTION_VIEW, GtkBox)

GtkWidget *ol_prediction_view_new(OlLabSession *session);

G_END_DECLS
