/* What an explanation leads to on the bench, when the course does not say: what its first quote
 * that has a place there speaks of. */
#include "lessons/course-private.h"

#include "lessons/quote.h"

#include <string.h>

typedef struct {
  const OlLesson *lesson;
  OlOption *option; /* whose run may be given */
  gboolean found;
} Search;

/* "peak.gpu.master", "home.host.total" and "largest.gpu". */
static gboolean find_memory(char **words, guint n, OlShowKind *show, int *target)
{
  if (n < 2 || !(g_str_equal(words[0], "peak") || g_str_equal(words[0], "home") ||
                 g_str_equal(words[0], "largest")))
    return FALSE;
  int payload = n > 2 ? ol_payload_from_nick(words[2], -1) : -1;
  *show = payload >= 0 ? OL_SHOW_PAYLOAD : OL_SHOW_TIER;
  *target = payload >= 0 ? payload : ol_tier_from_nick(words[1], -1);
  return *target >= 0;
}

/* "busy.nvme_read", "moved.peer.tensor": the lane that was at work. */
static gboolean find_lane(char **words, guint n, OlShowKind *show, int *target)
{
  static const char *const kinds[] = {"busy", "moved", "exposed", "critical", NULL};
  if (n < 2 || !g_strv_contains(kinds, words[0]))
    return FALSE;
  int lane = ol_lane_from_nick(words[1], -1);
  *show = OL_SHOW_LANE;
  *target = lane >= 0 ? lane : OL_LANE_COMPUTE; /* exposed.seconds: that it waited */
  return TRUE;
}

static gboolean find_named(const char *metric, const OlLessonRun *run, OlShowKind *show,
                           int *target)
{
  int head = (int)run->config->model.layers + 1;
  const struct {
    const char *prefix;
    OlShowKind show;
    int target;
  } kinds[] = {
      {"state.", OL_SHOW_PAYLOAD, OL_PAYLOAD_MOMENT1},
      {"weights.", OL_SHOW_PAYLOAD, OL_PAYLOAD_WEIGHTS}, /* their bytes, and their hash */
      {"gradients.", OL_SHOW_PAYLOAD, OL_PAYLOAD_GRADIENTS},
      {"total.bytes", OL_SHOW_TIER, OL_TIER_GPU},
      {"outcome", OL_SHOW_TIER, OL_TIER_GPU},
      {"loss.", OL_SHOW_UNIT, head}, /* where it is computed */
      {"count.all_", OL_SHOW_LANE, OL_LANE_PEER},
      {"count.reduce_", OL_SHOW_LANE, OL_LANE_PEER},
      {"count.", OL_SHOW_LANE, OL_LANE_COMPUTE},
      {"hidden.", OL_SHOW_LANE, OL_LANE_COMPUTE},
      {"bubble.", OL_SHOW_LANE, OL_LANE_COMPUTE},
      {"step.", OL_SHOW_LANE, OL_LANE_COMPUTE},
  };
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
    if (g_str_has_prefix(metric, kinds[i].prefix)) {
      *show = kinds[i].show;
      *target = kinds[i].target;
      return TRUE;
    }
  return FALSE;
}

/* Past "rank.2.", "all." and "total." (of "total.moved.…"). */
static const char *skip_scope(const char *metric)
{
  if (g_str_has_prefix(metric, "rank.")) {
    const char *point = strchr(metric + strlen("rank."), '.');
    return point != NULL ? point + 1 : metric;
  }
  if (g_str_has_prefix(metric, "all."))
    return metric + strlen("all.");
  return g_str_has_prefix(metric, "total.moved") ? metric + strlen("total.") : metric;
}

static char *look_at_quote(const char *name, const char *quoted, gpointer data)
{
  Search *search = data;
  OlOption *option = search->option;
  const OlLessonRun *run = name != NULL ? ol_lesson_find_run(search->lesson, name) : NULL;
  if (search->found || run == NULL || run->config == NULL || run->hidden ||
      (option->run != NULL && !g_str_equal(option->run, name)))
    return NULL;
  const char *metric = skip_scope(quoted);
  g_auto(GStrv) words = g_strsplit(metric, ".", -1);
  guint n = g_strv_length(words);
  search->found = find_memory(words, n, &option->show, &option->target) ||
                  find_lane(words, n, &option->show, &option->target) ||
                  find_named(metric, run, &option->show, &option->target);
  if (search->found && option->run == NULL)
    option->run = g_strdup(name);
  return NULL;
}

void ol_course_derive_show(const OlLesson *lesson, OlOption *option)
{
  Search search = {lesson, option, FALSE};
  if (option->why != NULL && option->show == OL_SHOW_NOTHING)
    g_free(ol_quotes_replace(option->why, look_at_quote, &search));
}
