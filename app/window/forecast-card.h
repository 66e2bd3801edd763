/* What the config will take, while a slider moves: a bar a tier, fits or not and what does not, the
 * time of a step. */
#pragma once

#include "app/sandbox/forecast.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_FORECAST_CARD (ol_forecast_card_get_type())
G_DECLARE_FINAL_TYPE(OlForecastCard, ol_forecast_card, OL, FORECAST_CARD, GtkBox)

GtkWidget *ol_forecast_card_new(void);
/* Copied. */
void ol_forecast_card_show(OlForecastCard *card, const OlForecast *forecast);
void ol_forecast_card_set_there(OlForecastCard *card, gboolean there);
/* The last forecast stays, greyed, and these words say why there is no newer one. NULL: it holds.
 */
void ol_forecast_card_grey(OlForecastCard *card, const char *why);

G_END_DECLS
