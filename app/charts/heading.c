#include "app/charts/heading.h"

#include "app/charts/charts.h"
#include "app/charts/moment.h"
#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include "engine/base/measure.h"
#include "engine/config/hardware.h"

#include <math.h>

char *ol_heading_dup_title(const OlTrace *trace)
{
  g_autoptr(OlRunConfig) config =
      trace->header.config != NULL
          ? ol_run_config_parse(trace->header.config, -1, "the trace's config", NULL)
          : NULL;
  if (config == NULL)
    return g_strdup(_("A run of the lab"));
  g_autofree char *shape =
      g_strdup_printf(_("%u layers of width %u"), config->model.layers, config->model.width);
  g_autoptr(OlMachine) machine = ol_machine_new(config, NULL, NULL);
  if (machine == NULL)
    return g_steal_pointer(&shape);
  if (machine->reference == NULL)
    return g_strdup_printf(_("%s on %s"), shape, machine->hardware->title);
  return g_strdup_printf(_("%s on %s · %s"), machine->reference->title, machine->hardware->title,
                         shape);
}

/* "Scale model: 1 MiB is 1.7 GiB · 1 s is 1.7 s", or NULL at full size. */
static char *dup_scale(const OlTrace *trace)
{
  const OlTraceHeader *header = &trace->header;
  if (!(header->mu > 1))
    return NULL;
  g_autofree char *bytes = ol_measure_dup_bytes(header->mu * 1024 * 1024);
  if (!isfinite(header->slowdown) || header->slowdown <= 0)
    return g_strdup_printf(_("scale model: 1 MiB is %s"), bytes);
  g_autofree char *seconds = ol_measure_dup_seconds(header->mu / header->slowdown);
  return g_strdup_printf(_("scale model: 1 MiB is %s, 1 s is %s"), bytes, seconds);
}

static void append_steps(GString *text, const OlChartView *view)
{
  const OlTrace *trace = view->trace;
  guint n = trace->steps->len;
  if (n == 0)
    return;
  const OlStep *first = ol_trace_step(trace, 0), *last = ol_trace_step(trace, n - 1);
  g_string_append_printf(text, ol_ngettext(" · %u step", " · %u steps", n), n);
  if (!trace->touched) { /* as metric step.seconds: all steps but the first */
    gint64 begin = n > 1 ? first->end_ns : first->begin_ns;
    double seconds = (double)(last->end_ns - begin) / MAX(n - 1, 1) / OL_NS_PER_SECOND;
    g_autofree char *each = ol_chart_view_dup_seconds(view, seconds);
    g_string_append_printf(text, _(" of %s"), each);
  }
  if (isfinite(last->loss))
    g_string_append_printf(text, _(" · loss %.2f"), last->loss);
}

static char *dup_outcome(const OlChartView *view)
{
  static const char *const words[OL_N_OUTCOMES] = {N_("Done"), N_("Out of memory"), N_("Stopped"),
                                                   N_("Failed")};
  const OlTrace *trace = view->trace;
  const char *open =
      trace->replayed ? _("Cut off: the file ends before the run") : _("Still running");
  GString *text = g_string_new(trace->ended ? _(words[trace->outcome]) : open);
  append_steps(text, view);
  g_autofree char *scale = dup_scale(trace);
  if (scale != NULL)
    g_string_append_printf(text, " · %s", scale);
  if (view->there)
    g_string_append(text, _(" · figures are those of the big model"));
  return g_string_free(text, FALSE);
}

static gboolean has_message(const OlTrace *trace)
{
  return trace->ended && trace->outcome != OL_OUTCOME_DONE && trace->message != NULL;
}

double ol_heading_height(const OlChartView *view, const OlChartStyle *style)
{
  return style->text_size * (has_message(view->trace) ? 5.2 : 3.9);
}

void ol_heading_draw(OlCanvas *canvas, double x, double y, double width)
{
  const OlTrace *trace = canvas->view->trace;
  const OlChartStyle *style = canvas->style;
  double em = canvas->em;
  y += 0.9 * em;
  double badge, badge_height;
  ol_chart_badge_size(trace, style, &badge, &badge_height);
  ol_chart_draw_badge(canvas->cairo, x + width - badge, y - badge_height / 2, trace, style);
  g_autofree char *title = ol_heading_dup_title(trace);
  ol_text_draw(canvas, OL_TEXT_TITLE, ol_style_text(style), x, y, OL_ALIGN_LEFT, width - badge - em,
               title);
  gboolean bad = trace->ended && trace->outcome != OL_OUTCOME_DONE;
  g_autofree char *outcome = dup_outcome(canvas->view);
  ol_text_draw(canvas, bad ? OL_TEXT_STRONG : OL_TEXT_BODY,
               bad ? ol_style_capacity(style) : ol_style_dim_text(style), x, y + 1.7 * em,
               OL_ALIGN_LEFT, width, outcome);
  if (has_message(trace))
    ol_text_draw(canvas, OL_TEXT_BODY, ol_style_text(style), x, y + 3.1 * em, OL_ALIGN_LEFT, width,
                 trace->message);
}
