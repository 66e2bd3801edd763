#include "app/charts/tiers-words.h"

#include "engine/base/intl.h"
#include <string.h>

char *ol_tiers_dup_amount(const OlChartView *view, gint64 total, gint64 capacity)
{
  g_autofree char *held = ol_chart_view_dup_bytes(view, (double)total);
  if (capacity <= 0)
    return g_steal_pointer(&held);
  g_autofree char *of = ol_chart_view_dup_bytes(view, (double)capacity);
  char *unit = strchr(held, ' '), *of_unit = strchr(of, ' ');
  if (total == 0 || g_strcmp0(unit, of_unit) == 0)
    *unit = '\0';
  return g_strdup_printf("%s / %s", held, of);
}

void ol_tiers_dup_amount_lines(const OlChartView *view, gint64 total, gint64 capacity,
                               char **total_line, char **capacity_line)
{
  g_autofree char *of = ol_chart_view_dup_bytes(view, (double)capacity);
  *total_line = ol_chart_view_dup_bytes(view, (double)total);
  *capacity_line = capacity > 0 ? g_strdup_printf(_("of %s"), of) : g_strdup("");
}

double ol_tiers_amount_width(OlCanvas *canvas, OlTextRole role)
{
  return ol_text_width(canvas, role, _("1000 MiB / 1000 GiB"));
}

static double longest_word(OlCanvas *canvas, OlTextRole role, const char *text)
{
  g_auto(GStrv) words = g_strsplit(text, " ", -1);
  double longest = 0;
  for (char **word = words; *word != NULL; word++)
    longest = MAX(longest, ol_text_width(canvas, role, *word));
  return longest;
}

/* A line that is broken leaves at most a word's room. */
static gboolean fits(OlCanvas *canvas, OlTextRole role, double room, int lines, const char *text)
{
  double lost = lines > 1 ? (lines - 1) * longest_word(canvas, role, text) : 0;
  double width = ol_text_width(canvas, role, text);
  return width <= room || width + lost <= lines * room;
}

const char *ol_tiers_choose(OlCanvas *canvas, OlTextRole role, double room, int lines, ...)
{
  va_list texts;
  va_start(texts, lines);
  const char *chosen = va_arg(texts, const char *), *next = chosen;
  while ((next = va_arg(texts, const char *)) != NULL && !fits(canvas, role, room, lines, chosen))
    chosen = next;
  va_end(texts);
  return chosen;
}
