/* Forecasts off the caller's thread, one at a time: of questions that come meanwhile only the
 * latest is kept. */
#pragma once

#include "app/sandbox/forecast.h"

G_BEGIN_DECLS

#define OL_TYPE_FORECASTER (ol_forecaster_get_type())
G_DECLARE_FINAL_TYPE(OlForecaster, ol_forecaster, OL, FORECASTER, GObject)

/* Signal "told": (OlForecast *forecast or NULL, char *why there is none), in the thread's main
 * context that asked; the forecast is borrowed. It may come twice for one question: `with_clock`
 * then adds what depends on this machine's speed. */
OlForecaster *ol_forecaster_new(const char *data_folder, gboolean with_clock);

/* Replaces whatever was asked before and is not begun. NULL: nothing can be asked now; what was
 * asked last is told all the same, for its figures are those that stay. */
void ol_forecaster_ask(OlForecaster *forecaster, const OlRunConfig *config);
gboolean ol_forecaster_is_busy(OlForecaster *forecaster);
/* Whether what was asked last has not been told yet. */
gboolean ol_forecaster_is_behind(OlForecaster *forecaster);

G_END_DECLS
