/* While the lanes run: processes that die, and news for rank 0. A process of another machine is not
 * seen from here; there mpirun's own watch ends the run. */
#include "engine/run/remote-private.h"

#include "engine/base/clock.h"
#include "engine/base/intl.h"
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEWS_NS 10000000 /* between two tellings of what rank 0 writes down */

gboolean ol_remote_shares_system(const OlRemote *remote, guint rank)
{
  return strcmp(remote->processes[rank].system, remote->processes[remote->rank].system) == 0;
}

void ol_remote_open_watch(OlRemote *remote)
{
  remote->watched = g_new(int, remote->n);
  for (guint rank = 0; rank < remote->n; rank++)
    remote->watched[rank] =
        rank != remote->rank && ol_remote_shares_system(remote, rank)
            ? (int)syscall(SYS_pidfd_open, (pid_t)remote->processes[rank].pid, 0)
            : -1;
}

void ol_remote_close_watch(OlRemote *remote)
{
  for (guint rank = 0; remote->watched && rank < remote->n; rank++)
    if (remote->watched[rank] >= 0)
      close(remote->watched[rank]);
  g_clear_pointer(&remote->watched, g_free);
}

gboolean ol_remote_is_lost(const OlRemote *remote, guint rank)
{
  struct pollfd fd = {.fd = remote->watched[rank], .events = POLLIN};
  return fd.fd >= 0 && poll(&fd, 1, 0) > 0;
}

gboolean ol_remote_is_first_alive(const OlRemote *remote)
{
  for (guint rank = 0; rank < remote->rank; rank++)
    if (!ol_remote_is_lost(remote, rank))
      return FALSE;
  return TRUE;
}

static void look_for_dead(OlRemote *remote)
{
  for (guint rank = 0; rank < remote->n; rank++) {
    if (ol_executor_is_aborted(remote->executor) || !ol_remote_is_lost(remote, rank))
      continue;
    const OlProcess *process = &remote->processes[rank];
    ol_comm_lose(remote->comm);
    ol_executor_abort(remote->executor, OL_OUTCOME_FAILED,
                      g_strdup_printf(_("rank %u has died: its process %d on %s was killed or "
                                        "crashed, so all ranks end"),
                                      rank, (int)process->pid, process->host),
                      NULL);
  }
}

void ol_remote_check(OlRemote *remote)
{
  look_for_dead(remote);
  ol_remote_steer(remote);
  if (remote->rank > 0 && ol_clock_now_ns() - remote->news_ns > NEWS_NS)
    ol_remote_tell_news(remote);
}
