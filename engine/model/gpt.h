/* Forward and backward of one unit, as launches on one stream. Issues work and returns: nothing
 * here allocates or waits. What lies at which offset of `inner` and `work` is layout.h's.
 *
 * A block that is sliced over tensor ranks is done in pieces (words.h), between which somebody sums
 * `partial` over the ranks: forward ATTENTION, MLP, JOIN; backward MLP, ATTENTION, JOIN. All else
 * is done WHOLE. */
#pragma once

#include "engine/device/device.h"
#include "engine/model/shape.h"

G_BEGIN_DECLS

/* GPU memory of one unit and micro-batch; n = tokens, h = width. Unused ones may be NULL. */
typedef struct {
  const void *weights;   /* the unit's tensors, in shape's order */
  void *gradient;        /* the same tensors, of the element type: written whole by backward */
  const int32_t *tokens; /* [2][n]: input ids, then target ids (embed and head) */
  const void *input;     /* [n][h]: the unit before's output (block, head) */
  void *output;          /* [n][h] (embed, block) */
  void *inner;           /* kept from forward to backward */
  void *probabilities;   /* a block's, when they lie apart from inner; NULL: at inner's end */
  const void *d_output;  /* [n][h] (embed, block): backward */
  void *d_input;         /* [n][h] (block, head): backward */
  void *partial;         /* [n][h]: this rank's part of a sum, written; of a sliced block */
  const void *summed;    /* [n][h]: the sum of the parts that the piece before wrote */
  gboolean is_first_slice;
  void *work;        /* scratch of ol_shape_{forward,backward}_work_bytes() */
  double loss_scale; /* head forward: 1 / tokens of the global batch */
  double *loss;      /* head forward: host memory, set to this micro-batch's share */
} OlGptBuffers;

void ol_gpt_forward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                    OlPiece piece, const OlGptBuffers *buffers);
/* Makes again what the forward of a block did not keep: all of inner (full), or the attention
 * probabilities alone (selective, in one piece: WHOLE). Needs weights and input, or inner's qkv.
 * The same bits as the forward's. */
void ol_gpt_recompute(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                      OlRecompute recompute, OlPiece piece, const OlGptBuffers *buffers);
void ol_gpt_backward(const OlDeviceOps *ops, OlStream *stream, const OlShape *shape, guint unit,
                     OlPiece piece, const OlGptBuffers *buffers);

G_END_DECLS
