/* The keys of a DeepSpeed JSON that the lab reads, and what it says about the others. */
#pragma once

#include "engine/config/deepspeed.h"
#include "engine/config/fields-private.h"

G_BEGIN_DECLS

typedef struct {
  OlField field; /* path, kind and range; `offset` is in OlDeepSpeed */
  gboolean may_be_auto;
  gboolean (*counts)(const OlDeepSpeed *deepspeed); /* for the lab; NULL: it never does */
  const char *otherwise;                            /* why it does not, when it does not */
} OlDeepSpeedKey;

/* NULL when it is not read. */
const OlDeepSpeedKey *ol_deepspeed_key_find(const char *path);

/* TRUE for the path of an object that holds keys which are read. */
gboolean ol_deepspeed_is_block(const char *path);

/* Why a key that is not read changes nothing: a reason of its own, where it may belong, or that the
 * lab has no such setting. Caller frees. */
char *ol_deepspeed_dup_why_not_read(const char *path);

/* What the keys mean together. */
gboolean ol_deepspeed_offloads_optimizer(const OlDeepSpeed *deepspeed);
gboolean ol_deepspeed_offloads_weights(const OlDeepSpeed *deepspeed);
gboolean ol_deepspeed_states_on_nvme(const OlDeepSpeed *deepspeed);
gboolean ol_deepspeed_uses_nvme(const OlDeepSpeed *deepspeed); /* states or weights */
gboolean ol_deepspeed_is_pinned(const OlDeepSpeed *deepspeed); /* all that is offloaded */
/* aio in the lab's units and ranges. */
guint ol_deepspeed_drive_depth(const OlDeepSpeed *deepspeed);
guint ol_deepspeed_drive_block_kib(const OlDeepSpeed *deepspeed);

G_END_DECLS
