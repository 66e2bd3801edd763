/* A tier of a forecast as a bar to its capacity: what fills it when it is fullest, in the colours
 * of the charts; a peak beyond the capacity shortens the rest of the scale. */
#pragma once

#include "app/sandbox/forecast.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_TIER_BAR (ol_tier_bar_get_type())
G_DECLARE_FINAL_TYPE(OlTierBar, ol_tier_bar, OL, TIER_BAR, GtkWidget)

GtkWidget *ol_tier_bar_new(OlTier tier);
/* Copied; NULL: nothing is known. */
void ol_tier_bar_show(OlTierBar *bar, const OlForecast *forecast);

G_END_DECLS
