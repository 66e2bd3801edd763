#include "app/window/saving.h"

#include "app/charts/table-csv.h"
#include "engine/base/intl.h"
#include "engine/trace/chrome.h"
#include "engine/trace/events.h"

#include <string.h>

static const OlSaveSuffix picture_suffixes[] = {
    {"png", N_("Picture in dots (PNG)")},
    {"svg", N_("Drawing (SVG)")},
    {"pdf", N_("Page (PDF)")},
};
static const OlSaveSuffix table_suffixes[] = {{"csv", N_("Table (CSV)")}};
static const OlSaveSuffix run_suffixes[] = {{"jsonl", N_("Events of a run (JSON lines)")}};
static const OlSaveSuffix trace_suffixes[] = {{"json", N_("Trace for Perfetto (JSON)")}};

static const struct {
  const char *title;
  const OlSaveSuffix *suffixes;
  guint n_suffixes;
} kinds[OL_N_SAVES] = {
    [OL_SAVE_PICTURE] = {N_("Save the charts as a picture"), picture_suffixes,
                         G_N_ELEMENTS(picture_suffixes)},
    [OL_SAVE_TABLE] = {N_("Save the table"), table_suffixes, G_N_ELEMENTS(table_suffixes)},
    [OL_SAVE_RUN] = {N_("Save the run"), run_suffixes, G_N_ELEMENTS(run_suffixes)},
    [OL_SAVE_TRACE] = {N_("Save a trace for Perfetto"), trace_suffixes,
                       G_N_ELEMENTS(trace_suffixes)},
};

const char *ol_save_title(OlSave save)
{
  return _(kinds[save].title);
}

const OlSaveSuffix *ol_save_suffixes(OlSave save, guint *n)
{
  *n = kinds[save].n_suffixes;
  return kinds[save].suffixes;
}

char *ol_save_dup_name(OlSave save, const char *name, const OlSaveSuffix *chosen)
{
  g_autofree char *lower = g_ascii_strdown(name, -1);

  for (guint i = 0; i < kinds[save].n_suffixes; i++) {
    g_autofree char *end = g_strconcat(".", kinds[save].suffixes[i].suffix, NULL);
    if (g_str_has_suffix(lower, end))
      return g_strdup(name);
  }
  return g_strconcat(name, ".", chosen->suffix, NULL);
}

struct OlSaving {
  OlSave save;
  char *path;
  OlPicture *picture;
  OlTableCsv *csv;
  OlTrace *trace;
};

OlSaving *ol_saving_new(OlSave save, OlTableKind table, const char *path, const OlChartView *view,
                        const OlChartStyle *style, double width, GError **error)
{
  OlTrace *trace = (OlTrace *)view->trace;
  OlPicture *picture = NULL;
  OlSaving *saving;

  if (save == OL_SAVE_PICTURE && !(picture = ol_picture_new(path, view, style, width, error)))
    return NULL;
  saving = g_new0(OlSaving, 1);
  saving->save = save;
  saving->path = g_strdup(path);
  saving->picture = picture;
  if (save == OL_SAVE_TABLE)
    saving->csv = ol_table_csv_new(table, view);
  else if (save != OL_SAVE_PICTURE)
    saving->trace = trace->ended ? ol_trace_ref(trace) : ol_trace_dup_so_far(trace);
  return saving;
}

void ol_saving_free(OlSaving *saving)
{
  if (!saving)
    return;
  g_clear_pointer(&saving->picture, ol_picture_free);
  g_clear_pointer(&saving->csv, ol_table_csv_free);
  g_clear_pointer(&saving->trace, ol_trace_unref);
  g_free(saving->path);
  g_free(saving);
}

gboolean ol_saving_write(OlSaving *saving, const OlWatch *watch, GError **error)
{
  switch (saving->save) {
  case OL_SAVE_PICTURE:
    return ol_picture_save(saving->picture, watch, error);
  case OL_SAVE_TABLE:
    return ol_table_csv_save(saving->csv, saving->path, watch, error);
  case OL_SAVE_RUN:
    return ol_events_write_file_watched(saving->trace, saving->path, watch, error);
  default:
    return ol_chrome_write_file_watched(saving->trace, saving->path, watch, error);
  }
}
