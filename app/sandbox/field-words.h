/* How each key of a config is called on the form, in which group it stands, and where its slider
 * ends. What is allowed is not said here: that is the engine's table (config/fields.h). */
#pragma once

#include "engine/config/fields.h"

G_BEGIN_DECLS

typedef enum {
  OL_FORM_MODEL,
  OL_FORM_BATCH,
  OL_FORM_PLACEMENT,
  OL_FORM_OPTIMIZER,
  OL_FORM_OVERLAP,
  OL_FORM_RECOMPUTE,
  OL_FORM_PARALLEL,
  OL_FORM_HARDWARE,
  OL_FORM_RUN,
  OL_N_FORM_GROUPS
} OlFormGroup;

/* What a form is for: a real run of a scale model, or a simulation at full size. */
typedef enum { OL_FORM_SANDBOX, OL_FORM_SCALE_UP } OlFormKind;

typedef struct {
  const char *path;
  OlFormGroup group;
  const char *title;
  const char *unit;      /* or NULL */
  const char *null_word; /* what null means, of a key that may be null */
  double from, to;       /* ends of the slider; from == to: none */
  double to_full_size;   /* the upper one of OL_FORM_SCALE_UP */
  gboolean only_real;    /* changes nothing in a simulation at full size */
} OlFieldWords;

const char *ol_form_group_title(OlFormGroup group);

/* In the order in which they stand on the form: a row a key of the config. */
const OlFieldWords *ol_field_words_get(guint *n);
const OlFieldWords *ol_field_words_find(const char *path); /* or NULL */

/* A value as the form shows it: "NVMe" for nvme. Caller frees. */
char *ol_field_words_dup_value(const OlField *field, const char *typed);

G_END_DECLS
