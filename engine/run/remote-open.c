/* Before the lanes and after them, when the main thread alone speaks to other processes: who is
 * who, what time it is at rank 0, and the last words. */
#include "engine/run/remote-private.h"

#include "engine/base/clock.h"
#include <errno.h>
#include <unistd.h>

#define PINGS       100       /* the quickest of them tells the time best */
#define FAREWELL_NS 500000000 /* for last words after a failure: mpirun kills after a second */

static void describe_process(OlProcess *process)
{
  g_autofree char *boot = NULL;
  g_autofree char *numbers = g_file_read_link("/proc/self/ns/pid", NULL);
  g_autofree char *clock = g_file_read_link("/proc/self/ns/time", NULL);
  g_file_get_contents("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL);
  *process = (OlProcess){.pid = getpid()};
  g_strlcpy(process->host, g_get_host_name(), sizeof process->host);
  g_snprintf(process->system, sizeof process->system, "%s %s %s", boot ? g_strchomp(boot) : "",
             numbers ? numbers : "", clock ? clock : "");
}

static void meet_processes(OlRemote *remote)
{
  g_autofree gsize *bytes = g_new(gsize, remote->n);
  for (guint rank = 0; rank < remote->n; rank++)
    bytes[rank] = sizeof(OlProcess);
  describe_process(&remote->processes[remote->rank]);
  ol_comm_all_gather(remote->executor->ranks[remote->rank].world, remote->rank,
                     &remote->processes[remote->rank], remote->processes, bytes);
  ol_remote_open_watch(remote);
}

/* Looks until it holds, or the run ends for want of a process. */
static gboolean look_until(OlRemote *remote, gboolean (*holds)(const OlRemote *remote),
                           gint64 until_ns)
{
  while (!holds(remote)) {
    ol_remote_look(remote);
    ol_remote_check(remote);
    if (ol_executor_is_aborted(remote->executor) &&
        (ol_clock_now_ns() > until_ns || ol_remote_is_lost(remote, 0)))
      return FALSE;
    sched_yield();
  }
  return TRUE;
}

static gboolean has_pong(const OlRemote *remote)
{
  return remote->pong_ns != 0;
}

static gboolean all_are_clocked(const OlRemote *remote)
{
  return remote->clocked + 1 == remote->n;
}

/* Rank 0's answer was given somewhere between question and hearing it: half-way, or so; the less
 * time lies between, the nearer. */
static void ask_time(OlRemote *remote)
{
  gint64 quickest = G_MAXINT64;
  for (guint i = 0; i < PINGS; i++) {
    remote->pong_ns = 0;
    gint64 begin = ol_clock_now_ns();
    ol_remote_tell(remote, 0, &(OlNote){OL_NOTE_PING}, NULL, 0);
    if (!look_until(remote, has_pong, 0))
      return;
    gint64 end = ol_clock_now_ns();
    if (end - begin >= quickest)
      continue;
    quickest = end - begin;
    remote->ahead_ns = remote->pong_ns - (begin + quickest / 2);
  }
  if (ol_remote_shares_system(remote, 0)) /* and so its clock, to the ns */
    remote->ahead_ns = 0;
  ol_remote_tell(remote, 0, &(OlNote){OL_NOTE_CLOCKED}, NULL, 0);
}

void ol_remote_open(OlRemote *remote)
{
  ol_comm_set_reader(remote->comm, ol_remote_hear, remote);
  meet_processes(remote);
  if (remote->rank > 0)
    ask_time(remote);
  else
    look_until(remote, all_are_clocked, 0);
  ol_remote_begin_steering(remote);
}

/* ---- the end ---- */

static gboolean has_all_last_words(const OlRemote *remote)
{
  for (guint rank = 1; rank < remote->n; rank++)
    if (!remote->last_words[rank] && !ol_remote_is_lost(remote, rank))
      return FALSE;
  return TRUE;
}

static gboolean has_bye(const OlRemote *remote)
{
  return remote->bye;
}

static gboolean is_quiet(const OlRemote *remote)
{
  return ol_comm_is_quiet(remote->comm);
}

static void say_last_words(OlRemote *remote)
{
  OlExecutor *executor = remote->executor;
  const char *digest = g_checksum_get_string(executor->ranks[remote->rank].replica);
  OlNote last = {OL_NOTE_LAST, .first = (guint64)atomic_load(&executor->late_ns)};
  ol_remote_tell_news(remote);
  ol_remote_tell(remote, 0, &last, digest, strlen(digest));
}

void ol_remote_close(OlRemote *remote)
{
  gint64 until = ol_clock_now_ns() + FAREWELL_NS;
  const char *digest = g_checksum_get_string(remote->executor->ranks[remote->rank].replica);
  remote->digests[remote->rank] = g_strdup(digest);
  remote->peer = NULL;
  if (remote->rank > 0) {
    say_last_words(remote);
    look_until(remote, has_bye, until);
  } else {
    look_until(remote, has_all_last_words, until);
    ol_remote_tell_all(remote, &(OlNote){OL_NOTE_BYE}, NULL, 0);
  }
  look_until(remote, is_quiet, until);
  ol_comm_set_reader(remote->comm, NULL, NULL);
}
