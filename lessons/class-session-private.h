/* The two files of OlClassSession: class-session.c goes through it, class-votes.c counts. */
#pragma once

#include "lessons/class-session.h"

G_BEGIN_DECLS

#define OL_CLASS_ROUNDS 2

typedef struct {
  OlClassItem item;
  OlClassStage stage;
  gboolean voted_again;
  GArray *votes[OL_CLASS_ROUNDS]; /* guint, an option each, in the order in which they came */
} OlClassEntry;

struct OlClassSession {
  GDateTime *begin;
  GPtrArray *entries; /* OlClassEntry */
  guint position;
  gboolean at_bench; /* for a moment, whatever the stage */
};

static inline OlClassEntry *ol_class_session_get_entry(const OlClassSession *session)
{
  return g_ptr_array_index(session->entries, session->position);
}

G_END_DECLS
