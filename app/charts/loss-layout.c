#include "app/charts/loss-layout.h"

#include "app/charts/axis.h"
#include "app/charts/moment.h"
#include "app/charts/pinned.h"
#include "engine/base/clock.h"
#include "engine/base/measure.h"

#include <math.h>

/* In ems. */
#define EDGE       1.0
#define HEAD       2.1
#define PLOT       6.6
#define FOOT       1.9
#define TICKS      4.4 /* left of the plot: "1.20 million" has the room of two words */
#define GAP        2.0 /* between panels in a row */
#define NARROW     44.0
#define MOST_TICKS 4
#define MOST_PLOT  (2.5 * PLOT)

static gboolean is_column(const OlCanvas *canvas)
{
  return canvas->width < NARROW * canvas->em;
}

static guint count_rows(const OlCanvas *canvas)
{
  return is_column(canvas) ? OL_N_PANELS : 1;
}

double ol_loss_layout_height(OlCanvas *canvas)
{
  return (HEAD + PLOT + FOOT) * canvas->em * count_rows(canvas) + 0.3 * canvas->em;
}

double ol_loss_layout_most(OlCanvas *canvas)
{
  return ol_loss_layout_height(canvas) + (MOST_PLOT - PLOT) * canvas->em * count_rows(canvas);
}

/* Of one panel, in a canvas that may be higher than it must be. */
static double plot_height(OlCanvas *canvas)
{
  double more = (canvas->height - ol_loss_layout_height(canvas)) / count_rows(canvas);
  return CLAMP(PLOT * canvas->em + more, PLOT * canvas->em, MOST_PLOT * canvas->em);
}

double ol_loss_tokens_scale(const OlChartView *view)
{
  double kappa = view->trace != NULL ? view->trace->header.kappa : NAN;
  if (!view->there || !isfinite(kappa) || kappa <= 0)
    return 1;
  return kappa / ol_chart_view_time_scale(view);
}

static double get_speed(const OlChartView *view, const OlStep *step)
{
  double tokens, seconds = (double)(step->end_ns - step->begin_ns) / OL_NS_PER_SECOND;
  if (view->trace->touched || seconds <= 0 ||
      !ol_trace_get_number(view->trace, "tokens.per_step", &tokens))
    return NAN;
  return tokens / seconds * ol_loss_tokens_scale(view);
}

double ol_loss_value(const OlChartView *view, OlPanelKind kind, guint i)
{
  if (view->trace == NULL || i >= view->trace->steps->len)
    return NAN;
  const OlStep *step = ol_trace_step(view->trace, i);
  return kind == OL_PANEL_LOSS ? step->loss : get_speed(view, step);
}

char *ol_loss_dup_value(OlPanelKind kind, double value, int decimals)
{
  if (kind == OL_PANEL_LOSS)
    return g_strdup_printf("%.*f", decimals, value);
  return value >= 10 ? ol_measure_dup_count(round(value)) : g_strdup_printf("%.3g", value);
}

static void take_values(OlLossPanel *panel, OlPanelKind kind, const OlChartView *view)
{
  for (guint i = 0; view->trace != NULL && i < view->trace->steps->len; i++) {
    double value = ol_loss_value(view, kind, i);
    if (!isfinite(value))
      continue;
    panel->low = MIN(panel->low, value);
    panel->high = MAX(panel->high, value);
  }
}

/* Losses fill the height; speeds are told by their height above nothing. */
static void scale_panel(OlLossPanel *panel, OlPanelKind kind)
{
  if (panel->low > panel->high) {
    panel->low = 0;
    panel->high = 1;
    return;
  }
  if (kind == OL_PANEL_SPEED)
    panel->low = 0;
  double room = 0.1 * (panel->high - panel->low);
  room = room > 0 ? room : MAX(0.05 * fabs(panel->high), 1e-6);
  panel->high += room;
  panel->low -= kind == OL_PANEL_SPEED ? 0 : room;
  OlAxis axis = ol_axis_choose(panel->low, panel->high, MOST_TICKS);
  panel->first_tick = axis.first;
  panel->tick = axis.step;
  panel->n_ticks = axis.n;
}

