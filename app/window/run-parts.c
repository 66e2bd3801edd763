#include "app/window/run-parts.h"

#include "engine/base/intl.h"
#include <math.h>

#define BETWEEN " · "

static void clear_part(gpointer part)
{
  g_free(((OlRunPart *)part)->words);
}

GArray *ol_run_parts_new(void)
{
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(OlRunPart));

  g_array_set_clear_func(parts, clear_part);
  return parts;
}

void ol_run_parts_add(GArray *parts, OlNumberKind kind, const char *format, ...)
{
  OlRunPart part = {.kind = kind};
  va_list arguments;

  va_start(arguments, format);
  part.words = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_array_append_val(parts, part);
}

void ol_run_parts_add_step(GArray *parts, const OlChartView *view, double seconds)
{
  g_autofree char *each = ol_chart_view_dup_seconds(view, seconds);

  ol_run_parts_add(parts, OL_NUMBER_SPEED, view->there ? _("%s a step there") : _("%s a step"),
                   each);
}

void ol_run_parts_add_loss(GArray *parts, const OlTrace *trace)
{
  guint n = trace ? trace->steps->len : 0;

  if (n > 0 && !isnan(ol_trace_step(trace, n - 1)->loss))
    ol_run_parts_add(parts, OL_NUMBER_LOSS, _("loss %.3g"), ol_trace_step(trace, n - 1)->loss);
}

char *ol_run_parts_dup_words(const GArray *parts)
{
  GString *text = g_string_new(NULL);

  for (guint i = 0; i < parts->len; i++)
    g_string_append_printf(text, "%s%s", i > 0 ? BETWEEN : "",
                           g_array_index(parts, OlRunPart, i).words);
  return g_string_free(text, FALSE);
}

char *ol_run_parts_dup_markup(const GArray *parts)
{
  GString *text = g_string_new(NULL);

  for (guint i = 0; i < parts->len; i++) {
    const OlRunPart *part = &g_array_index(parts, OlRunPart, i);
    g_autofree char *words = g_markup_escape_text(part->words, -1);
    g_string_append(text, i > 0 ? BETWEEN : "");
    if (part->kind == OL_NUMBER_NONE)
      g_string_append(text, words);
    else
      g_string_append_printf(text, "<a href=\"%u\">%s</a>", i, words);
  }
  return g_string_free(text, FALSE);
}
