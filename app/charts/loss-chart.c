/* Loss and speed: how the loss falls and how many tokens a second are trained, step by step; the
 * pinned run as a broken line with open dots. */
#include "app/charts/chart-rooms.h"
#include "app/charts/loss-layout.h"
#include "app/charts/moment.h"
#include "app/charts/pinned.h"
#include "app/charts/plot.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"

#include <math.h>

#define LINE_EM   0.16
#define DASH_EM   0.5
#define DOT_EM    0.24
#define MOST_DOTS 40

static const char *const titles[OL_N_PANELS] = {N_("Loss"), N_("Tokens a second")};

double ol_loss_chart_height(OlCanvas *canvas)
{
  return ol_loss_layout_height(canvas);
}

/* The colour of what makes the figure: the loss is compute's, speed is neither here nor there. */
static OlColour line_colour(const OlChartStyle *style, OlPanelKind kind)
{
  return kind == OL_PANEL_LOSS ? ol_style_payload_outline(style, OL_PAYLOAD_ACTIVATIONS)
                               : ol_style_payload_outline(style, OL_PAYLOAD_WEIGHTS);
}

static int decimals_of(double tick)
{
  return (int)CLAMP(ceil(-log10(tick) - 1e-6), 0, 6);
}

static void draw_grid(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  const OlLossPanel *panel = &layout->panels[kind];
  double em = canvas->em;
  for (guint i = 0; i < panel->n_ticks; i++) {
    double value = panel->first_tick + i * panel->tick;
    double y = ol_loss_layout_y(layout, kind, value);
    g_autofree char *label = fabs(value) < panel->tick / 2
                                 ? g_strdup("0")
                                 : ol_loss_dup_value(kind, value, decimals_of(panel->tick));
    ol_paint_line(canvas, panel->plot.x, y, panel->plot.x + panel->plot.width, y, 0.07 * em,
                  ol_style_line(canvas->style), FALSE);
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), panel->plot.x - 0.5 * em,
                 y, OL_ALIGN_RIGHT, 0, label);
  }
}

/* The number of the first and of the last step, and in between where there is room. */
static void draw_steps(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  const OlLossPanel *panel = &layout->panels[kind];
  guint room = (guint)MAX(panel->plot.width / (3.2 * canvas->em), 1);
  guint every = (layout->n_steps + room - 1) / room;
  for (guint step = 0; step < layout->n_steps; step += every) {
    g_autofree char *label = g_strdup_printf(step == 0 ? _("step %u") : "%u", step + 1);
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style),
                 ol_loss_layout_x(layout, kind, step), panel->foot_y, OL_ALIGN_CENTRE, 0, label);
  }
}

static void trace_line(OlCanvas *canvas, const GArray *points)
{
  cairo_new_path(canvas->cairo);
  for (guint i = 0; i < points->len; i++) {
    const OlLossPoint *point = &g_array_index(points, OlLossPoint, i);
    (i == 0 ? cairo_move_to : cairo_line_to)(canvas->cairo, point->x, point->top);
    if (point->bottom > point->top)
      cairo_line_to(canvas->cairo, point->x, point->bottom);
  }
}

static void draw_dots(OlCanvas *canvas, const GArray *points, OlColour colour, gboolean open)
{
  for (guint i = 0; i < points->len && points->len <= MOST_DOTS; i++) {
    const OlLossPoint *point = &g_array_index(points, OlLossPoint, i);
    cairo_new_path(canvas->cairo);
    cairo_arc(canvas->cairo, point->x, point->top, DOT_EM * canvas->em, 0, 2 * G_PI);
    ol_paint_set(canvas, open ? ol_style_background(canvas->style) : colour);
    cairo_fill_preserve(canvas->cairo);
    ol_paint_set(canvas, colour);
    cairo_set_line_width(canvas->cairo, 0.1 * canvas->em);
    cairo_stroke(canvas->cairo);
  }
}

static void draw_run(OlCanvas *canvas, const OlLossLayout *layout, const OlChartView *view,
                     OlPanelKind kind, gboolean is_pinned)
{
  g_autoptr(GArray) points = ol_loss_points_new(layout, view, kind);
  OlColour colour = is_pinned ? ol_style_text(canvas->style) : line_colour(canvas->style, kind);
  double dash = DASH_EM * canvas->em;
  trace_line(canvas, points);
  ol_paint_set(canvas, colour);
  cairo_set_line_width(canvas->cairo, LINE_EM * canvas->em * (is_pinned ? 0.8 : 1));
  if (is_pinned)
    cairo_set_dash(canvas->cairo, &dash, 1, 0);
  cairo_stroke(canvas->cairo);
  cairo_set_dash(canvas->cairo, NULL, 0, 0);
  draw_dots(canvas, points, colour, is_pinned);
}

/* A panel's title and, right of it, the newest figure: "2.31 in step 12". */
typedef struct {
  double left, right;
  double figure_x;
  char *figure; /* or NULL: unknown */
} Head;

static Head find_head(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  const OlLossPanel *panel = &layout->panels[kind];
  Head head = {.left = kind == OL_PANEL_LOSS || layout->column
                           ? canvas->em
                           : panel->plot.x - MIN(4.4 * canvas->em, panel->plot.width / 2),
               .right = panel->plot.x + panel->plot.width};
  guint n = canvas->view->trace->steps->len;
  double value = n > 0 ? ol_loss_value(canvas->view, kind, n - 1) : NAN;
  double title = ol_text_width(canvas, OL_TEXT_STRONG, _(titles[kind]));
  head.figure_x = head.left + MIN(title, head.right - head.left) + canvas->em;
  if (isfinite(value)) {
    g_autofree char *figure = ol_loss_dup_value(kind, value, 3);
    head.figure = g_strdup_printf(_("%s in step %u"), figure, n);
  }
  return head;
}