static void place_panel(OlLossLayout *layout, OlCanvas *canvas, guint i)
{
  double em = canvas->em, inner = canvas->width - 2 * EDGE * em;
  double width = layout->column ? inner : (inner - GAP * em) / OL_N_PANELS;
  double x = EDGE * em + (layout->column ? 0 : i * (width + GAP * em));
  double high = plot_height(canvas);
  double y = layout->column ? i * ((HEAD + FOOT) * em + high) : 0;
  double ticks = MIN(TICKS * em, width / 3);
  layout->panels[i] = (OlLossPanel){.plot = {x + ticks, y + HEAD * em, MAX(width - ticks, 1), high},
                                    .head_y = y + (HEAD * 0.55) * em,
                                    .foot_y = y + (HEAD + 0.95) * em + high,
                                    .low = G_MAXDOUBLE,
                                    .high = -G_MAXDOUBLE};
}

void ol_loss_layout_init(OlLossLayout *layout, OlCanvas *canvas)
{
  const OlChartView *view = canvas->view;
  *layout = (OlLossLayout){.column = is_column(canvas), .n_steps = 1};
  if (view != NULL && view->trace != NULL)
    layout->n_steps = MAX(layout->n_steps, view->trace->steps->len);
  if (view != NULL && view->pinned != NULL)
    layout->n_steps = MAX(layout->n_steps, view->pinned->trace->steps->len);
  for (guint i = 0; i < OL_N_PANELS; i++) {
    OlPinnedRun back;
    place_panel(layout, canvas, i);
    if (view != NULL)
      take_values(&layout->panels[i], (OlPanelKind)i, view);
    if (view != NULL && view->pinned != NULL) {
      OlChartView other = ol_pinned_view(view, &back);
      take_values(&layout->panels[i], (OlPanelKind)i, &other);
    }
    scale_panel(&layout->panels[i], (OlPanelKind)i);
  }
}

double ol_loss_layout_x(const OlLossLayout *layout, OlPanelKind kind, guint step)
{
  const OlBox *plot = &layout->panels[kind].plot;
  return plot->x + plot->width * (step + 0.5) / layout->n_steps;
}

double ol_loss_layout_y(const OlLossLayout *layout, OlPanelKind kind, double value)
{
  const OlLossPanel *panel = &layout->panels[kind];
  double share = (value - panel->low) / (panel->high - panel->low);
  return panel->plot.y + panel->plot.height * (1 - share);
}

int ol_loss_layout_step_at(const OlLossLayout *layout, double x, double y)
{
  for (guint i = 0; i < OL_N_PANELS; i++) {
    const OlBox *plot = &layout->panels[i].plot;
    if (x >= plot->x && x < plot->x + plot->width && y >= layout->panels[i].head_y &&
        y <= layout->panels[i].foot_y)
      return (int)((x - plot->x) / plot->width * layout->n_steps);
  }
  return -1;
}

GArray *ol_loss_points_new(const OlLossLayout *layout, const OlChartView *view, OlPanelKind kind)
{
  GArray *points = g_array_new(FALSE, FALSE, sizeof(OlLossPoint));
  guint n = view->trace != NULL ? view->trace->steps->len : 0;
  for (guint i = 0; i < n; i++) {
    double value = ol_loss_value(view, kind, i);
    if (!isfinite(value))
      continue;
    double x = ol_loss_layout_x(layout, kind, i), y = ol_loss_layout_y(layout, kind, value);
    OlLossPoint *last =
        points->len > 0 ? &g_array_index(points, OlLossPoint, points->len - 1) : NULL;
    if (last != NULL && x - last->x < 1) {
      last->top = MIN(last->top, y);
      last->bottom = MAX(last->bottom, y);
      continue;
    }
    OlLossPoint point = {x, y, y};
    g_array_append_val(points, point);
  }
  return points;
}
