/* How sure a learner was of predictions, against how often these were near. */
#pragma once

#include "lessons/summary.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CALIBRATION_CARD (ol_calibration_card_get_type())
G_DECLARE_FINAL_TYPE(OlCalibrationCard, ol_calibration_card, OL, CALIBRATION_CARD, GtkBox)

GtkWidget *ol_calibration_card_new(void);
void ol_calibration_card_show(OlCalibrationCard *card, const OlSummary *summary);

G_END_DECLS
