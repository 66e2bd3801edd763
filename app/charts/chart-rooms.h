/* The charts' own functions: what charts.c chooses from. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/charts.h"

G_BEGIN_DECLS

/* Where a number is drawn, and so can be pressed. */
typedef struct {
  OlNumber number;
  OlBox box;
} OlNumberSpot;
void ol_numbers_add(GArray *numbers, OlNumber number, OlBox box);

/* Each chart's numbers are OlNumberSpot, in the order in which they are read; the view has a trace
 * in which something has run. */

double ol_ranks_chart_height(OlCanvas *canvas);
void ol_ranks_chart_draw(OlCanvas *canvas);
void ol_ranks_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);

double ol_slices_chart_height(OlCanvas *canvas);
void ol_slices_chart_draw(OlCanvas *canvas);
void ol_slices_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);

double ol_tiers_chart_height(OlCanvas *canvas);
void ol_tiers_chart_draw(OlCanvas *canvas);
void ol_tiers_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);

void ol_tiers_chart_numbers(OlCanvas *canvas, GArray *numbers);

void ol_memory_chart_draw(OlCanvas *canvas);
void ol_memory_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);

void ol_memory_chart_numbers(OlCanvas *canvas, GArray *numbers);

void ol_lanes_chart_draw(OlCanvas *canvas);
void ol_lanes_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);
void ol_lanes_chart_numbers(OlCanvas *canvas, GArray *numbers);
gboolean ol_lanes_chart_mark(OlCanvas *canvas, int span, OlBox *box);

double ol_loss_chart_height(OlCanvas *canvas);
void ol_loss_chart_draw(OlCanvas *canvas);
void ol_loss_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit);
void ol_loss_chart_numbers(OlCanvas *canvas, GArray *numbers);

G_END_DECLS
