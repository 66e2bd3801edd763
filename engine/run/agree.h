/* What all processes of one run must know alike, or end together for want of: said before and after
 * a run, from their main threads, in the same order by all. */
#pragma once

#include "engine/comm/comm.h"

G_BEGIN_DECLS

/* The rank whose process this is. */
guint ol_agree_rank(const OlComm *comm);

/* Rank 0's text, which may be NULL, is everyone's. Takes `text`; caller frees the result. FALSE
 * when another process has failed. */
gboolean ol_agree_on_text(OlComm *comm, char **text, GError **error);

/* The same for a number. */
gboolean ol_agree_on_number(OlComm *comm, double *number, GError **error);

/* Each comes with its own error or NULL, which this takes. TRUE when nobody has one; else everyone
 * leaves with that of the first rank that has. */
gboolean ol_agree_to_go_on(OlComm *comm, GError *own, GError **error);

G_END_DECLS
