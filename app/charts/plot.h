/* Where times lie: the plot area that the time charts share. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/charts.h"

G_BEGIN_DECLS

/* How far names below the name of their rank are moved in. */
#define OL_GROUP_INDENT_EM 1.15

typedef struct {
  double left, right;
  gint64 begin_ns, end_ns; /* begin < end */
} OlPlot;

void ol_plot_init(OlPlot *plot, OlCanvas *canvas);
double ol_plot_x(const OlPlot *plot, gint64 time_ns); /* may lie outside left … right */
gint64 ol_plot_time(const OlPlot *plot, double x);
double ol_plot_unit_ns(const OlPlot *plot); /* how long a unit of x lasts */

/* The first step that can be seen at or after `time_ns`; the count when there is none. */
guint ol_plot_first_step(const OlTrace *trace, gint64 time_ns);

/* Tells the trace's end, the cursor and empty charts alike in both time charts. */
void ol_plot_draw_cursor(const OlPlot *plot, OlCanvas *canvas, double top, double bottom);
void ol_plot_draw_steps(const OlPlot *plot, OlCanvas *canvas, double top, double bottom);
void ol_canvas_draw_invitation(OlCanvas *canvas, OlBox box, const char *head, const char *text);

G_END_DECLS
