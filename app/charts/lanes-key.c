#include "app/charts/lanes-key.h"

#include "app/charts/bubbles.h"
#include "app/charts/moment.h"
#include "engine/base/intl.h"

#include <math.h>

#define SAMPLE_EM    1.6
#define GAP_EM       1.4 /* between entries */
#define MOST_ENTRIES 4

typedef struct {
  void (*paint)(OlCanvas *canvas, OlBox box);
  const char *words;
} Entry;

void ol_lanes_key_stroke_exposed(OlCanvas *canvas)
{
  ol_paint_stroke_hatch(canvas, ol_colour_with_alpha(ol_style_text(canvas->style), 0.5));
}

static void paint_exposed(OlCanvas *canvas, OlBox box)
{
  cairo_new_path(canvas->cairo);
  ol_paint_add_hatch(canvas, box, OL_HATCH_RISING);
  ol_lanes_key_stroke_exposed(canvas);
  ol_paint_outline(canvas, box, 0, 0.07 * canvas->em, ol_style_line(canvas->style));
}

static void paint_hidden(OlCanvas *canvas, OlBox box)
{
  ol_paint_fill(canvas, box, 0, ol_style_hidden(canvas->style));
}

static void paint_path(OlCanvas *canvas, OlBox box)
{
  double y = box.y + box.height / 2;
  ol_paint_line(canvas, box.x, y, box.x + box.width, y, 0.24 * canvas->em,
                ol_style_text(canvas->style), FALSE);
}

static double entry_width(OlCanvas *canvas, const Entry *entry)
{
  return (SAMPLE_EM + 0.5) * canvas->em + ol_text_width(canvas, OL_TEXT_SMALL, entry->words);
}

/* `idle`: the selected rank's share, of the steps in sight: no more than is hatched. */
static char *dup_idle(OlCanvas *canvas, double idle)
{
  const OlChartView *view = canvas->view;
  const Entry whole = {NULL, _("bubble: idle between first forward and last backward")};
  if (ol_lanes_layout_has_bubbles(view))
    return g_strdup(entry_width(canvas, &whole) <= canvas->width - 2 * canvas->em
                        ? whole.words
                        : _("bubble: idle in a step"));
  if (!isfinite(idle))
    return g_strdup(_("GPU idle"));
  g_autofree char *share = ol_moment_dup_percent(idle);
  return g_strdup_printf(_("GPU idle %s"), share);
}

static void draw_entry(OlCanvas *canvas, const Entry *entry, double x, double y)
{
  double em = canvas->em;
  entry->paint(canvas, (OlBox){x, y - 0.45 * em, SAMPLE_EM * em, 0.9 * em});
  ol_text_draw(canvas, OL_TEXT_SMALL, ol_style_dim_text(canvas->style), x + (SAMPLE_EM + 0.5) * em,
               y, OL_ALIGN_LEFT, 0, entry->words);
}

typedef struct {
  double x;
  guint line;
} Place;

/* Beside one another, and on further lines what has no room. Each line begins below the plot, or
 * further left when what is alone on it needs that. Returns the number of lines. */
static guint place_entries(OlCanvas *canvas, double left, const Entry *entries, guint n,
                           Place *places)
{
  double gap = GAP_EM * canvas->em, right = canvas->width - 0.5 * canvas->em, x = left;
  guint line = 0;
  for (guint i = 0; i < n; i++) {
    double width = entry_width(canvas, &entries[i]);
    if (x > left && x + width > right) {
      line++;
      x = left;
    }
    places[i] = (Place){x, line};
    x += width + gap;
  }
  return line + 1;
}

/* Below the plot, or from the card's edge on where that saves a line. */
static guint find_places(OlCanvas *canvas, double plot_left, const Entry *entries, guint n,
                         Place *places)
{
  double all = -GAP_EM * canvas->em;
  for (guint i = 0; i < n; i++)
    all += entry_width(canvas, &entries[i]) + GAP_EM * canvas->em;
  double left = CLAMP(canvas->width - canvas->em - all, canvas->em, plot_left);
  return place_entries(canvas, left, entries, n, places);
}

/* The critical path goes first: it was asked for. */
static guint get_entries(const OlChartView *view, const char *idle, Entry *entries)
{
  const Entry all[MOST_ENTRIES] = {
      {paint_path, _("critical path")},
      {ol_bubbles_paint, idle},
      {paint_hidden, _("hidden under compute")},
      {paint_exposed, _("exposed")},
  };
  guint first = view->critical != NULL ? 0 : 1;
  for (guint i = first; i < MOST_ENTRIES; i++)
    entries[i - first] = all[i];
  return MOST_ENTRIES - first;
}

/* Whatever is shown and however long the share: what came and went would move the chart. */
guint ol_lanes_key_count_lines(OlCanvas *canvas, double plot_left)
{
  const GArray some = {0};
  OlChartView view = *canvas->view;
  Entry entries[MOST_ENTRIES];
  Place places[MOST_ENTRIES];
  g_autofree char *idle = dup_idle(canvas, 1);
  view.critical = &some;
  return find_places(canvas, plot_left, entries, get_entries(&view, idle, entries), places);
}

void ol_lanes_key_draw(OlCanvas *canvas, const OlLanesLayout *layout)
{
  Entry entries[MOST_ENTRIES];
  Place places[MOST_ENTRIES];
  if (layout->key_y <= 0)
    return;
  g_autofree char *idle = dup_idle(canvas, ol_bubbles_share(canvas->view));
  guint n = get_entries(canvas->view, idle, entries);
  find_places(canvas, layout->plot.left, entries, n, places);
  for (guint i = 0; i < n; i++)
    draw_entry(canvas, &entries[i], places[i].x, layout->key_y + places[i].line * layout->key_line);
}

gboolean ol_lanes_key_find_idle(OlCanvas *canvas, const OlLanesLayout *layout, OlBox *box)
{
  Entry entries[MOST_ENTRIES];
  Place places[MOST_ENTRIES];
  double share = layout->key_y > 0 ? ol_bubbles_share(canvas->view) : NAN;
  if (!isfinite(share))
    return FALSE;
  g_autofree char *idle = dup_idle(canvas, share);
  guint n = get_entries(canvas->view, idle, entries);
  find_places(canvas, layout->plot.left, entries, n, places);
  guint i = n - 3; /* before hidden and exposed */
  *box =
      (OlBox){places[i].x, layout->key_y + places[i].line * layout->key_line - layout->key_line / 2,
              entry_width(canvas, &entries[i]), layout->key_line};
  return TRUE;
}
