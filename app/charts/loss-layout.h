/* Where Loss and speed are drawn: two small panels over steps, side by side or, where it is narrow,
 * one below the other. Every step has a column of its own; the axis is that of the run with most
 * steps of the two that are compared. */
#pragma once

#include "app/charts/canvas.h"

G_BEGIN_DECLS

typedef enum { OL_PANEL_LOSS, OL_PANEL_SPEED, OL_N_PANELS } OlPanelKind;

typedef struct {
  OlBox plot;
  double head_y;    /* middle of the title's line */
  double foot_y;    /* … of the steps' numbers */
  double low, high; /* of the scale; low < high */
  double first_tick, tick;
  guint n_ticks; /* 0: nothing is known yet */
} OlLossPanel;

typedef struct {
  gboolean column; /* one below the other */
  guint n_steps;   /* at least 1 */
  OlLossPanel panels[OL_N_PANELS];
} OlLossLayout;

void ol_loss_layout_init(OlLossLayout *layout, OlCanvas *canvas);
double ol_loss_layout_height(OlCanvas *canvas);
double ol_loss_layout_most(OlCanvas *canvas); /* up to which it grows */

/* The middle of a step's column, and the height of a value. */
double ol_loss_layout_x(const OlLossLayout *layout, OlPanelKind kind, guint step);
double ol_loss_layout_y(const OlLossLayout *layout, OlPanelKind kind, double value);
/* The step whose column lies at a point, or -1. */
int ol_loss_layout_step_at(const OlLossLayout *layout, double x, double y);

/* The loss of a step, or its tokens a second in units of the view; NAN when unknown. */
double ol_loss_value(const OlChartView *view, OlPanelKind kind, guint step);
/* "2.310", "12 300". Caller frees. */
char *ol_loss_dup_value(OlPanelKind kind, double value, int decimals);
/* From tokens a second here to those of the view: there tokens stand for κ times as many. */
double ol_loss_tokens_scale(const OlChartView *view);

/* What to draw of a run's line: a point a step while columns can be told apart, else one a unit of
 * width with the lowest and the highest of its steps. */
typedef struct {
  double x, top, bottom; /* top <= bottom: alike for a single step */
} OlLossPoint;
/* OlLossPoint from left to right, of known values alone. Caller unrefs. */
GArray *ol_loss_points_new(const OlLossLayout *layout, const OlChartView *view, OlPanelKind kind);

G_END_DECLS
