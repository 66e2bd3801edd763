/* A whole run as one picture: titles, legend, the three views and how it ended. */
#include "app/charts/canvas.h"
#include "app/charts/charts.h"
#include "app/charts/heading.h"
#include "app/charts/moment.h"
#include "engine/base/error.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH_EM  76.0
#define EDGE_EM   1.6
#define TITLE_EM  2.1 /* of a chart */
#define GAP_EM    0.9
#define PNG_SCALE 2.0 /* pixels a unit: sharp on paper and projector */

typedef enum { KIND_PNG, KIND_SVG, KIND_PDF } Kind;

static gboolean find_kind(const char *path, Kind *kind, GError **error)
{
  static const char *const suffixes[] = {".png", ".svg", ".pdf"};
  g_autofree char *lower = g_ascii_strdown(path, -1);
  for (guint i = 0; i < G_N_ELEMENTS(suffixes); i++)
    if (g_str_has_suffix(lower, suffixes[i])) {
      *kind = (Kind)i;
      return TRUE;
    }
  g_set_error(error, OL_ERROR, OL_ERROR_BAD_INPUT,
              "%s: a picture's name ends in .png, .svg or .pdf", path);
  return FALSE;
}

static double total_height(const OlChartView *view, const OlChartStyle *style, double width)
{
  double em = style->text_size, height = 2 * EDGE_EM * em + ol_heading_height(view, style);
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, view))
      height += (TITLE_EM + GAP_EM) * em + ol_chart_height((OlChart)chart, view, style, width);
  return ceil(height);
}

static void draw_legend(OlCanvas *canvas, double right, double y)
{
  cairo_push_group(canvas->cairo);
  double width = ol_chart_draw_legend(canvas->cairo, 0, 0, canvas->style);
  cairo_pattern_destroy(cairo_pop_group(canvas->cairo));
  ol_chart_draw_legend(canvas->cairo, right - width, y, canvas->style);
}

static void draw_title(OlCanvas *canvas, OlChart chart, double x, double y)
{
  double used = ol_text_draw(canvas, OL_TEXT_STRONG, ol_style_text(canvas->style), x, y,
                             OL_ALIGN_LEFT, 0, ol_chart_title(chart));
  g_autofree char *subtitle = ol_chart_dup_subtitle(chart, canvas->view);
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), x + used + canvas->em, y,
               OL_ALIGN_LEFT, 0, subtitle);
}

/* Title, card and chart; returns the y below. */
static double draw_card(OlCanvas *canvas, OlChart chart, double x, double y, double width)
{
  const OlChartStyle *style = canvas->style;
  double em = canvas->em;
  draw_title(canvas, chart, x, y + TITLE_EM * em / 2);
  if (chart == OL_CHART_TIERS)
    draw_legend(canvas, x + width, y + 0.35 * em);
  y += TITLE_EM * em;
  double height = ol_chart_height(chart, canvas->view, style, width);
  OlBox card = {x, y, width, height};
  ol_paint_fill(canvas, card, 0.7 * em, ol_style_background(style));
  ol_paint_outline(canvas, card, 0.7 * em, 0.08 * em, ol_style_line(style));
  cairo_save(canvas->cairo);
  cairo_translate(canvas->cairo, x, y);
  ol_chart_draw(chart, canvas->cairo, width, height, canvas->view, style);
  cairo_restore(canvas->cairo);
  return y + height + GAP_EM * em;
}

static void draw_picture(cairo_t *cairo, const OlChartView *view, const OlChartStyle *style,
                         double width, double height)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, view, style, width, height);
  double em = canvas.em, x = EDGE_EM * em, inner = width - 2 * x, y = EDGE_EM * em;
  OlColour page = ol_colour_mix(ol_style_background(style), ol_style_line(style),
                                style->look == OL_LOOK_DARK ? 0.25 : 0.0);
  ol_paint_fill(&canvas, (OlBox){0, 0, width, height}, 0, page);
  ol_heading_draw(&canvas, x, y, inner);
  y += ol_heading_height(view, style);
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, view))
      y = draw_card(&canvas, (OlChart)chart, x, y, inner);
  ol_canvas_clear(&canvas);
}

/* Through a stream of our own, so that a full disk is told apart from a bad folder. */
typedef struct {
  FILE *file;
  int error;
} Sink;

static cairo_status_t write_bytes(void *data, const unsigned char *bytes, unsigned length)
{
  Sink *sink = data;
  if (fwrite(bytes, 1, length, sink->file) == length)
    return CAIRO_STATUS_SUCCESS;
  if (sink->error == 0)
    sink->error = errno;
  return CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *new_surface(Kind kind, Sink *sink, double width, double height)
{
  if (kind == KIND_SVG)
    return cairo_svg_surface_create_for_stream(write_bytes, sink, width, height);
  if (kind == KIND_PDF)
    return cairo_pdf_surface_create_for_stream(write_bytes, sink, width, height);
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * PNG_SCALE),
                                    (int)ceil(height * PNG_SCALE));
}

static cairo_status_t write_surface(Kind kind, Sink *sink, const OlChartView *view,
                                    const OlChartStyle *style)
{
  double width = WIDTH_EM * style->text_size;
  double height = total_height(view, style, width - 2 * EDGE_EM * style->text_size);
  cairo_surface_t *surface = new_surface(kind, sink, width, height);
  cairo_t *cairo = cairo_create(surface);
  if (kind == KIND_PNG)
    cairo_scale(cairo, PNG_SCALE, PNG_SCALE);
  draw_picture(cairo, view, style, width, height);
  cairo_status_t status = cairo_status(cairo);
  cairo_destroy(cairo);
  if (status == CAIRO_STATUS_SUCCESS && kind == KIND_PNG)
    status = cairo_surface_write_to_png_stream(surface, write_bytes, sink);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  return status;
}

static gboolean fail(const char *path, const char *why, GError **error)
{
  g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, "cannot write the picture %s: %s", path, why);
  return FALSE;
}

gboolean ol_picture_write(const char *path, const OlTrace *trace, const OlChartStyle *style,
                          gboolean there, GError **error)
{
  Kind kind;
  if (!find_kind(path, &kind, error))
    return FALSE;
  Sink sink = {fopen(path, "wb"), 0};
  if (sink.file == NULL)
    return fail(path, g_strerror(errno), error);
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  OlChartView view = {.trace = trace,
                      .index = index,
                      .cursor_ns = -1,
                      .selected_span = -1,
                      .hovered_span = -1,
                      .shown_payload = -1,
                      .shown_lane = -1,
                      .shown_tier = -1,
                      .there = there};
  view.end_ns = MAX(ol_moment_known_ns(&view), 1);
  view.rank = (guint)MAX(ol_moment_full_rank(trace), 0);
  cairo_status_t status = write_surface(kind, &sink, &view, style);
  if (fclose(sink.file) != 0 && sink.error == 0)
    sink.error = errno;
  if (status == CAIRO_STATUS_SUCCESS && sink.error == 0)
    return TRUE;
  /* Half a picture is of no use; what is not a plain file (a pipe, a device) is left alone. */
  if (g_file_test(path, G_FILE_TEST_IS_REGULAR))
    remove(path);
  return fail(path, sink.error != 0 ? g_strerror(sink.error) : cairo_status_to_string(status),
              error);
}
