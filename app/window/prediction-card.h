/* The locked prediction, and what was measured beside it. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_PREDICTION_CARD (ol_prediction_card_get_type())
G_DECLARE_FINAL_TYPE(OlPredictionCard, ol_prediction_card, OL, PREDICTION_CARD, GtkBox)

GtkWidget *ol_prediction_card_new(OlLabSession *session);

G_END_DECLS
