#include "app/charts/figure-path.h"

#include "engine/base/intl.h"
#include <string.h>

/* What stands behind a stem's dot. */
typedef enum { TAIL_NONE, TAIL_LANE, TAIL_GROUP, TAIL_OP, TAIL_TIER, TAIL_HELD } Tail;

/* In the order in which a group's figures are read. */
static const struct {
  const char *stem, *words;
  Tail tail;
  OlFigureGroup group;
  OlBetter better;
} kinds[OL_N_FIGURES] = {
    [OL_FIGURE_STEP_SECONDS] = {"step.seconds", N_("A step takes"), TAIL_NONE, OL_FIGURES_STEP,
                                OL_BETTER_LESS},
    [OL_FIGURE_STEP_THERE] = {"step.seconds_there", N_("A step takes at full size"), TAIL_NONE,
                              OL_FIGURES_STEP, OL_BETTER_LESS},
    [OL_FIGURE_TOKENS] = {"tokens.per_second", N_("Tokens a second"), TAIL_NONE, OL_FIGURES_STEP,
                          OL_BETTER_MORE},
    [OL_FIGURE_HIDDEN] = {"hidden.fraction", N_("Transfers hidden under compute"), TAIL_NONE,
                          OL_FIGURES_STEP, OL_BETTER_MORE},
    [OL_FIGURE_EXPOSED_ALL] = {"exposed.seconds", N_("Compute waits for others"), TAIL_NONE,
                               OL_FIGURES_STEP, OL_BETTER_LESS},
    [OL_FIGURE_BUBBLE] = {"bubble.fraction", N_("Bubbles"), TAIL_NONE, OL_FIGURES_STEP,
                          OL_BETTER_LESS},
    [OL_FIGURE_LATE] = {"late", N_("Late, of a step"), TAIL_NONE, OL_FIGURES_STEP,
                        OL_BETTER_NEITHER},
    [OL_FIGURE_EXPOSED] = {"exposed", N_("Exposed"), TAIL_LANE, OL_FIGURES_LANES, OL_BETTER_LESS},
    [OL_FIGURE_BUSY] = {"busy", N_("Busy"), TAIL_LANE, OL_FIGURES_LANES, OL_BETTER_NEITHER},
    [OL_FIGURE_CRITICAL] = {"critical", N_("Of the critical path"), TAIL_LANE, OL_FIGURES_LANES,
                            OL_BETTER_NEITHER},
    [OL_FIGURE_COUNT] = {"count", N_("Count"), TAIL_OP, OL_FIGURES_LANES, OL_BETTER_NEITHER},
    [OL_FIGURE_MOVED_GROUP] = {"moved.peer", N_("Moved in a step"), TAIL_GROUP, OL_FIGURES_TRAFFIC,
                               OL_BETTER_LESS},
    [OL_FIGURE_MOVED] = {"moved", N_("Moved in a step"), TAIL_LANE, OL_FIGURES_TRAFFIC,
                         OL_BETTER_LESS},
    [OL_FIGURE_TOTAL_MOVED] = {"total.moved", N_("Moved in all"), TAIL_LANE, OL_FIGURES_TRAFFIC,
                               OL_BETTER_LESS},
    [OL_FIGURE_PEAK] = {"peak", N_("At most on"), TAIL_HELD, OL_FIGURES_PEAKS, OL_BETTER_LESS},
    [OL_FIGURE_LARGEST] = {"largest", N_("Most at the peak of"), TAIL_TIER, OL_FIGURES_PEAKS,
                           OL_BETTER_NEITHER},
    [OL_FIGURE_HOME] = {"home", N_("At home on"), TAIL_HELD, OL_FIGURES_HOMES, OL_BETTER_NEITHER},
    [OL_FIGURE_PER_PARAMETER] = {"bytes_per_parameter", N_("A parameter's"), TAIL_NONE,
                                 OL_FIGURES_HOMES, OL_BETTER_LESS},
    [OL_FIGURE_LOSS_FIRST] = {"loss.first", N_("First loss"), TAIL_NONE, OL_FIGURES_RESULT,
                              OL_BETTER_NEITHER},
    [OL_FIGURE_LOSS_LAST] = {"loss.last", N_("Last loss"), TAIL_NONE, OL_FIGURES_RESULT,
                             OL_BETTER_LESS},
    [OL_FIGURE_LOSS_ALL] = {"loss.all", N_("Losses of all steps"), TAIL_NONE, OL_FIGURES_RESULT,
                            OL_BETTER_NEITHER},
    [OL_FIGURE_HASH] = {"weights.hash", N_("Weights at the end"), TAIL_NONE, OL_FIGURES_RESULT,
                        OL_BETTER_NEITHER},
    [OL_FIGURE_NVME_PATH] = {"nvme.path", N_("Way to the drive"), TAIL_NONE, OL_FIGURES_RESULT,
                             OL_BETTER_NEITHER},
    [OL_FIGURE_OUTCOME] = {"outcome", N_("Ended"), TAIL_NONE, OL_FIGURES_RESULT, OL_BETTER_NEITHER},
};

#define PER_PARAMETER ".bytes_per_parameter"

OlFigureGroup ol_figure_group(OlFigureKind kind)
{
  return kinds[kind].group;
}

OlBetter ol_figure_better(OlFigureKind kind)
{
  return kinds[kind].better;
}

