/* Where times lie: the plot area that the time charts share, and the rows in it. */
#pragma once

#include "app/charts/canvas.h"
#include "app/charts/charts.h"

G_BEGIN_DECLS

typedef struct {
  double left, right;
  gint64 begin_ns, end_ns; /* begin < end */
} OlPlot;

void ol_plot_init(OlPlot *plot, OlCanvas *canvas);
double ol_plot_x(const OlPlot *plot, gint64 time_ns); /* may lie outside left … right */
gint64 ol_plot_time(const OlPlot *plot, double x);

/* Rows of What runs when. Middles and heights in cairo units. */
typedef struct {
  OlPlot plot;
  double ticks_y; /* of the labels of the time axis */
  double top, bottom;
  guint n;
  OlLane lanes[OL_N_LANES];
  double y[OL_N_LANES];
  double row, bar;
  double hidden_y, hidden_bar;
} OlLanesLayout;

void ol_lanes_layout_init(OlLanesLayout *layout, OlCanvas *canvas);
double ol_lanes_layout_height(OlCanvas *canvas);

/* A tier's row of Memory over time. */
typedef struct {
  double top, bottom; /* of the scale: `scale` bytes above 0 */
  double hair;        /* the least height of what is not nothing */
  gint64 scale, peak, peak_ns, capacity;
  gboolean used;
  gboolean to_capacity; /* the top of the scale is the capacity */
  gboolean trifling;    /* … of which a hairline is in use */
} OlMemoryRow;

typedef struct {
  OlPlot plot;
  OlMemoryRow rows[OL_N_TIERS];
  double top, bottom;
} OlMemoryLayout;

void ol_memory_layout_init(OlMemoryLayout *layout, OlCanvas *canvas);
double ol_memory_layout_height(OlCanvas *canvas);

static inline double ol_memory_row_y(const OlMemoryRow *row, gint64 bytes)
{
  double share = row->scale > 0 ? (double)bytes / (double)row->scale : 0;
  double height = (row->bottom - row->top) * share;
  return row->bottom - (share > 0 ? MAX(height, row->hair) : 0);
}

/* Tells the trace's end, the cursor and empty charts alike in both time charts. */
void ol_plot_draw_cursor(const OlPlot *plot, OlCanvas *canvas, double top, double bottom);
void ol_plot_draw_steps(const OlPlot *plot, OlCanvas *canvas, double top, double bottom);
void ol_canvas_draw_invitation(OlCanvas *canvas, OlBox box, const char *head, const char *text);

G_END_DECLS
