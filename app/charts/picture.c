/* The bench as one picture: heading, legend and the views, each at a whole place and so drawn dot
 * for dot as on screen. */
#include "app/charts/canvas.h"
#include "app/charts/charts.h"
#include "app/charts/heading.h"
#include "app/charts/origin.h"
#include "engine/base/error.h"
#include "engine/base/intl.h"
#include "engine/base/whole-file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

#define WIDTH_EM    72.8 /* of the charts, on a page */
#define EDGE_EM     1.6
#define TITLE_EM    2.1 /* of a chart */
#define GAP_EM      0.9
#define PNG_SCALE   2.0   /* pixels a unit: sharp on paper and projector */
#define PNG_MOST    32000 /* pixels: as far as cairo goes */
#define PIECE_BYTES ((gsize)16 << 10)

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
              _("%s: a picture's name ends in .png, .svg or .pdf"), path);
  return FALSE;
}

/* Whole units, so that nothing of a chart falls between two dots. */
static double whole(double ems, const OlChartStyle *style)
{
  return ceil(ems * style->text_size);
}

static double card_height(OlChart chart, const OlChartView *view, const OlChartStyle *style,
                          double width)
{
  return ceil(ol_chart_height(chart, view, style, width));
}

static double total_height(const OlChartView *view, const OlChartStyle *style, double width)
{
  double height = 2 * whole(EDGE_EM, style) + ceil(ol_heading_height(view, style));
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, view))
      height += whole(TITLE_EM, style) + whole(GAP_EM, style) +
                card_height((OlChart)chart, view, style, width);
  return height;
}

static void draw_legend(OlCanvas *canvas, double right, double y)
{
  const OlTrace *trace = canvas->view->trace;
  cairo_push_group(canvas->cairo);
  double width = ol_chart_draw_legend(canvas->cairo, 0, 0, trace, canvas->style);
  cairo_pattern_destroy(cairo_pop_group(canvas->cairo));
  ol_chart_draw_legend(canvas->cairo, right - width, y, trace, canvas->style);
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
  double em = canvas->em, height = card_height(chart, canvas->view, style, width);
  draw_title(canvas, chart, x, y + TITLE_EM * em / 2);
  if (chart == OL_CHART_TIERS)
    draw_legend(canvas, x + width, y + 0.35 * em);
  y += whole(TITLE_EM, style);
  OlBox card = {x, y, width, height};
  ol_paint_fill(canvas, card, 0.7 * em, ol_style_background(style));
  cairo_save(canvas->cairo);
  cairo_translate(canvas->cairo, x, y);
  ol_chart_draw(chart, canvas->cairo, width, height, canvas->view, style);
  cairo_restore(canvas->cairo);
  ol_origin_draw_frame(canvas, canvas->view->trace, card, 0.7 * em);
  return y + height + whole(GAP_EM, style);
}

static void draw_picture(cairo_t *cairo, const OlChartView *view, const OlChartStyle *style,
                         double width, double height)
{
  OlCanvas canvas;
  ol_canvas_init(&canvas, cairo, view, style, width, height);
  double x = whole(EDGE_EM, style), inner = width - 2 * x, y = x;
  OlColour page = ol_colour_mix(ol_style_background(style), ol_style_line(style),
                                style->look == OL_LOOK_DARK ? 0.25 : 0.0);
  ol_paint_fill(&canvas, (OlBox){0, 0, width, height}, 0, page);
  ol_heading_draw(&canvas, x, y, inner);
  y += ceil(ol_heading_height(view, style));
  for (int chart = 0; chart < OL_N_CHARTS; chart++)
    if (ol_chart_is_there((OlChart)chart, view))
      y = draw_card(&canvas, (OlChart)chart, x, y, inner);
  ol_canvas_clear(&canvas);
}

struct OlPicture {
  char *path;
  Kind kind;
  double width, height;
  cairo_surface_t *surface; /* the dots of a PNG, else a page that becomes words when it is done */
  GByteArray *bytes;        /* the file, as far as cairo has written it */
  gboolean is_written;      /* to the end */
  const OlWatch *watch;     /* while it is saved */
  GError *stopped;          /* by the watch */
};

