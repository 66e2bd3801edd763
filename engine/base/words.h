/* The words that every room shares: where bytes lie, what they are, who moves or computes them.
 *
 * Each enum has a nick per value: the spelling used in configs, events and metric paths. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { OL_TIER_GPU, OL_TIER_HOST, OL_TIER_NVME, OL_N_TIERS } OlTier;

typedef enum {
  OL_PAYLOAD_WEIGHTS,
  OL_PAYLOAD_GRADIENTS,
  OL_PAYLOAD_MASTER,
  OL_PAYLOAD_MOMENT1,
  OL_PAYLOAD_MOMENT2,
  OL_PAYLOAD_ACTIVATIONS,
  OL_PAYLOAD_STAGING,
  OL_N_PAYLOADS
} OlPayload;

/* A lane does one thing at a time, in plan order. */
typedef enum {
  OL_LANE_COMPUTE,
  OL_LANE_GPU_TO_HOST,
  OL_LANE_HOST_TO_GPU,
  OL_LANE_HOST_UPDATE,
  OL_LANE_NVME_READ,
  OL_LANE_NVME_WRITE,
  OL_LANE_PEER,
  OL_N_LANES
} OlLane;

/* What a node does. `copy` names its direction by its lane and its subject by its payload. */
typedef enum {
  OL_OP_FILL,           /* write a home before the first step */
  OL_OP_FORWARD,        /* forward of one unit for one micro-batch */
  OL_OP_BACKWARD,       /* backward of one unit for one micro-batch */
  OL_OP_RECOMPUTE,      /* forward again, for what was not kept */
  OL_OP_ACCUMULATE,     /* add a micro-batch's bf16 gradient to the fp32 sum */
  OL_OP_CAST,           /* round a finished fp32 sum to bf16 */
  OL_OP_COPY,           /* move one payload of one unit over a link */
  OL_OP_NORM,           /* squares of one unit's finished gradient, for clipping */
  OL_OP_UPDATE,         /* AdamW on one unit */
  OL_OP_ALL_REDUCE,     /* sum a group's buffers, everybody gets the sum */
  OL_OP_REDUCE_SCATTER, /* the same, each gets its shard */
  OL_OP_ALL_GATHER,     /* put shards together, everybody gets the whole */
  OL_OP_SEND,           /* to a slot of the next or previous stage */
  OL_OP_RECEIVE,        /* the other end */
  OL_OP_HASH,           /* read a home after the last step */
  OL_N_OPS
} OlOp;

typedef enum { OL_PART_FILL, OL_PART_STEP, OL_PART_HASH, OL_N_PARTS } OlPart;

/* How much of a unit's pass a node does. A block that is sliced over tensor ranks stops twice on
 * its way, to sum over them: after attention and after the MLP (1909.08053 section 3). */
typedef enum {
  OL_PIECE_WHOLE,
  OL_PIECE_ATTENTION,
  OL_PIECE_MLP,
  OL_PIECE_JOIN, /* the second sum goes into the residual stream, or the gradient through norm 1 */
  OL_N_PIECES
} OlPiece;

/* Which ranks a collective or a message is between. */
typedef enum {
  OL_GROUP_NONE,
  OL_GROUP_DATA,     /* those that differ in their data index alone */
  OL_GROUP_PIPELINE, /* in their stage alone */
  OL_GROUP_TENSOR,   /* in their slice alone */
  OL_GROUP_WORLD,    /* all */
  OL_N_GROUPS
} OlGroup;

typedef enum { OL_SOURCE_MEASURED, OL_SOURCE_SIMULATED, OL_N_SOURCES } OlSource;

typedef enum {
  OL_OUTCOME_DONE,
  OL_OUTCOME_OUT_OF_MEMORY,
  OL_OUTCOME_STOPPED,
  OL_OUTCOME_FAILED,
  OL_N_OUTCOMES
} OlOutcome;

/* Whether a lane moves bytes, rather than work on them; and whether the drive does it. */
static inline gboolean ol_lane_is_transfer(int lane)
{
  return lane != OL_LANE_COMPUTE && lane != OL_LANE_HOST_UPDATE;
}
static inline gboolean ol_lane_is_drive(int lane)
{
  return lane == OL_LANE_NVME_READ || lane == OL_LANE_NVME_WRITE;
}

/* The nick ("gpu_to_host"), for files and metric paths. Static strings. */
const char *ol_tier_nick(OlTier tier);
const char *ol_payload_nick(OlPayload payload);
const char *ol_lane_nick(OlLane lane);
const char *ol_op_nick(OlOp op);
const char *ol_part_nick(OlPart part);
const char *ol_piece_nick(OlPiece piece);
const char *ol_group_nick(OlGroup group);
const char *ol_source_nick(OlSource source);
const char *ol_outcome_nick(OlOutcome outcome);

/* The name a person reads ("GPU → host", "Adam m"). Static UTF-8 strings. */
const char *ol_tier_name(OlTier tier);
/* The same in no language, for sentences that programs look for names in. */
const char *ol_tier_plain_name(OlTier tier);
const char *ol_payload_name(OlPayload payload);
const char *ol_lane_name(OlLane lane);
const char *ol_op_name(OlOp op);

/* The value with this nick, or -1. */
int ol_tier_from_nick(const char *nick, gssize length);
int ol_payload_from_nick(const char *nick, gssize length);
int ol_lane_from_nick(const char *nick, gssize length);
int ol_op_from_nick(const char *nick, gssize length);
int ol_part_from_nick(const char *nick, gssize length);
int ol_piece_from_nick(const char *nick, gssize length);
int ol_group_from_nick(const char *nick, gssize length);
int ol_source_from_nick(const char *nick, gssize length);
int ol_outcome_from_nick(const char *nick, gssize length);

G_END_DECLS
