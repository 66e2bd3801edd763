#include "engine/base/words.h"

#include "engine/base/intl.h"
#include <string.h>

static const char *const tier_nicks[OL_N_TIERS] = {"gpu", "host", "nvme"};
static const char *const tier_names[OL_N_TIERS] = {N_("GPU"), N_("Host"), N_("NVMe")};

static const char *const payload_nicks[OL_N_PAYLOADS] = {
    "weights", "gradients", "master", "moment1", "moment2", "activations", "staging"};
static const char *const payload_names[OL_N_PAYLOADS] = {
    N_("weights"), N_("gradients"),   N_("master"), N_("Adam m"),
    N_("Adam v"),  N_("activations"), N_("staging")};

static const char *const lane_nicks[OL_N_LANES] = {
    "compute", "gpu_to_host", "host_to_gpu", "host_update", "nvme_read", "nvme_write", "peer"};
static const char *const lane_names[OL_N_LANES] = {
    N_("GPU compute"), N_("GPU → host"), N_("host → GPU"), N_("Update on host"),
    N_("NVMe read"),   N_("NVMe write"), N_("GPU ↔ GPU")};

static const char *const op_nicks[OL_N_OPS] = {
    "fill",   "forward",    "backward",       "recompute",  "accumulate", "cast",    "copy", "norm",
    "update", "all_reduce", "reduce_scatter", "all_gather", "send",       "receive", "hash"};
static const char *const op_names[OL_N_OPS] = {
    N_("Fill"),       N_("Forward"),        N_("Backward"),
    N_("Recompute"),  N_("Add gradients"),  N_("Cast"),
    N_("Copy"),       N_("Gradient norm"),  N_("Update"),
    N_("All-reduce"), N_("Reduce-scatter"), N_("All-gather"),
    N_("Send"),       N_("Receive"),        N_("Hash")};

static const char *const part_nicks[OL_N_PARTS] = {"fill", "step", "hash"};
static const char *const piece_nicks[OL_N_PIECES] = {"whole", "attention", "mlp", "join"};
static const char *const group_nicks[OL_N_GROUPS] = {"none", "data", "pipeline", "tensor", "world"};
static const char *const source_nicks[OL_N_SOURCES] = {"measured", "simulated"};
static const char *const outcome_nicks[OL_N_OUTCOMES] = {"done", "out_of_memory", "stopped",
                                                         "failed"};

static const char *word(const char *const *words, int n, int i)
{
  g_return_val_if_fail(i >= 0 && i < n, "?");
  return words[i];
}

static int find(const char *const *words, int n, const char *nick, gssize length)
{
  gsize len = length < 0 ? strlen(nick) : (gsize)length;
  for (int i = 0; i < n; i++)
    if (strlen(words[i]) == len && memcmp(words[i], nick, len) == 0)
      return i;
  return -1;
}

#define NICKS(Type, type, N)                                                                       \
  const char *ol_##type##_nick(Type value)                                                         \
  {                                                                                                \
    return word(type##_nicks, N, value);                                                           \
  }                                                                                                \
  int ol_##type##_from_nick(const char *nick, gssize length)                                       \
  {                                                                                                \
    return find(type##_nicks, N, nick, length);                                                    \
  }
#define NAMES(Type, type, N)                                                                       \
  const char *ol_##type##_name(Type value)                                                         \
  {                                                                                                \
    return _(word(type##_names, N, value));                                                        \
  }

NICKS(OlTier, tier, OL_N_TIERS)
NICKS(OlPayload, payload, OL_N_PAYLOADS)
NICKS(OlLane, lane, OL_N_LANES)
NICKS(OlOp, op, OL_N_OPS)
NICKS(OlPart, part, OL_N_PARTS)
NICKS(OlPiece, piece, OL_N_PIECES)
NICKS(OlGroup, group, OL_N_GROUPS)
NICKS(OlSource, source, OL_N_SOURCES)
NICKS(OlOutcome, outcome, OL_N_OUTCOMES)

NAMES(OlTier, tier, OL_N_TIERS)
NAMES(OlPayload, payload, OL_N_PAYLOADS)
NAMES(OlLane, lane, OL_N_LANES)
NAMES(OlOp, op, OL_N_OPS)

const char *ol_tier_plain_name(OlTier tier)
{
  return word(tier_names, OL_N_TIERS, tier);
}
