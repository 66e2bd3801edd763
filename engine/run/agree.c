#include "engine/run/agree.h"

#include "engine/base/error.h"
#include "engine/base/intl.h"

guint ol_agree_rank(const OlComm *comm)
{
  guint rank = 0;
  while (!ol_comm_is_local(comm, rank))
    rank++;
  return rank;
}

static OlCommGroup *everyone(OlComm *comm)
{
  guint n = ol_comm_get_n_ranks(comm);
  g_autofree guint *ranks = g_new(guint, n);
  for (guint i = 0; i < n; i++)
    ranks[i] = i;
  return ol_comm_get_group(comm, ranks, n);
}

static gboolean broadcast(OlComm *comm, guint root, void *bytes, gsize n, GError **error)
{
  if (ol_comm_broadcast(everyone(comm), ol_agree_rank(comm), root, bytes, n))
    return TRUE;
  g_autofree char *failure = ol_comm_dup_failure(comm);
  g_set_error_literal(error, OL_ERROR, OL_ERROR_DEVICE, failure ? failure : _("a rank failed"));
  return FALSE;
}

/* The text of `root`, or its NULL, becomes everyone's. */
static gboolean share_text(OlComm *comm, guint root, char **text, GError **error)
{
  gboolean mine = ol_agree_rank(comm) == root;
  guint64 length = mine && *text ? strlen(*text) + 1 : 0; /* 0: NULL */
  if (!broadcast(comm, root, &length, sizeof length, error))
    return FALSE;
  if (!mine) {
    g_free(*text);
    *text = length > 0 ? g_malloc0(length) : NULL;
  }
  return length == 0 || broadcast(comm, root, *text, length, error);
}

gboolean ol_agree_on_text(OlComm *comm, char **text, GError **error)
{
  return share_text(comm, 0, text, error);
}

gboolean ol_agree_on_number(OlComm *comm, double *number, GError **error)
{
  return broadcast(comm, 0, number, sizeof *number, error);
}

/* 0: all is well. */
static gint32 code_of(const GError *error)
{
  if (!error)
    return 0;
  return 1 + (error->domain == OL_ERROR ? error->code : OL_ERROR_DEVICE);
}

gboolean ol_agree_to_go_on(OlComm *comm, GError *own, GError **error)
{
  g_autoptr(GError) mine = own;
  guint n = ol_comm_get_n_ranks(comm), first = 0;
  g_autofree gint32 *codes = g_new0(gint32, n);
  gint32 code = code_of(own);

  for (guint rank = 0; rank < n; rank++) {
    codes[rank] = code;
    if (!broadcast(comm, rank, &codes[rank], sizeof *codes, error))
      return FALSE;
  }
  while (first < n && codes[first] == 0)
    first++;
  if (first == n)
    return TRUE;
  g_autofree char *message = own ? g_strdup(own->message) : NULL;
  if (!share_text(comm, first, &message, error))
    return FALSE;
  if (first == 0) /* what it finds wrong is so for all, as a rule */
    g_set_error_literal(error, OL_ERROR, codes[first] - 1, message);
  else
    g_set_error(error, OL_ERROR, codes[first] - 1, _("rank %u: %s"), first, message);
  return FALSE;
}
