/* Every fault found in one input, gathered so that a person mends them all at once. */
#pragma once

#include "engine/base/error.h"
#include "engine/config/run-config.h"

G_BEGIN_DECLS

typedef struct {
  char *prefix;      /* before every key path: "serial.json: ", "experiment.base." */
  GString *lines;    /* one a fault */
  GHashTable *paths; /* the key paths at fault */
  GPtrArray *each;   /* OlConfigFault, as many as there are lines */
  guint n;
} OlFaults;

OlFaults *ol_faults_new(const char *prefix);
void ol_faults_free(OlFaults *faults);

/* One line: prefix, key path, what is wrong and what is allowed. */
void ol_faults_add(OlFaults *faults, const char *path, const char *format, ...) G_GNUC_PRINTF(3, 4);

gboolean ol_faults_has(const OlFaults *faults, const char *path);

/* TRUE when there are none; else sets `error` to all lines. */
gboolean ol_faults_none(const OlFaults *faults, OlErrorCode code, GError **error);

/* `text` in quotes, for a message: control characters escaped, cut to a readable length. */
char *ol_faults_dup_quoted(const char *text);

/* The shortest decimal that reads back as the same double, with a point in every locale. */
char *ol_faults_dup_number(double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlFaults, ol_faults_free)

G_END_DECLS