static cairo_status_t write_bytes(void *data, const unsigned char *bytes, unsigned length)
{
  OlPicture *picture = data;
  g_byte_array_append(picture->bytes, bytes, length);
  if (picture->stopped == NULL)
    ol_watch_tell(picture->watch, 0.5, &picture->stopped);
  return picture->stopped == NULL ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* A very tall one, of many ranks, gets as many dots as fit. */
static cairo_surface_t *new_surface(OlPicture *picture, double *scale)
{
  double width = picture->width, height = picture->height;
  *scale = 1;
  if (picture->kind == KIND_SVG)
    return cairo_svg_surface_create_for_stream(write_bytes, picture, width, height);
  if (picture->kind == KIND_PDF)
    return cairo_pdf_surface_create_for_stream(write_bytes, picture, width, height);
  *scale = MIN(PNG_SCALE, PNG_MOST / MAX(width, height));
  return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * *scale),
                                    (int)ceil(height * *scale));
}

OlPicture *ol_picture_new(const char *path, const OlChartView *view, const OlChartStyle *style,
                          double width, GError **error)
{
  Kind kind;
  if (!find_kind(path, &kind, error))
    return NULL;
  double charts = width > 0 ? width : whole(WIDTH_EM, style), scale;
  OlPicture *picture = g_new0(OlPicture, 1);
  picture->path = g_strdup(path);
  picture->kind = kind;
  picture->width = charts + 2 * whole(EDGE_EM, style);
  picture->height = total_height(view, style, charts);
  picture->bytes = g_byte_array_new();
  picture->surface = new_surface(picture, &scale);
  cairo_t *cairo = cairo_create(picture->surface);
  cairo_scale(cairo, scale, scale);
  draw_picture(cairo, view, style, picture->width, picture->height);
  cairo_destroy(cairo);
  return picture;
}

void ol_picture_free(OlPicture *picture)
{
  if (picture == NULL)
    return;
  cairo_surface_destroy(picture->surface);
  g_byte_array_unref(picture->bytes);
  g_clear_error(&picture->stopped);
  g_free(picture->path);
  g_free(picture);
}

static cairo_status_t write_whole(OlPicture *picture)
{
  cairo_status_t status = cairo_surface_status(picture->surface);
  if (status != CAIRO_STATUS_SUCCESS || picture->is_written)
    return status;
  if (picture->kind == KIND_PNG) {
    g_byte_array_set_size(picture->bytes, 0); /* an earlier try may have been stopped */
    return cairo_surface_write_to_png_stream(picture->surface, write_bytes, picture);
  }
  cairo_surface_finish(picture->surface);
  return cairo_surface_status(picture->surface);
}

/* A slow disk takes its time over each piece; between them a stop is heard. */
static gboolean write_pieces(const GByteArray *bytes, OlWholeFile *file, const OlWatch *watch,
                             GError **error)
{
  for (gsize at = 0; at < bytes->len; at += PIECE_BYTES)
    if (!ol_whole_file_write(file, bytes->data + at, MIN(PIECE_BYTES, bytes->len - at), error) ||
        !ol_watch_tell(watch, (double)at / bytes->len, error))
      return FALSE;
  return TRUE;
}

/* The bytes of the file, into `file`. */
static gboolean save_bytes(OlPicture *picture, OlWholeFile *file, const OlWatch *watch,
                           GError **error)
{
  picture->watch = watch;
  cairo_status_t status = write_whole(picture);
  picture->watch = NULL;
  if (picture->stopped != NULL) {
    g_propagate_error(error, g_steal_pointer(&picture->stopped));
    return FALSE;
  }
  if (status != CAIRO_STATUS_SUCCESS) {
    g_set_error(error, OL_ERROR, OL_ERROR_STORAGE, _("cannot draw the picture %s: %s"),
                picture->path, cairo_status_to_string(status));
    return FALSE;
  }
  picture->is_written = TRUE;
  return write_pieces(picture->bytes, file, watch, error);
}

gboolean ol_picture_save(OlPicture *picture, const OlWatch *watch, GError **error)
{
  OlWholeFile *file = ol_whole_file_open(picture->path, error);
  if (file == NULL)
    return FALSE;
  if (save_bytes(picture, file, watch, error))
    return ol_whole_file_keep(file, error);
  ol_whole_file_drop(file);
  return FALSE;
}

gboolean ol_picture_write(const char *path, const OlTrace *trace, const OlChartStyle *style,
                          gboolean there, GError **error)
{
  g_autoptr(OlTraceIndex) index = ol_trace_index_new(trace);
  OlChartView view = ol_chart_view_whole(trace, index);
  view.there = there;
  g_autoptr(OlPicture) picture = ol_picture_new(path, &view, style, 0, error);
  return picture != NULL && ol_picture_save(picture, NULL, error);
}