const char *ol_figure_group_title(OlFigureGroup group)
{
  static const char *const titles[OL_N_FIGURE_GROUPS] = {
      N_("Step"),           N_("Lanes, in a step"), N_("Bytes moved"),
      N_("Memory at most"), N_("Memory at home"),   N_("Result")};
  return _(titles[group]);
}

/* "gpu.weights", "gpu.total", "gpu.arena" */
static gboolean take_held(OlFigurePath *parsed, const char *tail)
{
  const char *dot = strchr(tail, '.');
  if (dot == NULL)
    return FALSE;
  parsed->tier = ol_tier_from_nick(tail, dot - tail);
  parsed->payload = ol_payload_from_nick(dot + 1, -1);
  return parsed->tier >= 0 &&
         (parsed->payload >= 0 || g_str_equal(dot + 1, "total") || g_str_equal(dot + 1, "arena"));
}

static gboolean take_tail(OlFigurePath *parsed, Tail kind, const char *tail)
{
  switch (kind) {
  case TAIL_LANE:
    return (parsed->lane = ol_lane_from_nick(tail, -1)) >= 0;
  case TAIL_GROUP:
    parsed->lane = OL_LANE_PEER;
    return ol_group_from_nick(tail, -1) > OL_GROUP_NONE;
  case TAIL_OP:
    return (parsed->op = ol_op_from_nick(tail, -1)) >= 0;
  case TAIL_TIER:
    return (parsed->tier = ol_tier_from_nick(tail, -1)) >= 0;
  case TAIL_HELD:
    return take_held(parsed, tail);
  case TAIL_NONE:
    break;
  }
  return FALSE;
}

static gboolean matches(OlFigurePath *parsed, OlFigureKind kind)
{
  gsize length = strlen(kinds[kind].stem);
  if (kind == OL_FIGURE_PER_PARAMETER)
    return g_str_has_suffix(parsed->plain, PER_PARAMETER);
  if (strncmp(parsed->plain, kinds[kind].stem, length) != 0)
    return FALSE;
  if (kinds[kind].tail == TAIL_NONE)
    return parsed->plain[length] == '\0';
  return parsed->plain[length] == '.' &&
         take_tail(parsed, kinds[kind].tail, parsed->plain + length + 1);
}

static const char *skip_rank(const char *path, int *rank)
{
  *rank = -1;
  if (g_str_has_prefix(path, "all.")) {
    *rank = OL_FIGURE_ALL_RANKS;
    return path + strlen("all.");
  }
  if (!g_str_has_prefix(path, "rank."))
    return path;
  char *end;
  *rank = (int)CLAMP(g_ascii_strtoll(path + strlen("rank."), &end, 10), 0, G_MAXINT);
  return *end == '.' ? end + 1 : end;
}

gboolean ol_figure_path_parse(const char *path, OlFigurePath *parsed)
{
  int rank;
  const char *plain = skip_rank(path, &rank);
  for (int kind = 0; kind < OL_N_FIGURES; kind++) {
    *parsed = (OlFigurePath){(OlFigureKind)kind, rank, plain, -1, -1, -1, -1};
    if (matches(parsed, (OlFigureKind)kind))
      return TRUE;
  }
  return FALSE;
}

/* What of a tier: a payload's name, "all", or how high the arena was filled. */
static const char *held_name(const OlFigurePath *path)
{
  if (path->payload >= 0)
    return ol_payload_name((OlPayload)path->payload);
  return g_str_has_suffix(path->plain, ".arena") ? _("highest address") : _("all");
}

/* "state of the optimizer": what of a parameter; "" for what is no such path. */
static char *dup_of_parameter(const char *plain)
{
  if (g_str_has_prefix(plain, "state."))
    return g_strdup(_("optimizer state"));
  return g_strndup(plain, strlen(plain) - strlen(PER_PARAMETER));
}

static char *dup_plain_name(const OlFigurePath *path)
{
  const char *words = _(kinds[path->kind].words);
  g_autofree char *of_parameter = NULL;
  switch (kinds[path->kind].tail) {
  case TAIL_LANE:
    return g_strdup_printf(_("%s: %s"), words, ol_lane_name((OlLane)path->lane));
  case TAIL_GROUP:
    return g_strdup_printf(_("%s: GPU ↔ GPU, %s group"), words, strrchr(path->plain, '.') + 1);
  case TAIL_OP:
    return g_strdup_printf(_("%s: %s"), words, ol_op_name((OlOp)path->op));
  case TAIL_TIER:
    return g_strdup_printf(_("%s %s"), words, ol_tier_name((OlTier)path->tier));
  case TAIL_HELD:
    return g_strdup_printf(_("%s %s: %s"), words, ol_tier_name((OlTier)path->tier),
                           held_name(path));
  case TAIL_NONE:
    break;
  }
  if (path->kind != OL_FIGURE_PER_PARAMETER)
    return g_strdup(words);
  of_parameter = dup_of_parameter(path->plain);
  return g_strdup_printf(_("%s %s"), words, of_parameter);
}

char *ol_figure_path_dup_name(const OlFigurePath *path)
{
  g_autofree char *name = dup_plain_name(path);
  if (path->rank >= 0)
    return g_strdup_printf(_("Rank %d: %s"), path->rank, name);
  return path->rank == OL_FIGURE_ALL_RANKS ? g_strdup_printf(_("All ranks: %s"), name)
                                           : g_steal_pointer(&name);
}
