/* The views of the bench, drawn with cairo and pango into any surface: no GTK, no display.
 * Sizes are in cairo units; each view says how tall it wants to be for a width and a style. Time
 * charts share the plot area's left and right edge (ol_chart_plot_edges()), so that one cursor
 * runs through both. */
#pragma once

#include "app/charts/number.h"
#include "engine/base/watch.h"

G_BEGIN_DECLS

const char *ol_chart_title(OlChart chart);

/* What is to be said beside a title: whose bytes these are, what is the pinned run's. Often empty.
 * Caller frees. */
char *ol_chart_dup_subtitle(OlChart chart, const OlChartView *view);

/* Ranks and sliced matrices are there where there are several. */
gboolean ol_chart_is_there(OlChart chart, const OlChartView *view);

/* Those that share the time axis, and whose ranks fold. */
gboolean ol_chart_is_timed(OlChart chart);

/* Preferred height at `width`; 0 for a chart that is not there. */
double ol_chart_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                       double width);

/* Where there is room to spare rows grow, up to this height. */
double ol_chart_most_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                            double width);

void ol_chart_draw(OlChart chart, cairo_t *cairo, double width, double height,
                   const OlChartView *view, const OlChartStyle *style);

/* Left and right edge of the time charts' plot area. */
void ol_chart_plot_edges(const OlChartView *view, const OlChartStyle *style, double width,
                         double *left, double *right);
gint64 ol_chart_time_at(const OlChartView *view, const OlChartStyle *style, double width, double x);
double ol_chart_x_at(const OlChartView *view, const OlChartStyle *style, double width,
                     gint64 time_ns);

/* What lies at a point. Fields are -1 where there is nothing. */
typedef struct {
  int span, lane, tier, payload, rank;
  gint64 time_ns;
  gint64 offset; /* bytes above the bottom of the payload's layer in Memory over time, or within its
                    part of a tier */
  OlNumber number; /* that can be pressed; none: its kind is OL_NUMBER_NONE */
} OlChartHit;
OlChartHit ol_chart_hit(OlChart chart, double x, double y, double width, double height,
                        const OlChartView *view, const OlChartStyle *style);

/* What can be pressed: a cell of the grid of ranks, the name of a rank's group in a time chart, or
 * a number. */
typedef struct {
  OlNumber number; /* of kind OL_NUMBER_NONE: a rank */
  guint rank;
  gboolean on; /* the cell is the selected one; the group is unfolded */
  cairo_rectangle_t box;
} OlChartSpot;
/* Spots of OlChartSpot: ranks, where there are several, in their order; then numbers. Caller
 * unrefs. */
GArray *ol_chart_spots(OlChart chart, double width, double height, const OlChartView *view,
                       const OlChartStyle *style);
/* The rank that an arrow key leads to on the grid, or -1 at its edge. */
int ol_chart_step_rank(const OlChartView *view, int right, int down);

/* The outline around a span of What runs when, as far as it is in sight: for whoever draws hover
 * and selection above the chart. FALSE when it is not in sight. */
gboolean ol_chart_mark(double width, double height, const OlChartView *view,
                       const OlChartStyle *style, int span, cairo_rectangle_t *outline);

/* The sentence that describes the chart to a screen reader. Caller frees. */
char *ol_chart_dup_description(OlChart chart, const OlChartView *view);

/* The key, as shown beside the first view's title: where the trace (or NULL) comes from, then the
 * colours. Returns the width used. */
double ol_chart_draw_legend(cairo_t *cairo, double x, double y, const OlTrace *trace,
                            const OlChartStyle *style);

/* The small frame before the legend's first word, its middle at `y`, and how far on the word is. */
void ol_chart_draw_origin_sign(cairo_t *cairo, double x, double y, const OlTrace *trace,
                               const OlChartStyle *style);
double ol_chart_origin_sign_width(const OlChartStyle *style);

/* MEASURED, SIMULATED, and whether REPLAYED from a file: three looks. */
void ol_chart_badge_size(const OlTrace *trace, const OlChartStyle *style, double *width,
                         double *height);
void ol_chart_draw_badge(cairo_t *cairo, double x, double y, const OlTrace *trace,
                         const OlChartStyle *style);

/* The bench as one picture with heading, legend and the views as they are drawn on screen: range,
 * ranks, selection and units are the view's. The name's suffix decides the kind: .png, .svg, .pdf.
 *
 * It is drawn by new(), as quickly as a frame; save() makes a file of it, which may take long and
 * be done on another thread. */
typedef struct OlPicture OlPicture;

/* `width` of the charts in cairo units; 0: what suits a page. NULL with OL_ERROR_BAD_INPUT when the
 * suffix is another one. The view has a trace. */
OlPicture *ol_picture_new(const char *path, const OlChartView *view, const OlChartStyle *style,
                          double width, GError **error);
void ol_picture_free(OlPicture *picture);
/* `watch` may be NULL. OL_ERROR_STORAGE or OL_ERROR_STOPPED: then the old file is still there. */
gboolean ol_picture_save(OlPicture *picture, const OlWatch *watch, GError **error);

/* All at once, of the whole run. */
gboolean ol_picture_write(const char *path, const OlTrace *trace, const OlChartStyle *style,
                          gboolean there, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlPicture, ol_picture_free)

G_END_DECLS