static void draw_head(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  Head head = find_head(canvas, layout, kind);
  double y = layout->panels[kind].head_y;
  ol_text_draw(canvas, OL_TEXT_STRONG, ol_style_text(canvas->style), head.left, y, OL_ALIGN_LEFT,
               head.right - head.left, _(titles[kind]));
  if (head.figure != NULL)
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), head.figure_x, y,
                 OL_ALIGN_LEFT, MAX(head.right - head.figure_x, 1), head.figure);
  g_free(head.figure);
}

/* More than a sliver of it, or of what is in sight. */
static gboolean is_in_sight(const OlChartView *view, const OlStep *step)
{
  gint64 both = MIN(step->end_ns, view->end_ns) - MAX(step->begin_ns, view->begin_ns);
  gint64 smaller = MIN(step->end_ns - step->begin_ns, view->end_ns - view->begin_ns);
  return both > smaller / 20;
}

/* The steps that the time charts show lie on a band, unless they show all; the cursor's step has a
 * line through it. */
static void draw_sight(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  const OlChartView *view = canvas->view;
  const OlBox *plot = &layout->panels[kind].plot;
  double column = plot->width / layout->n_steps;
  guint n = view->trace->steps->len, first = n, end = 0;
  for (guint i = 0; i < n; i++) {
    const OlStep *step = ol_trace_step(view->trace, i);
    if (is_in_sight(view, step)) {
      first = MIN(first, i);
      end = i + 1;
    }
    if (view->cursor_ns >= step->begin_ns && view->cursor_ns < step->end_ns) {
      double x = ol_loss_layout_x(layout, kind, i);
      ol_paint_line(canvas, x, plot->y, x, plot->y + plot->height, 0.12 * canvas->em,
                    ol_style_accent(canvas->style), TRUE);
    }
  }
  if (end - MIN(first, end) == 0 || end - first == n)
    return;
  OlBox band = {plot->x + first * column, plot->y, (end - first) * column, plot->height};
  ol_paint_fill(canvas, band, 0, ol_colour_with_alpha(ol_style_accent(canvas->style), 0.12));
}

/* Why there is nothing to draw. A loss is no time: holding a run takes none away. */
static const char *find_reason(const OlChartView *view, OlPanelKind kind)
{
  const OlTrace *trace = view->trace;
  if (trace->steps->len == 0)
    return trace->ended ? _("no step has ended") : _("known after the first step");
  if (kind == OL_PANEL_LOSS)
    return _("the run tells no loss");
  return trace->touched ? _("no times: the run was held or slowed") : _("the run tells no speed");
}

static void draw_panel(OlCanvas *canvas, const OlLossLayout *layout, OlPanelKind kind)
{
  OlPinnedRun back;
  const OlLossPanel *panel = &layout->panels[kind];
  draw_head(canvas, layout, kind);
  draw_grid(canvas, layout, kind);
  if (panel->n_ticks == 0) {
    ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), panel->plot.x,
                 panel->plot.y + panel->plot.height / 2, OL_ALIGN_LEFT, panel->plot.width,
                 find_reason(canvas->view, kind));
    return;
  }
  draw_steps(canvas, layout, kind);
  draw_sight(canvas, layout, kind);
  if (canvas->view->pinned != NULL) {
    OlChartView other = ol_pinned_view(canvas->view, &back);
    draw_run(canvas, layout, &other, kind, TRUE);
  }
  draw_run(canvas, layout, canvas->view, kind, FALSE);
}

void ol_loss_chart_draw(OlCanvas *canvas)
{
  OlLossLayout layout;
  if (ol_moment_is_empty(canvas->view)) {
    ol_canvas_draw_invitation(canvas, (OlBox){0, 0, canvas->width, canvas->height},
                              _("Nothing has run yet"), _("A run shows how its loss falls."));
    return;
  }
  ol_loss_layout_init(&layout, canvas);
  for (int kind = 0; kind < OL_N_PANELS; kind++)
    draw_panel(canvas, &layout, (OlPanelKind)kind);
}

/* A step's moment is its last one. */
void ol_loss_chart_hit(OlCanvas *canvas, double x, double y, OlChartHit *hit)
{
  OlLossLayout layout;
  if (ol_moment_is_empty(canvas->view))
    return;
  ol_loss_layout_init(&layout, canvas);
  int step = ol_loss_layout_step_at(&layout, x, y);
  if (step >= 0 && (guint)step < canvas->view->trace->steps->len)
    hit->time_ns = ol_trace_step(canvas->view->trace, (guint)step)->end_ns - 1;
}

void ol_loss_chart_numbers(OlCanvas *canvas, GArray *numbers)
{
  OlLossLayout layout;
  ol_loss_layout_init(&layout, canvas);
  for (int kind = 0; kind < OL_N_PANELS; kind++) {
    Head head = find_head(canvas, &layout, (OlPanelKind)kind);
    if (head.figure != NULL)
      ol_numbers_add(
          numbers,
          ol_number(kind == OL_PANEL_LOSS ? OL_NUMBER_LOSS : OL_NUMBER_SPEED, canvas->view->rank),
          ol_text_box(canvas, OL_TEXT_SMALL, head.figure_x, layout.panels[kind].head_y,
                      OL_ALIGN_LEFT, MAX(head.right - head.figure_x, 1), head.figure));
    g_free(head.figure);
  }
}
